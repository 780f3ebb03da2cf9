//! Rasters and files that fit together.

use std::ops::ControlFlow;

use orogeny::Field;
use tiff::encoder::Compression;
use tiff::encoder::colortype::Gray32Float;

use crate::tests::random;
use crate::tests::write::{Folder, Tags, tif};
use crate::{Placement, Raster, RasterError, RasterField, RasterTiles, Reading, Tiling};

/// 500 x 60 samples of a function, and parts of them.
fn part(first: [usize; 2], size: [usize; 2]) -> Vec<f32> {
    let height = |k: usize| {
        let [i, j] = [first[0] + k % size[0], first[1] + k / size[0]];
        (200.0 + 50.0 * (i as f64 / 9.0).sin() + 20.0 * random(j as u64, i as u64)) as f32
    };
    (0..size[0] * size[1]).map(height).collect()
}

/// A GeoTIFF of a part, with steps of 30 by 20 m.
fn file(folder: &Folder, name: &str, first: [usize; 2], size: [usize; 2]) -> std::path::PathBuf {
    let mut tags = Tags::projected();
    tags.tie[3] += 30.0 * first[0] as f64;
    tags.tie[4] -= 20.0 * first[1] as f64;
    let heights = part(first, size);
    let size = size.map(|side| side as u32);
    folder.file(name, &tif::<Gray32Float>(size, &heights, &tags, Compression::Uncompressed))
}

fn georeferenced() -> Reading {
    Reading { placement: Placement::Georeferenced, ..Reading::default() }
}

#[test]
fn tiles_of_one_grid_are_the_whole() {
    let folder = Folder::new();
    let whole = file(&folder, "whole.tif", [0, 0], [500, 60]);
    // The second one overlaps the first, and the third one is the south.
    let paths = [
        file(&folder, "b.tif", [240, 0], [260, 40]),
        file(&folder, "a.tif", [0, 0], [250, 40]),
        file(&folder, "c.tif", [0, 40], [500, 20]),
    ];
    let (whole, _) = crate::read(whole, &georeferenced()).unwrap();
    let rasters: Vec<_> =
        paths.iter().map(|path| crate::read(path, &georeferenced()).unwrap().0).collect();
    let together = Raster::mosaic(&rasters).unwrap();
    assert_eq!(together, whole);

    let mut go = |_| ControlFlow::Continue(());
    let (tiles, reports) =
        RasterTiles::open_mosaic(&paths, &georeferenced(), &Tiling::default(), &mut go).unwrap();
    assert_eq!(reports.len(), 3);
    let memory = RasterField::new(&whole).unwrap();
    assert_eq!(tiles.corners(), memory.corners());
    let [[x0, z0], [x1, z1]] = tiles.corners();
    for k in 0..2000 {
        let [u, v] = [0, 1].map(|axis| 0.5 + 0.5 * random(axis, k));
        let p = [x0 + u * (x1 - x0), z0 + v * (z1 - z0)];
        let (found, exact) = (tiles.value(p), memory.value(p));
        assert!((found - exact).abs() < 1e-4, "{p:?} {found} {exact}");
    }
}

#[test]
fn gaps_have_no_data() {
    let new =
        |x: f64, height: f32| Raster::new([3, 3], [10.0; 2], [x, 0.0], vec![height; 9]).unwrap();
    let together = Raster::mosaic(&[new(50.0, 2.0), new(0.0, 1.0)]).unwrap();
    assert_eq!((together.size(), together.position()), ([8, 3], [0.0, 0.0]));
    let row: Vec<f32> = (0..8).map(|i| together.height(i, 1).unwrap()).collect();
    assert_eq!((&row[..3], &row[5..]), (&[1.0; 3][..], &[2.0; 3][..]));
    assert!(row[3].is_nan() && row[4].is_nan());
}

