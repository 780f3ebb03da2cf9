//! Scans of rasters in tiles, their bounds and budget, and tiles that cannot be read.

use std::ops::ControlFlow;

use orogeny::{Bounds, Field, Grid, Samples};
use png::{BitDepth, ColorType};
use tiff::encoder::colortype::Gray32Float;
use tiff::encoder::{Compression, DeflateLevel};

use crate::tests::assert_bounds;
use crate::tests::tiles::{SPACING, heights, position, r32, raster, reading, tiled, unbounded};
use crate::tests::write::{Folder, HandTiff, Tags, floats, png, tif};
use crate::{
    MAX_SAMPLES, Placement, RasterError, RasterField, RasterTiles, Reading, TileBounds, Tiling,
    Warning, inspect,
};

/// How raw files of any size are read.
fn square() -> Reading {
    Reading { size: None, ..reading() }
}

#[test]
fn a_scan_finds_those_of_the_raster_in_memory() {
    let folder = Folder::new();
    for has_holes in [false, true] {
        let tiles = tiled(&folder, has_holes, Tiling::default());
        let memory = RasterField::new(&raster(has_holes)).unwrap();
        let (found, exact) = (tiles.bounds(), memory.bounds());
        let is_near = |a: f64, b: f64| (a - b).abs() <= 1e-5 * b.abs();
        assert!(is_near(found.min, exact.min) && is_near(found.max, exact.max), "{found:?}");
        // A deep hole would raise the Lipschitz constant; these are none.
        assert!(is_near(found.lipschitz, exact.lipschitz), "{found:?} {exact:?}");
        assert!(is_near(found.curvature, exact.curvature), "{found:?} {exact:?}");
        for (k, radius) in (0..150).zip([0.0, 1.0, 4.0, 10.0, 60.0, 300.0].into_iter().cycle()) {
            let p = position(k);
            let (near, all) = (tiles.local_bounds(p, radius), found);
            if !tiles.value(p).is_nan() {
                assert!(near.min >= all.min && near.max <= all.max, "{near:?}");
                assert!(near.lipschitz <= all.lipschitz && near.curvature <= all.curvature);
            }
            assert_bounds(&tiles, (p, radius), k, 40, 1e-5);
        }
    }
}

/// Two plains, 100 m apart in height, with a hole of 80 cells between them: no tile knows how the
/// other fills it, but a line across keeps the Lipschitz constant.
#[test]
fn lines_across_large_holes_keep_the_lipschitz_constant() {
    let folder = Folder::new();
    let height = |i: usize| match i % 600 {
        ..220 => 0.0,
        300.. => 100.0,
        _ => f32::NAN,
    };
    let heights: Vec<f32> = (0..600 * 300).map(height).collect();
    let (tiles, _) =
        RasterTiles::open(r32(&folder, &heights), &reading(), &Tiling::default()).unwrap();
    let ends = [10.0 + 2.0 * 217.0, 10.0 + 2.0 * 302.0];
    let [low, high] = ends.map(|x| f64::from(tiles.value([x, 100.0])));
    let slope = (high - low) / (ends[1] - ends[0]);
    assert!((slope - 100.0 / 170.0).abs() < 0.01, "{slope}");
    assert!(tiles.bounds().lipschitz >= slope);
    let p = [ends[0], 100.0];
    assert!(tiles.local_bounds(p, 200.0).lipschitz >= slope);
}

