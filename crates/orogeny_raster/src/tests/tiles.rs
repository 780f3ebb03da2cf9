//! Rasters that are read in tiles have the values of the same rasters in memory, for all formats.
//! Their bits do not depend on the order of queries, evictions or threads.

use std::path::PathBuf;
use std::thread;

use orogeny::{Field, Grid, Samples};
use proptest::prelude::*;
use tiff::encoder::colortype::{Gray32Float, GrayI16};
use tiff::encoder::{Compression, DeflateLevel};

use crate::tests::write::{Folder, HandTiff, Tags, floats, raw, tif};
use crate::tests::{assert_grids_are_points, bits, random};
use crate::{ByteOrder, Placement, Raster, RasterField, RasterTiles, Reading, TileBounds, Tiling};

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
        placement: Placement::At([10.0, -20.0]),
        ..Reading::default()
    }
}

pub(super) fn raster(has_holes: bool) -> Raster {
    Raster::new(SIZE, SPACING, [10.0, -20.0], heights(has_holes)).unwrap()
}

pub(super) fn r32(folder: &Folder, heights: &[f32]) -> PathBuf {
    folder.file("a.r32", &raw(heights))
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

/// Asserts that two fields agree to the stated tolerance, and nearly everywhere to the bit.
fn agree(tiles: &RasterTiles, memory: &RasterField, points: impl Iterator<Item = [f64; 2]>) {
    let (mut same, mut count) = (0, 0);
    for p in points {
        let (found, exact) = (tiles.sample(p), memory.sample(p));
        count += 1;
        same += usize::from(bits(found) == bits(exact));
        if exact.value.is_nan() {
            assert!(found.value.is_nan(), "{p:?} {found:?}");
            continue;
        }
        assert!((found.value - exact.value).abs() <= 2e-7 * 800.0, "{p:?} {found:?} {exact:?}");
        for k in 0..2 {
            let difference = found.gradient[k] - exact.gradient[k];
            assert!(difference.abs() <= 4e-7 * 800.0, "{p:?} {found:?} {exact:?}");
        }
    }
    assert!(same * 1000 >= count * 999, "{same} of {count}");
}

#[test]
fn raw_files() {
    let folder = Folder::new();
    for has_holes in [false, true] {
        let memory = RasterField::new(&raster(has_holes)).unwrap();
        let tiles = tiled(&folder, has_holes, unbounded());
        assert_eq!(tiles.corners(), memory.corners());
        assert_eq!(tiles.size(), SIZE);
        // Across the borders of tiles: cells 255, 256 and 257, and 511 to 513.
        let border = (0..4000).map(|k| {
            let [x, z] = position(k);
            match k % 3 {
                0 => [10.0 + 2.0 * (255.0 + (x / 100.0) % 2.5), z],
                1 => [10.0 + 2.0 * (511.0 + (x / 100.0) % 2.5), z],
                _ => [x, -20.0 + 3.0 * (255.0 + (z / 100.0) % 2.5)],
            }
        });
        agree(&tiles, &memory, (0..8000).map(position).chain(border));
        let outside = [[9.9, 0.0], [f64::NAN, 0.0], [1e300, 0.0], [1300.0, 0.0]];
        assert!(outside.iter().all(|&p| tiles.value(p).is_nan()));
        assert!(tiles.take_errors().is_empty());
    }
}

#[test]
fn sixteen_bits_and_big_endian() {
    let folder = Folder::new();
    let rounded: Vec<u16> = heights(false).iter().map(|h| (h * 10.0) as u16).collect();
    let bytes: Vec<u8> = rounded.iter().flat_map(|h| h.to_be_bytes()).collect();
    let big = Some(ByteOrder::BigEndian);
    let reading = Reading { byte_order: big, height_scale: Some(0.1), ..reading() };
    let path = folder.file("a.r16", &bytes);
    let (raster, _) = crate::read(&path, &reading).unwrap();
    let (tiles, report) = RasterTiles::open(&path, &reading, &unbounded()).unwrap();
    assert_eq!((report.size, report.values, report.no_data_count), (SIZE, None, None));
    assert!(report.to_string().contains("not read"), "{report}");
    agree(&tiles, &RasterField::new(&raster).unwrap(), (0..5000).map(position));
}

#[test]
fn tiffs() {
    let folder = Folder::new();
    let size = SIZE.map(|side| side as u32);
    let mut heights = heights(true);
    heights.iter_mut().for_each(|h| *h = if h.is_nan() { -9999.0 } else { *h });
    let tags = Tags { no_data: Some("-9999"), ..Tags::projected() };
    let deflate = Compression::Deflate(DeflateLevel::Fast);
    let integers: Vec<i16> = heights.iter().map(|&h| h as i16).collect();
    // In tiles of 64 x 64, of which some reach beyond the image.
    let tiled = HandTiff::of(true, SIZE, Some(64), |i, j| {
        integers[j.min(SIZE[1] - 1) * SIZE[0] + i.min(SIZE[0] - 1)]
    });
    for (name, bytes) in [
        ("plain.tif", floats(SIZE, &heights, &tags)),
        ("deflate.tif", tif::<Gray32Float>(size, &heights, &tags, deflate)),
        ("lzw.tif", tif::<GrayI16>(size, &integers, &tags, Compression::Lzw)),
        ("tiled.tif", tiled.bytes()),
    ] {
        let path = folder.file(name, &bytes);
        let reading = Reading { no_data: Some(-9999.0), ..reading() };
        let (raster, _) = crate::read(&path, &reading).unwrap();
        let (tiles, _) = RasterTiles::open(&path, &reading, &unbounded()).unwrap();
        agree(&tiles, &RasterField::new(&raster).unwrap(), (0..4000).map(position));
    }
}

/// Values, gradients and second derivatives have no step at the borders of tiles.
#[test]
fn borders_are_smooth() {
    let tiles = tiled(&Folder::new(), false, unbounded());
    for k in 0..500 {
        let [x, z] = position(k);
        let e = 1e-7;
        for border in [[10.0 + 2.0 * 256.0, z], [x, -20.0 + 3.0 * 256.0]] {
            let [before, after] = [-e, e].map(|e| tiles.jet([border[0] + e, border[1] + e]));
            let step = |a: f32, b: f32| f64::from((a - b).abs());
            assert!(step(before.sample.value, after.sample.value) < 1.3e-4);
            for k in 0..2 {
                assert!(step(before.sample.gradient[k], after.sample.gradient[k]) < 1e-4);
                for l in 0..2 {
                    assert!(step(before.hessian[k][l], after.hessian[k][l]) < 1e-4);
                }
            }
        }
    }
}

#[test]
fn grids_and_points_agree() {
    let tiles = tiled(&Folder::new(), true, unbounded());
    for (spacing, size) in
        [([1.3, 0.9], [200, 40]), ([17.0, -31.0], [90, 30]), ([700.0, 1.0], [2, 3])]
    {
        let grid = Grid { spacing, ..Grid::new([450.1, 700.3], 1.0, size) };
        assert_grids_are_points(&tiles, &grid);
        let points: Vec<_> = grid.points().collect();
        let mut scattered = Samples::new();
        tiles.sample_points(&points, &mut scattered);
        for (i, &p) in points.iter().enumerate() {
            assert_eq!(bits(scattered.get(i)), bits(tiles.sample(p)), "{p:?}");
            assert_eq!(bits(scattered.get(i)), bits(tiles.jet(p).sample), "{p:?}");
        }
    }
}

/// The smallest rasters, and sizes beside those of a tile.
#[test]
fn all_sizes() {
    let folder = Folder::new();
    for size in [[2, 2], [2, 400], [257, 3], [258, 2], [513, 4]] {
        let all: Vec<f32> = heights(false)[..size[0] * size[1]].to_vec();
        let reading = Reading { size: Some(size), ..reading() };
        let path = r32(&folder, &all);
        let (tiles, _) = RasterTiles::open(path, &reading, &Default::default()).unwrap();
        let raster = Raster::new(size, SPACING, [10.0, -20.0], all).unwrap();
        let memory = RasterField::new(&raster).unwrap();
        let last = size.map(|side| (side - 1) as f64);
        agree(
            &tiles,
            &memory,
            (0..600).map(|k| {
                let [u, v] = [0, 1].map(|a| 0.5 + 0.5 * random(a, k));
                [10.0 + 2.0 * u * last[0], -20.0 + 3.0 * v * last[1]]
            }),
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// Rasters of any size with any holes, scanned.
    #[test]
    fn any_raster(
        seed in 0u64..1000,
        size in [2usize..540, 2usize..40],
        is_upright in any::<bool>(),
        holes in 0.0f64..0.3,
    ) {
        let size = if is_upright { [size[1], size[0]] } else { size };
        let hole = |i: usize| random(seed, (i / 5 % 100) as u64) > 1.0 - holes;
        let height = |i: usize| if hole(i) { f64::NAN } else { 400.0 * random(seed + 1, i as u64) };
        let all: Vec<f32> = (0..size[0] * size[1]).map(|i| height(i) as f32).collect();
        let Ok(raster) = Raster::new(size, SPACING, [10.0, -20.0], all.clone()) else {
            return Ok(());
        };
        let Ok(memory) = RasterField::new(&raster) else { return Ok(()) };
        let folder = Folder::new();
        let reading = Reading { size: Some(size), ..reading() };
        let path = r32(&folder, &all);
        let (tiles, _) = RasterTiles::open(path, &reading, &Tiling::default()).unwrap();
        let last = size.map(|side| (side - 1) as f64);
        agree(&tiles, &memory, (0..1000).map(|k| {
            let [u, v] = [0, 1].map(|axis| 0.5 + 0.5 * random(seed + axis, k));
            [10.0 + SPACING[0] * u * last[0], -20.0 + SPACING[1] * v * last[1]]
        }));
    }
}

#[test]
fn any_order_and_any_budget() {
    let folder = Folder::new();
    let large = tiled(&folder, true, unbounded());
    let expected: Vec<_> = (0..300).map(|k| bits(large.sample(position(k)))).collect();
    // Backwards, with all tiles forgotten now and then.
    let other = tiled(&folder, true, unbounded());
    for k in (0..300).rev() {
        if k % 50 == 0 {
            other.reload();
        }
        assert_eq!(bits(other.sample(position(k))), expected[k as usize]);
    }
    // By threads, with a scan before.
    let shared = tiled(&folder, true, Tiling::default());
    thread::scope(|scope| {
        for thread in 0..8 {
            let (shared, expected) = (&shared, &expected);
            scope.spawn(move || {
                for k in 0..300 {
                    let k = (k * 7 + thread * 31) % 300;
                    assert_eq!(bits(shared.sample(position(k))), expected[k as usize]);
                }
            });
        }
    });
}
