//! Tests against something independent: formulas, a direct solver, difference quotients, and the
//! encoders of other crates.

mod bad_files;
mod combine;
mod field;
mod formats;
mod geo_tiff;
mod level_ground;
mod mosaic;
mod other_software;
mod reports;
mod scan;
mod tiles;
mod weights;
mod write;

use orogeny::{Bounds, Field, Grid, Jet, Sample, Samples};

use crate::{Placement, Raster, Reading};

/// A number within -1 to 1 for each index and seed.
pub(crate) fn random(seed: u64, index: u64) -> f64 {
    let mut x = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(index);
    for _ in 0..2 {
        x = (x ^ (x >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    }
    (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// A raster of random heights within +-100 m, with a spacing of 2 m by 3 m, first sample at (10,
/// -20).
pub(crate) fn rough(seed: u64, size: [usize; 2]) -> Raster {
    let heights = (0..size[0] * size[1]).map(|i| 100.0 * random(seed, i as u64) as f32);
    Raster::new(size, [2.0, 3.0], [10.0, -20.0], heights.collect()).unwrap()
}

/// A raster of a function of the position.
pub(crate) fn raster_of(
    size: [usize; 2],
    spacing: [f64; 2],
    position: [f64; 2],
    height: impl Fn(f64, f64) -> f64,
) -> Raster {
    let mut heights = Vec::new();
    for j in 0..size[1] {
        for i in 0..size[0] {
            let x = position[0] + i as f64 * spacing[0];
            let z = position[1] + j as f64 * spacing[1];
            heights.push(height(x, z) as f32);
        }
    }
    Raster::new(size, spacing, position, heights).unwrap()
}

/// Where the file says.
pub(crate) fn georeferenced() -> Reading {
    Reading { placement: Placement::Georeferenced, ..Reading::default() }
}

/// The bits of a sample.
pub(crate) fn bits(sample: Sample<2>) -> [u32; 3] {
    [sample.value, sample.gradient[0], sample.gradient[1]].map(f32::to_bits)
}

pub(crate) fn assert_grids_are_points(field: &dyn Field<2>, grid: &Grid<2>) {
    let (mut samples, mut values) = (Samples::new(), Samples::values_only());
    field.sample_grid(grid, &mut samples);
    field.sample_grid(grid, &mut values);
    assert_eq!((samples.len(), values.len()), (grid.len(), grid.len()));
    for (i, p) in grid.points().enumerate() {
        let point = field.sample(p);
        assert_eq!(bits(samples.get(i)), bits(point), "{p:?}");
        assert_eq!(values.values()[i].to_bits(), point.value.to_bits(), "{p:?}");
        assert_eq!(field.value(p).to_bits(), point.value.to_bits(), "{p:?}");
    }
}

/// Bounds hold at a point, but for rounding.
pub(crate) fn assert_holds(bounds: &Bounds, jet: &Jet<2>, slack: f64) {
    let value = f64::from(jet.sample.value);
    let [x, z] = jet.sample.gradient.map(f64::from);
    let [[xx, xz], [_, zz]] = jet.hessian.map(|row| row.map(f64::from));
    // The largest absolute eigenvalue of the Hessian.
    let (mean, half) = ((xx + zz) / 2.0, (xx - zz) / 2.0);
    let second = mean.abs() + half.hypot(xz);
    assert!(value >= bounds.min - 1e-3 && value <= bounds.max + 1e-3, "{bounds:?} {jet:?}");
    assert!(x.hypot(z) <= bounds.lipschitz * 1.00001 + slack, "{bounds:?} {jet:?}");
    assert!(second <= bounds.curvature * 1.00001 + slack, "{bounds:?} {jet:?}");
}

/// Bounds, of all and local ones, hold at `count` points of a ball.
pub(crate) fn assert_bounds(
    field: &dyn Field<2>,
    (p, radius): ([f64; 2], f64),
    seed: u64,
    count: u64,
    slack: f64,
) {
    let (all, near) = (field.bounds(), field.local_bounds(p, radius));
    if field.value(p).is_nan() {
        return assert_eq!(near, Bounds::UNKNOWN);
    }
    for k in 0..count {
        let [a, r] = [3.2 * random(seed, k), radius * random(seed + 1, k)];
        let jet = field.jet([p[0] + r * a.cos(), p[1] + r * a.sin()]);
        if !jet.sample.value.is_nan() {
            assert_holds(&all, &jet, slack);
            assert_holds(&near, &jet, slack);
        }
    }
}