#[test]
fn given_bounds_hold() {
    let folder = Folder::new();
    let mut all = heights(false);
    // A peak in the first tile.
    all[50 * 600 + 50] = 5000.0;
    let given = Bounds { min: 0.0, max: 1000.0, lipschitz: 20.0, curvature: 50.0 };
    let tiling = Tiling { bounds: TileBounds::Given(given), ..Tiling::default() };
    let (tiles, _) = RasterTiles::open(r32(&folder, &all), &reading(), &tiling).unwrap();
    assert_eq!(tiles.bounds(), given);
    assert!(tiles.value([20.0, 0.0]).is_nan() && tiles.value([400.0, 100.0]).is_nan());
    assert!(tiles.value([1000.0, 100.0]).is_finite());
    let errors = tiles.take_errors();
    let text = errors[0].to_string();
    assert!(errors.len() == 1 && text.contains("column 0, row 0"), "{errors:?}");
    assert!(text.contains("Tiling::bounds") && text.contains("50"), "{text}");
    assert_eq!(tiles.local_bounds([1000.0, 100.0], 500.0), given);
    for bad in [Bounds { min: 2.0, max: 1.0, ..given }, Bounds { lipschitz: f64::NAN, ..given }] {
        let tiling = Tiling { bounds: TileBounds::Given(bad), ..Tiling::default() };
        let error = RasterTiles::open(r32(&folder, &all), &reading(), &tiling).unwrap_err();
        assert!(error.to_string().contains("Tiling::bounds"), "{error}");
    }
}

#[test]
fn a_scan_reports_progress_and_can_be_cancelled() {
    let folder = Folder::new();
    let paths = [r32(&folder, &heights(false))];
    let mut seen = Vec::new();
    let mut all = |part| {
        seen.push(part);
        ControlFlow::Continue(())
    };
    RasterTiles::open_mosaic(&paths, &reading(), &Tiling::default(), &mut all).unwrap();
    assert_eq!(seen.len(), 6);
    assert!(seen.is_sorted() && seen[5] == 1.0);
    let mut stop = |_| ControlFlow::Break(());
    let outcome = RasterTiles::open_mosaic(&paths, &reading(), &Tiling::default(), &mut stop);
    assert!(matches!(outcome, Err(RasterError::Cancelled)));
    // Nothing is written beside the file.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn far_points_show_means() {
    let tiles = tiled(&Folder::new(), true, Tiling::default());
    assert!(tiles.sparse(30.0).is_none() && tiles.sparse(f64::NAN).is_none());
    assert!(tiled(&Folder::new(), true, unbounded()).sparse(1e4).is_none());
    let far = tiles.sparse(32.0 * SPACING[1]).unwrap();
    // The same rectangle.
    for p in [tiles.corners()[0], tiles.corners()[1]] {
        assert!(far.value(p).is_finite(), "{p:?}");
    }
    for k in 0..300 {
        let p = position(k);
        let (found, exact) = (far.value(p), tiles.value(p));
        // Hills are 120 samples long, and smooth over 32 of them.
        assert!(exact.is_nan() || (found - exact).abs() < 60.0, "{p:?} {found} {exact}");
    }
}

/// Of a plane, the means are the plane.
#[test]
fn means_of_a_plane_are_the_plane() {
    let folder = Folder::new();
    let size = [65, 129];
    let plane = |i: usize| (i % 65) as f32 + 2.0 * (i / 65) as f32;
    let heights: Vec<f32> = (0..65 * 129).map(plane).collect();
    let reading = Reading { size: Some(size), spacing: Some([1.0; 2]), ..reading() };
    let path = r32(&folder, &heights);
    let (tiles, _) = RasterTiles::open(path, &reading, &Tiling::default()).unwrap();
    let far = tiles.sparse(32.0).unwrap();
    for [i, j] in [[1, 1], [1, 2], [1, 3]] {
        let p = [10.0 + 32.0 * f64::from(i), -20.0 + 32.0 * f64::from(j)];
        let (found, exact) = (far.value(p), tiles.value(p));
        // 32 samples around a node have their middle half a sample beside it.
        assert!((found - exact).abs() < 2.0, "{found} {exact}");
    }
}

/// A plain has one height, no slope, and an overview of that height.
#[test]
fn plains_are_plain() {
    let folder = Folder::new();
    let path = r32(&folder, &[7.5; 600 * 300]);
    let (tiles, _) = RasterTiles::open(path, &reading(), &Tiling::default()).unwrap();
    assert_eq!(tiles.bounds(), Bounds::constant(7.5));
    let overview = tiles.overview().unwrap();
    assert!(overview.is_whole.iter().all(|&is| is) && overview.slopes.iter().all(|&s| s == 0.0));
    let far = tiles.sparse(200.0).unwrap();
    (0..100).for_each(|k| assert!((far.value(position(k)) - 7.5).abs() < 1e-5));
    (0..100).for_each(|k| assert_eq!(tiles.value(position(k)), 7.5));
}

