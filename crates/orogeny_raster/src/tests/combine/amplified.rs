//! Rasters with detail.

use orogeny::{Field, Grid};

use super::{
    CORNER, SPACING, assert_bounds, assert_derivatives, assert_grids_are_points, field, noise,
    position,
};
use crate::{Amplification, Raster, RasterField};

/// On planes, of which all samples have the same slope, the factor is that of the slope.
#[test]
fn the_factor_follows_the_slope() {
    let noise = noise(0.3, 2.0);
    let amplification = Amplification { slopes: [0.25, 0.75], factors: [0.5, -2.0] };
    for (slope, factor) in [(0.0, 0.5), (0.2, 0.5), (0.5, -0.75), (0.8, -2.0), (3.0, -2.0)] {
        let plane = |k: usize| (0.6 * (k % 40) as f32 + 0.8 * (k / 40) as f32) * slope * 5.0;
        let heights = (0..1600).map(plane).collect();
        let raster = Raster::new([40; 2], [5.0; 2], [0.0; 2], heights).unwrap();
        let field = RasterField::new(&raster).unwrap();
        let ground = field.amplified(noise.clone(), amplification).unwrap();
        for k in 0..50 {
            // Far from the border, where samples are mirrored.
            let p = [0, 1].map(|axis| 100.0 + 30.0 * crate::tests::random(axis, k));
            let difference = f64::from(ground.value(p)) - f64::from(field.value(p));
            let exact = factor * f64::from(noise.value(p));
            assert!((difference - exact).abs() < 2e-4, "{slope}: {difference} {exact}");
        }
    }
}

/// Whatever the slopes are, the factor is between the two.
#[test]
fn the_factor_is_between_the_two() {
    let (raster, noise) = (field(), noise(0.3, 2.0));
    let ground = raster.amplified(noise.clone(), Amplification::default()).unwrap();
    let mut seen = [f64::INFINITY, f64::NEG_INFINITY];
    for k in 0..2000 {
        let p = position(k, 5.0);
        let (found, own) = (f64::from(ground.value(p)), f64::from(raster.value(p)));
        assert_eq!(found.is_nan(), own.is_nan());
        let noise = f64::from(noise.value(p));
        if noise.abs() > 0.5 && !found.is_nan() {
            let factor = (found - own) / noise;
            assert!((0.0999..1.0001).contains(&factor), "{factor}");
            seen = [seen[0].min(factor), seen[1].max(factor)];
        }
    }
    assert!(seen[0] < 0.2 && seen[1] > 0.99, "{seen:?}");
}

#[test]
fn derivatives_are_exact_and_bounds_hold() {
    let ground = field().amplified(noise(0.08, 2.0), Amplification::default()).unwrap();
    for k in 0..200 {
        let p = position(k, -1.0);
        let is_whole = [-0.02, 0.02].iter().all(|h| !ground.value([p[0] + h, p[1] + h]).is_nan());
        if is_whole && !ground.value([p[0] + 0.02, p[1] - 0.02]).is_nan() {
            assert_derivatives(&ground, p, [2e-2, 0.7]);
        }
    }
    for (k, radius) in (0..100).zip([0.0, 0.3, 4.0, 30.0, 300.0].into_iter().cycle()) {
        assert_bounds(&ground, position(k, 10.0), radius, k);
    }
}

#[test]
fn grids_are_points_also_over_other_ground() {
    let ground = field().amplified(noise(0.3, 2.0), Amplification::default()).unwrap();
    let grid = Grid::new([CORNER[0] - 3.0, CORNER[1] - 3.0], 2.3, [90, 70]);
    assert_grids_are_points(&ground, &grid);
    let hills = noise(0.01, 40.0);
    let over = ground.over(hills.clone(), 20.0).unwrap();
    assert_grids_are_points(&over, &grid);
    let inside = [CORNER[0] + 12.0 * SPACING[0], CORNER[1] + 15.0 * SPACING[1]];
    assert_eq!(over.jet(inside), ground.jet(inside));
    assert_eq!(over.jet([0.0, 0.0]), hills.jet([0.0, 0.0]));
    for (k, radius) in (0..60).zip([0.0, 4.0, 30.0].into_iter().cycle()) {
        assert_bounds(&over, position(k, 10.0), radius, k);
    }
    let filtered = ground.band_limited(10.0).unwrap();
    assert_eq!(filtered.value(inside).to_bits(), ground.value(inside).to_bits());
}

#[test]
fn absurd_numbers_are_errors() {
    for (slopes, factors) in [
        ([1.0, 0.5], [0.0, 1.0]),
        ([-1.0, 0.5], [0.0, 1.0]),
        ([f64::NAN, 0.5], [0.0, 1.0]),
        ([0.0, f64::INFINITY], [0.0, 1.0]),
        ([0.0, 1.0], [f64::NAN, 1.0]),
        ([0.0, 1.0], [0.0, 1e7]),
    ] {
        let error = field().amplified(noise(0.3, 2.0), Amplification { slopes, factors });
        assert!(error.unwrap_err().to_string().contains("limits"));
    }
    // A step is allowed: the spline smooths it.
    let step = Amplification { slopes: [0.5, 0.5], factors: [0.0, 1.0] };
    assert!(field().amplified(noise(0.3, 2.0), step).is_ok());
}
