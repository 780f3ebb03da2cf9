//! Bounds hold at every sample, and are tight.

use orogeny::{Bounds, Field};
use proptest::prelude::*;

use crate::RasterField;
use crate::tests::{random, raster_of, rough};

/// Whether bounds hold at a point, but for rounding.
fn holds(bounds: &Bounds, field: &RasterField, p: [f64; 2]) -> bool {
    let jet = field.jet(p);
    let value = f64::from(jet.sample.value);
    let [gx, gz] = jet.sample.gradient.map(f64::from);
    let [[xx, xz], [_, zz]] = jet.hessian.map(|row| row.map(f64::from));
    // The largest absolute eigenvalue of the Hessian.
    let (mean, half) = ((xx + zz) / 2.0, (xx - zz) / 2.0);
    let bend = mean.abs() + (half * half + xz * xz).sqrt();
    let slack = 1e-5;
    (bounds.min - slack * 100.0..=bounds.max + slack * 100.0).contains(&value)
        && (gx * gx + gz * gz).sqrt() <= bounds.lipschitz * (1.0 + slack) + slack
        && bend <= bounds.curvature * (1.0 + slack) + slack
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn they_hold(
        seed in 0u64..50,
        size in [2usize..40, 2usize..40],
        center in [0.0..1.0, 0.0..1.0],
        radius in 0.0f64..60.0,
        hole in 0u64..4,
    ) {
        let mut heights = rough(seed, size).heights().to_vec();
        if hole > 1 {
            for (i, height) in heights.iter_mut().enumerate() {
                if random(77 + hole, i as u64) > 0.98 {
                    *height = f32::NAN;
                }
            }
        }
        let raster = crate::Raster::new(size, [2.0, 3.0], [10.0, -20.0], heights).unwrap();
        let Ok(field) = RasterField::new(&raster) else { return Ok(()) };
        let [[x0, z0], [x1, z1]] = field.corners();
        let p = [x0 + center[0] * (x1 - x0), z0 + center[1] * (z1 - z0)];
        let (all, local) = (field.bounds(), field.local_bounds(p, radius));
        if field.value(p).is_nan() {
            prop_assert_eq!(local, Bounds::UNKNOWN);
            return Ok(());
        }
        prop_assert!(local.min >= all.min && local.max <= all.max);
        prop_assert!(local.lipschitz <= all.lipschitz && local.curvature <= all.curvature);
        for k in 0..60 {
            let [a, r] = [random(seed, k) * 3.2, radius * random(seed + 1, k)];
            let q = [p[0] + r * a.cos(), p[1] + r * a.sin()];
            if !field.value(q).is_nan() {
                prop_assert!(holds(&local, &field, q), "{:?} {:?} {:?}", local, q, field.jet(q));
                prop_assert!(holds(&all, &field, q));
            }
        }
    }
}

/// Of a plane they are its height range, its slope, and almost no curvature.
#[test]
fn they_are_tight() {
    let raster = raster_of([300, 200], [5.0, 5.0], [0.0, 0.0], |x, z| 0.3 * x + 0.4 * z);
    let field = RasterField::new(&raster).unwrap();
    let p = [750.0, 500.0];
    for radius in [0.0, 3.0, 30.0, 100.0, 300.0] {
        let bounds = field.local_bounds(p, radius);
        let middle = f64::from(field.value(p));
        // A block has 8 x 8 cells, or a quarter of the ball's diameter.
        let reach = 0.7 * (radius + 10.0 + if radius > 10.0 { 40.0 + radius } else { 0.0 });
        assert!(bounds.min >= middle - reach && bounds.max <= middle + reach, "{bounds:?}");
        assert!((0.4999..0.501).contains(&bounds.lipschitz), "{radius}: {bounds:?}");
        assert!(bounds.curvature < 1e-4, "{bounds:?}");
    }
    let all = field.bounds();
    assert_eq!(field.local_bounds(p, f64::INFINITY), all);
    assert_eq!(field.local_bounds(p, -1.0), Bounds::UNKNOWN);
    assert_eq!(field.local_bounds(p, f64::NAN), Bounds::UNKNOWN);
    assert!(all.min > -2.0 && all.max < 846.5 + 2.0, "{all:?}");
}

/// Even on white noise, the largest slope is not far below the bound.
#[test]
fn slopes_are_not_far_below() {
    let field = RasterField::new(&rough(3, [60, 60])).unwrap();
    let largest = (0..40_000)
        .map(|k| {
            let p = [10.0 + 59.0 * (random(1, k) + 1.0), -20.0 + 88.5 * (random(2, k) + 1.0)];
            let [x, z] = field.sample(p).gradient;
            f64::from((x * x + z * z).sqrt())
        })
        .fold(0.0, f64::max);
    let bound = field.bounds().lipschitz;
    assert!(bound < 2.5 * largest, "{bound} {largest}");
}