/// A raster of 64 MB, of zeros: a file of which no byte is written.
#[test]
fn memory_stays_within_the_budget() {
    let folder = Folder::new();
    let path = folder.zeros("a.r32", 4000 * 4000 * 4);
    let reading = Reading { placement: Placement::Centred, ..square() };
    let budget = 4 << 20;
    let tiling = Tiling { budget, ..unbounded() };
    let peak = allocation_counter::measure(|| {
        let (tiles, _) = RasterTiles::open(&path, &reading, &tiling).unwrap();
        let mut samples = Samples::new();
        for k in 0..60 {
            let corner = [-3900.0 + 120.0 * f64::from(k), -5900.0 + 190.0 * f64::from(k)];
            tiles.sample_grid(&Grid::new(corner, 4.0, [65; 2]), &mut samples);
            assert!(samples.iter().all(|s| s.value == 0.0));
            assert!(tiles.memory() <= budget, "{}", tiles.memory());
        }
        assert!(tiles.memory() > budget / 2);
    });
    // Tiles, what a thread needs meanwhile, and up to 8 tiles in use.
    assert!(peak.bytes_max < budget as u64 + (6 << 20), "{}", peak.bytes_max);
}

/// What a scan leaves in memory is what the documentation says.
#[test]
fn a_scan_takes_a_byte_for_33_samples() {
    let folder = Folder::new();
    let samples = 4001 * 4001;
    let path = folder.zeros("a.r16", samples * 2);
    let (tiles, _) = RasterTiles::open(&path, &square(), &Tiling::default()).unwrap();
    assert!(tiles.sparse(1000.0).is_some());
    // Other threads take part in the scan, but this one frees what is left.
    let freed = -allocation_counter::measure(|| drop(tiles)).bytes_current;
    let ratio = samples as f64 / freed as f64;
    assert!((32.0..34.0).contains(&ratio), "{ratio}");
}

#[test]
fn a_tiny_budget_is_an_error() {
    let tiling = Tiling { budget: 1000, ..Tiling::default() };
    let error = RasterTiles::open("a.r32", &Reading::default(), &tiling).unwrap_err();
    assert!(error.to_string().contains("Tiling::budget"), "{error}");
}

#[test]
fn a_file_that_is_cut_later_has_holes() {
    let folder = Folder::new();
    let path = r32(&folder, &heights(false));
    let (tiles, _) = RasterTiles::open(&path, &reading(), &unbounded()).unwrap();
    let (north, south) = ([100.0, 0.0], [100.0, 850.0]);
    let before = tiles.value(north);
    assert!(before.is_finite());
    r32(&folder, &heights(false)[..600 * 295]);
    assert_eq!(tiles.value(north).to_bits(), before.to_bits());
    assert!(tiles.value(south).is_nan() && tiles.sample(south).gradient[0].is_nan());
    assert_eq!(tiles.local_bounds(south, 10.0), Bounds::UNKNOWN);
    let errors = tiles.take_errors();
    assert!(matches!(errors[..], [RasterError::File { .. }]), "{errors:?}");
    assert!(matches!(errors[0].problem(), RasterError::Io(_)), "{errors:?}");
    assert!(errors[0].to_string().contains("a.r32"), "{errors:?}");
    assert!(tiles.take_errors().is_empty());
    r32(&folder, &heights(false));
    assert!(tiles.value(south).is_nan());
    tiles.reload();
    assert!(tiles.value(south).is_finite());
    assert_eq!(tiles.value(north).to_bits(), before.to_bits());
}