#[test]
fn what_does_not_fit_is_an_error() {
    let new = |spacing: f64, x: f64| Raster::new([3, 3], [spacing; 2], [x, 0.0], vec![1.0; 9]);
    let text = |rasters: &[Raster]| Raster::mosaic(rasters).unwrap_err().to_string();
    assert!(text(&[]).contains("no raster"));
    let one = new(10.0, 0.0).unwrap();
    let found = text(&[one.clone(), new(10.1, 30.0).unwrap()]);
    assert!(found.contains("raster 1") && found.contains("Reading::latitude"), "{found}");
    let found = text(&[one.clone(), new(10.0, 33.0).unwrap()]);
    assert!(found.contains("3.300 by 0.000 samples"), "{found}");
    // Too far away for one raster, and for any.
    assert!(text(&[one.clone(), new(10.0, 1e6).unwrap()]).contains("each side"));
    assert!(text(&[new(1e-3, 0.0).unwrap(), new(1e-3, 1e9).unwrap()]).contains("samples from"));

    let folder = Folder::new();
    let paths = ["a.tif", "b.tif"].map(|name| file(&folder, name, [0, 0], [20, 20]));
    let mut go = |_| ControlFlow::Continue(());
    let mut open = |reading: &Reading, paths: &[std::path::PathBuf]| {
        RasterTiles::open_mosaic(paths, reading, &Tiling::default(), &mut go).unwrap_err()
    };
    let error = open(&Reading::default(), &paths);
    assert!(matches!(error, RasterError::Setting { field: "placement", .. }), "{error}");
    assert!(matches!(open(&georeferenced(), &[]), RasterError::Mosaic(_)));
    let missing = [paths[0].clone(), folder.path().join("none.tif")];
    assert!(open(&georeferenced(), &missing).to_string().contains("none.tif"));
}

/// Neighbouring tiles of SRTM share a row of samples, and fit if one latitude is given.
#[test]
fn degrees_fit_with_one_latitude() {
    let folder = Folder::new();
    let bytes = vec![1; 1201 * 1201 * 2];
    let paths = ["N45E006.hgt", "N46E006.hgt"].map(|name| folder.file(name, &bytes));
    let tiling = super::tiles::unbounded();
    let mut go = |_| ControlFlow::Continue(());
    let mut open = |reading: &Reading| RasterTiles::open_mosaic(&paths, reading, &tiling, &mut go);
    let error = open(&georeferenced()).unwrap_err().to_string();
    assert!(error.contains("Reading::latitude"), "{error}");
    let reading = Reading { latitude: Some(46.0), ..georeferenced() };
    let (tiles, _) = open(&reading).unwrap();
    assert_eq!(tiles.size(), [1201, 2401]);
    assert_eq!(tiles.value(tiles.corners()[1]), 257.0);
}

/// A GeoTIFF of 12 x 9 samples of a height, one degree apart.
fn degree_file(folder: &Folder, name: &str, west: f64, height: f32) -> std::path::PathBuf {
    let mut tags = Tags::degrees();
    (tags.scale[0], tags.scale[1], tags.tie[3], tags.tie[4]) = (0.1, 0.1, west, 46.0);
    folder
        .file(name, &tif::<Gray32Float>([12, 9], &[height; 108], &tags, Compression::Uncompressed))
}

