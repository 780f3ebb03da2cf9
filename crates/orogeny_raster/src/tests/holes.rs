//! Samples without data.

use orogeny::Field;

use crate::tests::{random, raster_of, rough};
use crate::{Raster, RasterField};

#[test]
fn a_cell_has_a_value_if_all_samples_around_have_data() {
    let size = [30, 24];
    let mut heights = rough(1, size).heights().to_vec();
    for (i, height) in heights.iter_mut().enumerate() {
        if random(4, i as u64) > 0.95 {
            *height = f32::NAN;
        }
    }
    let raster = Raster::new(size, [2.0, 3.0], [10.0, -20.0], heights).unwrap();
    let field = RasterField::new(&raster).unwrap();
    for j in 0..size[1] - 1 {
        for i in 0..size[0] - 1 {
            let around = |x: usize, count: usize| x.saturating_sub(1)..(x + 3).min(count);
            let is_whole = around(j, size[1])
                .flat_map(|j| around(i, size[0]).map(move |i| (i, j)))
                .all(|(i, j)| !raster.height(i, j).unwrap().is_nan());
            for t in [0.001, 0.5, 0.999] {
                let p = [10.0 + 2.0 * (i as f64 + t), -20.0 + 3.0 * (j as f64 + 1.0 - t)];
                assert_eq!(field.value(p).is_finite(), is_whole, "{i} {j} {t}");
                assert_eq!(field.sample(p).gradient[0].is_finite(), is_whole);
                assert_eq!(field.jet(p).hessian[1][1].is_finite(), is_whole);
            }
        }
    }
}

/// Smooth ground with a hole is what it is without one, but for the samples beside the hole.
#[test]
fn a_hole_does_not_ring() {
    let height = |x: f64, z: f64| 1000.0 + 0.3 * x - 0.2 * z + 1e-3 * x * z;
    let whole = raster_of([60, 60], [1.0; 2], [0.0; 2], height);
    let mut heights = whole.heights().to_vec();
    for j in 25..35 {
        for i in 20..32 {
            heights[j * 60 + i] = f32::NAN;
        }
    }
    let holed = Raster::new([60, 60], [1.0; 2], [0.0; 2], heights).unwrap();
    let (whole, holed) = (RasterField::new(&whole).unwrap(), RasterField::new(&holed).unwrap());
    let mut seen = 0;
    for k in 0..4000 {
        let p = [30.0 + 25.0 * random(1, k), 30.0 + 25.0 * random(2, k)];
        let (found, exact) = (holed.sample(p), whole.sample(p));
        if found.value.is_nan() {
            continue;
        }
        seen += 1;
        assert!((found.value - exact.value).abs() < 0.05, "{p:?} {found:?} {exact:?}");
        for axis in 0..2 {
            let difference = found.gradient[axis] - exact.gradient[axis];
            assert!(difference.abs() < 0.15, "{p:?} {found:?} {exact:?}");
        }
    }
    assert!(seen > 3000);
}

#[test]
fn samples_beside_holes_are_hit() {
    let mut heights = rough(6, [20, 20]).heights().to_vec();
    heights[10 * 20 + 10] = f32::NAN;
    let raster = Raster::new([20, 20], [2.0, 3.0], [10.0, -20.0], heights).unwrap();
    let field = RasterField::new(&raster).unwrap();
    // Column 8 is the last one that no cell with a hole shares.
    for (column, row) in [(7, 10), (8, 10), (12, 10), (10, 8), (10, 12)] {
        let p = [10.0 + 2.0 * column as f64, -20.0 + 3.0 * row as f64];
        let (found, exact) = (field.value(p), raster.height(column, row).unwrap());
        if !found.is_nan() {
            assert!((found - exact).abs() < 3e-5, "{column} {row}: {found} {exact}");
        }
    }
    assert!(field.value([10.0 + 2.0 * 7.0, 10.0]).is_finite());
}

#[test]
fn ground_that_could_not_be_shown_is_an_error() {
    let mut heights = vec![f32::NAN; 100];
    heights[42] = 7.0;
    let raster = Raster::new([10, 10], [1.0; 2], [0.0; 2], heights).unwrap();
    let error = RasterField::new(&raster).unwrap_err().to_string();
    assert!(error.contains("4 x 4"), "{error}");
}