#[test]
fn a_damaged_strip_is_a_hole() {
    let folder = Folder::new();
    let deflate = Compression::Deflate(DeflateLevel::Fast);
    let mut bytes = tif::<Gray32Float>([600, 300], &heights(false), &Tags::projected(), deflate);
    // The strips are before the directory.
    bytes[1000..1100].fill(0xFF);
    let path = folder.file("a.tif", &bytes);
    let (tiles, _) = RasterTiles::open(&path, &Reading::default(), &unbounded()).unwrap();
    let [[x0, z0], [_, z1]] = tiles.corners();
    assert!(tiles.value([x0 + 100.0, z0 + 100.0]).is_nan());
    assert!(tiles.value([x0 + 100.0, z1 - 100.0]).is_finite());
    let errors = tiles.take_errors();
    assert!(!errors.is_empty() && errors[0].to_string().contains("damaged"), "{errors:?}");
    // A scan would not have opened it.
    let error = RasterTiles::open(&path, &Reading::default(), &Tiling::default()).unwrap_err();
    assert!(error.to_string().contains("damaged"), "{error}");
}

#[test]
fn an_absurd_height_is_a_hole() {
    let folder = Folder::new();
    let mut all = heights(false);
    all[10 * 600 + 10] = f32::INFINITY;
    let path = r32(&folder, &all);
    let (tiles, _) = RasterTiles::open(&path, &reading(), &unbounded()).unwrap();
    assert!(tiles.value([30.0, 0.0]).is_nan());
    let text = tiles.take_errors()[0].to_string();
    assert!(text.contains("column 10, row 10") && text.contains("no_data"), "{text}");
    assert!(RasterTiles::open(&path, &reading(), &Tiling::default()).is_err());
    let path = r32(&folder, &[f32::NAN; 600 * 300]);
    let error = RasterTiles::open(&path, &reading(), &Tiling::default()).unwrap_err();
    assert!(error.to_string().contains("no sample"), "{error}");
}

#[test]
fn what_cannot_be_read_in_tiles_is_said() {
    let folder = Folder::new();
    let grey = png([2, 2], ColorType::Grayscale, BitDepth::Sixteen, &[0; 8]);
    let error = RasterTiles::open(folder.file("a.png", &grey), &reading(), &unbounded());
    let text = error.unwrap_err().to_string();
    assert!(text.contains("a.png") && text.contains("read whole"), "{text}");
    assert!(text.contains(&MAX_SAMPLES.to_string()), "{text}");

    // One strip of 128 MB.
    let mut strip = HandTiff::new(false, [8192, 8192], None);
    strip.set(273, 8).set(279, 8192 * 8192 * 2);
    let path = folder.file("a.tif", &strip.bytes());
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(8192 * 8192 * 2 + 4096).unwrap();
    let reading = Reading { spacing: Some([1.0; 2]), ..Reading::default() };
    let text = RasterTiles::open(&path, &reading, &unbounded()).unwrap_err().to_string();
    assert!(text.contains("16777216 samples") && text.contains("TILED=YES"), "{text}");

    // Strips of 400 rows of 1000 samples are more than a quarter of 4 MiB.
    let wide = floats([1000, 400], &[1.0; 400_000], &Tags::projected());
    let path = folder.file("wide.tif", &wide);
    let tiling = Tiling { budget: 4 << 20, ..unbounded() };
    let text = RasterTiles::open(&path, &reading, &tiling).unwrap_err().to_string();
    assert!(text.contains("Tiling::budget") && text.contains("TILED=YES"), "{text}");
    assert!(RasterTiles::open(&path, &reading, &unbounded()).is_ok());

    let text = RasterTiles::open(folder.file("a.r32", &[0; 16]), &Reading::default(), &unbounded());
    assert!(text.unwrap_err().to_string().contains("Reading::byte_order"));
}

/// The report of a file of 4 GB, of which no byte is written, needs no scan.
#[test]
fn a_file_larger_than_memory_is_inspected() {
    let folder = Folder::new();
    let path = folder.zeros("a.r16", 2 * 46_000 * 46_000);
    let reading = square();
    let report = inspect(&path, &reading).unwrap();
    assert_eq!(report.size, [46_000; 2]);
    assert!(report.warnings.contains(&Warning::LargerThanMemory), "{report}");
    assert!(report.to_string().contains("read         in tiles"), "{report}");
    let text = crate::read(&path, &reading).unwrap_err().to_string();
    assert!(text.contains("each side must have 2 to 16384"), "{text}");
    let (tiles, _) = RasterTiles::open(&path, &reading, &unbounded()).unwrap();
    assert_eq!(tiles.value(tiles.corners()[1]), 0.0);
}