#[test]
fn tiles_across_the_antimeridian_are_neighbours() {
    let folder = Folder::new();
    let bytes = vec![1; 1201 * 1201 * 2];
    let paths = ["N00E179.hgt", "N00W180.hgt"].map(|name| folder.file(name, &bytes));
    let tiling = super::tiles::unbounded();
    let mut go = |_| ControlFlow::Continue(());
    let mut open = |paths: &[_]| {
        RasterTiles::open_mosaic(paths, &georeferenced(), &tiling, &mut go).unwrap().0
    };
    for paths in [paths.to_vec(), paths.iter().rev().cloned().collect()] {
        let tiles = open(&paths);
        assert_eq!(tiles.size(), [2401, 1201]);
        // The first one stays where it is.
        let (first, _) = crate::read(&paths[0], &georeferenced()).unwrap();
        let [[x0, _], [x1, _]] = tiles.corners();
        let [[a, _], [b, _]] = first.corners();
        assert!((x0 - a).abs().min((x1 - b).abs()) < 1e-6, "{x0} {x1} {a} {b}");
        assert_eq!(tiles.value([(x0 + x1) / 2.0, tiles.corners()[0][1] + 10.0]), 257.0);
    }

    // In memory, too, in any order and with a gap, and without where there is no need.
    for (wests, columns) in [
        (vec![178.8, -180.0], 24),
        (vec![-180.0, 178.8], 24),
        (vec![-178.8, 178.8, -180.0], 36),
        (vec![177.6, -180.0], 36),
        (vec![181.2, -180.0, 178.8], 36),
        (vec![-100.8, -96.0], 60),
        (vec![0.0, -96.0, 96.0], 1932),
    ] {
        let rasters: Vec<Raster> = wests
            .iter()
            .enumerate()
            .map(|(k, &west)| {
                let path = degree_file(&folder, &format!("{k}.tif"), west, k as f32 + 1.0);
                crate::read(path, &georeferenced()).unwrap().0
            })
            .collect();
        let whole = Raster::mosaic(&rasters).unwrap();
        assert_eq!(whole.size(), [columns, 9], "{wests:?}");
        let column = (rasters[0].position()[0] - whole.position()[0]) / whole.spacing()[0];
        assert!((column - column.round()).abs() < 1e-6 && column > -1e-6, "{wests:?} {column}");
        assert_eq!(whole.height(column.round() as usize, 4), Some(1.0));
    }
}

/// Their coordinates would fit.
#[test]
fn tiles_of_several_projections_do_not_fit() {
    let folder = Folder::new();
    let in_zone = |name: &str, code: Option<u16>| {
        let tags = code.map_or_else(Tags::degrees, |code| Tags::projected().with_key(3072, code));
        let bytes = tif::<Gray32Float>([12, 9], &[7.0; 108], &tags, Compression::Uncompressed);
        folder.file(name, &bytes)
    };
    let west = in_zone("west.tif", Some(32632));
    for (east, found) in [(Some(32633), "is in EPSG:32633"), (None, "is in degrees")] {
        let paths = [west.clone(), west.clone(), in_zone("east.tif", east)];
        let mut go = |_| ControlFlow::Continue(());
        let tiles = RasterTiles::open_mosaic(&paths, &georeferenced(), &Tiling::default(), &mut go);
        let read = |path| crate::read(path, &georeferenced()).unwrap().0;
        let error = Raster::mosaic(&paths.map(read)).unwrap_err().to_string();
        assert!(error.contains("EPSG:32632") && error.contains(found), "{error}");
        let error = tiles.unwrap_err().to_string();
        assert!(error.contains("EPSG:32632") && error.contains(found), "{error}");
    }
    // Those of one do, and rasters that say none.
    let one = || crate::read(&west, &georeferenced()).unwrap().0;
    let moved = one().at([one().position()[0] + 360.0, one().position()[1]]).unwrap();
    assert_eq!(Raster::mosaic(&[one(), moved]).unwrap().size(), [24, 9]);
}

/// Tiles in Web Mercator, each of which would have its own scale.
#[test]
fn tiles_with_one_given_spacing_fit() {
    let folder = Folder::new();
    let tile = |name: &str, north: f64| {
        let mut tags = Tags::projected().with_key(3072, 3857);
        (tags.scale, tags.tie[4]) = (vec![30.0, 30.0, 0.0], north);
        folder
            .file(name, &tif::<Gray32Float>([12, 9], &[7.0; 108], &tags, Compression::Uncompressed))
    };
    let paths = [tile("north.tif", 6_000_270.0), tile("south.tif", 6_000_000.0)];
    let read = |reading: &Reading| {
        let rasters = [0, 1].map(|k| crate::read(&paths[k], reading).unwrap().0);
        Raster::mosaic(&rasters)
    };
    let error = read(&georeferenced()).unwrap_err().to_string();
    assert!(error.contains("with the same Reading::spacing"), "{error}");
    let whole = read(&Reading { spacing: Some([20.5; 2]), ..georeferenced() }).unwrap();
    assert_eq!((whole.size(), whole.spacing()), ([12, 18], [20.5; 2]));
}
