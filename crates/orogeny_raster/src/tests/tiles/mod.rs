//! Rasters that are read in tiles, against the same rasters in memory.

mod bounds;
mod budget;
mod cache;
mod failures;
mod many_files;
mod order;
mod pool;
mod same_as_memory;
mod same_report;

use std::path::PathBuf;

use crate::tests::random;
use crate::tests::write::Folder;
use crate::{ByteOrder, Raster, RasterTiles, Reading, TileBounds, Tiling};

/// 600 x 300 samples: hills with noise, and holes if wanted. 3 x 2 tiles.
pub(super) const SIZE: [usize; 2] = [600, 300];
pub(super) const SPACING: [f64; 2] = [2.0, 3.0];

pub(super) fn heights(has_holes: bool) -> Vec<f32> {
    let height = |index: usize| {
        let [i, j] = [index % SIZE[0], index / SIZE[0]].map(|x| x as f64);
        let noise = 3.0 * random(1, index as u64);
        let height = 500.0 + 200.0 * (i / 40.0).sin() * (j / 30.0).cos() + noise;
        // A hole across the border of tiles, and single samples.
        let is_hole = (240.0..280.0).contains(&i) && (100.0..120.0).contains(&j)
            || random(2, index as u64) > 0.999;
        if has_holes && is_hole { f32::NAN } else { height as f32 }
    };
    (0..SIZE[0] * SIZE[1]).map(height).collect()
}

pub(super) fn reading() -> Reading {
    Reading {
        size: Some(SIZE),
        byte_order: Some(ByteOrder::LittleEndian),
        spacing: Some(SPACING),
        height_scale: Some(1.0),
        placement: crate::Placement::At([10.0, -20.0]),
        ..Reading::default()
    }
}

pub(super) fn raster(has_holes: bool) -> Raster {
    Raster::new(SIZE, SPACING, [10.0, -20.0], heights(has_holes)).unwrap()
}

pub(super) fn r32(folder: &Folder, heights: &[f32]) -> PathBuf {
    let bytes: Vec<u8> = heights.iter().flat_map(|h| h.to_le_bytes()).collect();
    folder.file("a.r32", &bytes)
}

/// Bounds that every field keeps.
pub(super) fn unbounded() -> Tiling {
    Tiling { bounds: TileBounds::Given(orogeny::Bounds::UNKNOWN), ..Tiling::default() }
}

pub(super) fn tiled(folder: &Folder, has_holes: bool, tiling: Tiling) -> RasterTiles {
    RasterTiles::open(r32(folder, &heights(has_holes)), &reading(), &tiling).unwrap().0
}

/// A position within the raster.
pub(super) fn position(k: u64) -> [f64; 2] {
    let part = |axis: usize| 0.5 + 0.5 * random(7 + axis as u64, k);
    [0, 1].map(|k| [10.0, -20.0][k] + part(k) * (SIZE[k] - 1) as f64 * SPACING[k])
}

/// The bits of a sample.
pub(super) fn bits(sample: orogeny::Sample<2>) -> [u32; 3] {
    [sample.value, sample.gradient[0], sample.gradient[1]].map(f32::to_bits)
}
