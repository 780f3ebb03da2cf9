//! Grids and points agree bit for bit, and the border of the domain.

use orogeny::{Field, Grid, Samples};
use proptest::prelude::*;

use crate::RasterField;
use crate::tests::{raster_of, rough};

/// The bits of a sample.
fn bits(sample: orogeny::Sample<2>) -> [u32; 3] {
    [sample.value, sample.gradient[0], sample.gradient[1]].map(f32::to_bits)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn grids_are_points(
        origin in [0.0..60.0, -30.0..40.0],
        spacing in [-1.0..1.0, -1.0..1.0],
        size in [0usize..200, 0usize..9],
        start in [0usize..40, 0usize..40],
    ) {
        let field = RasterField::new(&rough(1, [25, 20])).unwrap();
        let grid = Grid { origin, spacing, start, size };
        let (mut samples, mut values) = (Samples::new(), Samples::values_only());
        field.sample_grid(&grid, &mut samples);
        field.sample_grid(&grid, &mut values);
        prop_assert_eq!(samples.len(), grid.len());
        prop_assert_eq!(values.len(), grid.len());
        for (i, p) in grid.points().enumerate() {
            prop_assert_eq!(bits(samples.get(i)), bits(field.sample(p)));
            prop_assert_eq!(values.values()[i].to_bits(), field.value(p).to_bits());
            prop_assert_eq!(field.value(p).to_bits(), field.sample(p).value.to_bits());
        }
    }
}

#[test]
fn a_filled_buffer_allocates_nothing() {
    let field = RasterField::new(&rough(1, [25, 20])).unwrap();
    let grid = Grid::new([11.0, -15.0], 0.1, [150, 80]);
    let mut samples = Samples::new();
    field.sample_grid(&grid, &mut samples);
    let info = allocation_counter::measure(|| field.sample_grid(&grid, &mut samples));
    assert_eq!(info.count_total, 0);
    let info = allocation_counter::measure(|| {
        field.local_bounds([20.0, 0.0], 5.0);
        field.local_bounds([20.0, 0.0], 50.0);
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn there_is_nothing_outside() {
    let field = RasterField::new(&rough(2, [6, 5])).unwrap();
    let [[x0, z0], [x1, z1]] = field.corners();
    assert_eq!([[x0, z0], [x1, z1]], [[10.0, -20.0], [20.0, -8.0]]);
    for p in [[x0, z0], [x1, z0], [x0, z1], [x1, z1]] {
        assert!(field.value(p).is_finite(), "{p:?}");
    }
    let (far, nan) = (f64::INFINITY, f64::NAN);
    for p in [
        [x0 - 0.01, 0.0],
        [x1 + 0.01, -10.0],
        [15.0, z0 - 0.01],
        [15.0, z1 + 0.01],
        [far, 0.0],
        [-far, -10.0],
        [nan, -10.0],
        [15.0, nan],
        [1e300, -1e300],
    ] {
        let jet = field.jet(p);
        assert!(jet.sample.value.is_nan() && jet.sample.gradient.iter().all(|g| g.is_nan()));
        assert!(jet.hessian.as_flattened().iter().all(|h| h.is_nan()));
        assert_eq!(field.local_bounds(p, 1.0), orogeny::Bounds::UNKNOWN);
    }
}

/// Coordinates of an aligned grid are rounded, so its last ones may be outside by a hair.
#[test]
fn an_aligned_grid_has_all_samples() {
    for spacing in [0.1, 0.3, 1.0 / 3.0, 30.87, 27.7777] {
        let position = [-1234.567, 98765.4321];
        let raster = raster_of([200, 3], [spacing; 2], position, |x, _| x);
        let field = RasterField::new(&raster).unwrap();
        let grid = Grid::new(position, spacing, [200, 3]);
        let mut values = vec![0.0; grid.len()];
        field.value_grid(&grid, &mut values);
        for (found, exact) in values.iter().zip(raster.heights()) {
            assert!((found - exact).abs() <= 1e-3 * spacing as f32 + 2e-3, "{found} {exact}");
        }
    }
}
