//! Rasters with other fields.

mod amplified;
mod distance;
mod over_ground;
mod over_tiles;

use std::sync::Arc;

use orogeny::{Bounds, Field, Grid, Node, Samples, SharedField};

use crate::tests::random;
use crate::{Raster, RasterField};

pub(super) const SIZE: [usize; 2] = [50, 40];
pub(super) const SPACING: [f64; 2] = [5.0, 4.0];
pub(super) const CORNER: [f64; 2] = [100.0, -60.0];

/// Hills, steeper in the east, with a hole of 3 x 2 samples.
pub(super) fn field() -> RasterField {
    let height = |k: usize| {
        let [i, j] = [k % SIZE[0], k / SIZE[0]];
        let is_hole = (24..27).contains(&i) && (18..20).contains(&j);
        let [x, z] = [i, j].map(|x| x as f64);
        let height = 100.0 + x * x * 0.08 + 6.0 * (z / 4.0).sin() + random(3, k as u64);
        if is_hole { f32::NAN } else { height as f32 }
    };
    let heights = (0..SIZE[0] * SIZE[1]).map(height).collect();
    RasterField::new(&Raster::new(SIZE, SPACING, CORNER, heights).unwrap()).unwrap()
}

pub(super) fn noise(frequency: f64, amplitude: f32) -> SharedField<2> {
    let noise = Node::<2>::noise(7).fbm(4).frequency(frequency).amplitude(amplitude);
    Arc::new(noise.build().unwrap())
}

/// A position within the raster, or `beyond` metres outside.
pub(super) fn position(k: u64, beyond: f64) -> [f64; 2] {
    [0, 1].map(|axis| {
        let side = (SIZE[axis] - 1) as f64 * SPACING[axis] + 2.0 * beyond;
        CORNER[axis] - beyond + side * (0.5 + 0.5 * random(axis as u64, k))
    })
}

/// Gradients are difference quotients of values, and Hessians those of gradients.
pub(super) fn assert_derivatives(field: &dyn Field<2>, p: [f64; 2], tolerances: [f64; 2]) {
    let jet = field.jet(p);
    assert_eq!(jet.sample, field.sample(p));
    for axis in 0..2 {
        let moved = |h: f64| {
            let mut p = p;
            p[axis] += h;
            field.sample(p)
        };
        let quotient =
            |h: f64, of: &dyn Fn(f64) -> f32| (f64::from(of(h)) - f64::from(of(-h))) / (2.0 * h);
        let slope = quotient(0.02, &|h| moved(h).value);
        let found = f64::from(jet.sample.gradient[axis]);
        assert!((found - slope).abs() < tolerances[0], "{p:?}: {found} {slope}");
        for other in 0..2 {
            let bend = quotient(0.01, &|h| moved(h).gradient[other]);
            let found = f64::from(jet.hessian[axis][other]);
            assert!((found - bend).abs() < tolerances[1], "{p:?}: {found} {bend}");
        }
    }
}

pub(super) fn assert_grids_are_points(field: &dyn Field<2>, grid: &Grid<2>) {
    let (mut samples, mut values) = (Samples::new(), Samples::values_only());
    field.sample_grid(grid, &mut samples);
    field.sample_grid(grid, &mut values);
    for (i, p) in grid.points().enumerate() {
        let point = field.sample(p);
        let found = samples.get(i);
        assert_eq!(found.value.to_bits(), point.value.to_bits(), "{p:?}");
        assert_eq!(found.gradient.map(f32::to_bits), point.gradient.map(f32::to_bits), "{p:?}");
        assert_eq!(values.values()[i].to_bits(), point.value.to_bits(), "{p:?}");
        assert_eq!(field.value(p).to_bits(), point.value.to_bits(), "{p:?}");
    }
}

/// Bounds hold at points of a ball.
pub(super) fn assert_bounds(field: &dyn Field<2>, p: [f64; 2], radius: f64, seed: u64) {
    if field.value(p).is_nan() {
        return assert_eq!(field.local_bounds(p, radius), Bounds::UNKNOWN);
    }
    for bounds in [field.bounds(), field.local_bounds(p, radius)] {
        for l in 0..30 {
            let [a, r] = [3.2, radius].map(|x| x * random(seed, l));
            let jet = field.jet([p[0] + r * a.cos(), p[1] + r * a.sin()]);
            let value = f64::from(jet.sample.value);
            if value.is_nan() {
                continue;
            }
            let [x, z] = jet.sample.gradient.map(f64::from);
            let [[xx, xz], [_, zz]] = jet.hessian.map(|row| row.map(f64::from));
            let (mean, half) = ((xx + zz) / 2.0, (xx - zz) / 2.0);
            let bend = mean.abs() + half.hypot(xz);
            assert!(value >= bounds.min - 1e-3 && value <= bounds.max + 1e-3, "{bounds:?} {jet:?}");
            assert!(x.hypot(z) <= bounds.lipschitz * 1.00001 + 1e-4, "{bounds:?} {jet:?}");
            assert!(bend <= bounds.curvature * 1.00001 + 1e-4, "{bounds:?} {jet:?}");
        }
    }
}
