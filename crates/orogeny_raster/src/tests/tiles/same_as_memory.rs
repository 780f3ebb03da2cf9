//! Tiles have the values of the whole raster in memory, for all formats.

use orogeny::{Field, Grid, Samples};
use proptest::prelude::*;
use tiff::encoder::colortype::{Gray32Float, GrayI16};
use tiff::encoder::{Compression, DeflateLevel};

use super::{SIZE, SPACING, bits, heights, position, r32, raster, reading, tiled, unbounded};
use crate::tests::random;
use crate::tests::write::{Folder, HandTiff, Tags, tif};
use crate::{ByteOrder, Raster, RasterField, RasterTiles, Reading, Tiling};

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
    let mut floats = heights(true);
    floats.iter_mut().for_each(|h| *h = if h.is_nan() { -9999.0 } else { *h });
    let tags = Tags { no_data: Some("-9999"), ..Tags::projected() };
    let deflate = Compression::Deflate(DeflateLevel::Fast);
    let integers: Vec<i16> = floats.iter().map(|&h| h as i16).collect();
    // In tiles of 64 x 64, of which some reach beyond the image.
    let mut tiled = HandTiff::new(true, size, Some(64));
    for tile in 0..10 * 5 {
        let [x, z] = [tile % 10 * 64, tile / 10 * 64];
        let at = |k: usize| [(x + k % 64).min(SIZE[0] - 1), (z + k / 64).min(SIZE[1] - 1)];
        let bytes = (0..64 * 64).map(at).flat_map(|[i, j]| integers[j * SIZE[0] + i].to_be_bytes());
        let bytes = bytes.collect();
        tiled.chunks.push(bytes);
    }
    for (name, bytes) in [
        ("plain.tif", tif::<Gray32Float>(size, &floats, &tags, Compression::Uncompressed)),
        ("deflate.tif", tif::<Gray32Float>(size, &floats, &tags, deflate)),
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
    let (mut samples, mut values) = (Samples::new(), Samples::values_only());
    for (spacing, size) in
        [([1.3, 0.9], [200, 40]), ([17.0, -31.0], [90, 30]), ([700.0, 1.0], [2, 3])]
    {
        let grid = Grid { spacing, ..Grid::new([450.1, 700.3], 1.0, size) };
        tiles.sample_grid(&grid, &mut samples);
        tiles.sample_grid(&grid, &mut values);
        let points: Vec<_> = grid.points().collect();
        let mut scattered = Samples::new();
        tiles.sample_points(&points, &mut scattered);
        for (i, &p) in points.iter().enumerate() {
            assert_eq!(bits(samples.get(i)), bits(tiles.sample(p)), "{p:?}");
            assert_eq!(bits(samples.get(i)), bits(scattered.get(i)), "{p:?}");
            assert_eq!(bits(samples.get(i)), bits(tiles.jet(p).sample), "{p:?}");
            assert_eq!(values.values()[i].to_bits(), tiles.value(p).to_bits(), "{p:?}");
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
