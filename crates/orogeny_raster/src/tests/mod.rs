//! Tests against something independent: formulas, a direct solver, difference quotients, and the
//! encoders of other crates.

mod bad_files;
mod bounds;
mod combine;
mod damaged_files;
mod exr;
mod formats;
mod gdal;
mod geo_tiff;
mod geo_units;
mod hillshade;
mod holes;
mod level_ground;
mod mosaic;
mod odd_files;
mod odd_tags;
mod raster;
mod reports;
mod sampling;
mod spline;
mod tiles;
mod weights;
mod write;

use crate::Raster;

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
