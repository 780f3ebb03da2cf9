//! Rasters and files that fit together.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;

use orogeny::Field;

use crate::tests::tiles::unbounded;
use crate::tests::write::{Folder, HandTiff, Tags, floats};
use crate::tests::{bits, georeferenced, random};
use crate::{Raster, RasterError, RasterField, RasterTiles, Reading, Report, Tiling};

/// 500 x 60 samples of a function, and parts of them.
fn part(first: [usize; 2], size: [usize; 2]) -> Vec<f32> {
    let height = |k: usize| {
        let [i, j] = [first[0] + k % size[0], first[1] + k / size[0]];
        (200.0 + 50.0 * (i as f64 / 9.0).sin() + 20.0 * random(j as u64, i as u64)) as f32
    };
    (0..size[0] * size[1]).map(height).collect()
}

/// The tags of a part, with steps of 30 by 20 m.
fn at(first: [usize; 2]) -> Tags {
    let mut tags = Tags::projected();
    tags.tie[3] += 30.0 * first[0] as f64;
    tags.tie[4] -= 20.0 * first[1] as f64;
    tags
}

/// A GeoTIFF of a part.
fn file(folder: &Folder, name: &str, first: [usize; 2], size: [usize; 2]) -> PathBuf {
    folder.file(name, &floats(size, &part(first, size), &at(first)))
}

/// A GeoTIFF of 12 x 9 samples of a height.
fn small(folder: &Folder, name: &str, tags: &Tags, height: f32) -> PathBuf {
    folder.file(name, &floats([12, 9], &[height; 108], tags))
}

fn open(
    paths: &[PathBuf],
    reading: &Reading,
    tiling: &Tiling,
) -> Result<(RasterTiles, Vec<Report>), RasterError> {
    RasterTiles::open_mosaic(paths, reading, tiling, &mut |_| ControlFlow::Continue(()))
}

fn raster(path: &Path) -> Raster {
    crate::read(path, &georeferenced()).unwrap().0
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
    let whole = raster(&whole);
    let rasters: Vec<_> = paths.iter().map(|path| raster(path)).collect();
    let together = Raster::mosaic(&rasters).unwrap();
    assert_eq!(together, whole);

    let (tiles, reports) = open(&paths, &georeferenced(), &Tiling::default()).unwrap();
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
    let error = |reading: &Reading, paths: &[PathBuf]| {
        open(paths, reading, &Tiling::default()).unwrap_err()
    };
    let found = error(&Reading::default(), &paths);
    assert!(matches!(found, RasterError::Setting { field: "placement", .. }), "{found}");
    assert!(matches!(error(&georeferenced(), &[]), RasterError::Mosaic(_)));
    let missing = [paths[0].clone(), folder.path().join("none.tif")];
    assert!(error(&georeferenced(), &missing).to_string().contains("none.tif"));
}

/// Neighbouring tiles of SRTM share a row of samples, and fit if one latitude is given.
#[test]
fn degrees_fit_with_one_latitude() {
    let folder = Folder::new();
    let bytes = vec![1; 1201 * 1201 * 2];
    let paths = ["N45E006.hgt", "N46E006.hgt"].map(|name| folder.file(name, &bytes));
    let error = open(&paths, &georeferenced(), &unbounded()).unwrap_err().to_string();
    assert!(error.contains("Reading::latitude"), "{error}");
    let reading = Reading { latitude: Some(46.0), ..georeferenced() };
    let (tiles, _) = open(&paths, &reading, &unbounded()).unwrap();
    assert_eq!(tiles.size(), [1201, 2401]);
    assert_eq!(tiles.value(tiles.corners()[1]), 257.0);
}

#[test]
fn tiles_across_the_antimeridian_are_neighbours() {
    let folder = Folder::new();
    let bytes = vec![1; 1201 * 1201 * 2];
    let paths = ["N00E179.hgt", "N00W180.hgt"].map(|name| folder.file(name, &bytes));
    for paths in [paths.to_vec(), paths.iter().rev().cloned().collect()] {
        let (tiles, _) = open(&paths, &georeferenced(), &unbounded()).unwrap();
        assert_eq!(tiles.size(), [2401, 1201]);
        // The first one stays where it is.
        let first = raster(&paths[0]);
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
                let tie = vec![0.0, 0.0, 0.0, west, 46.0, 0.0];
                let tags = Tags { scale: vec![0.1; 2], tie, ..Tags::degrees() };
                raster(&small(&folder, &format!("{k}.tif"), &tags, k as f32 + 1.0))
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
        small(&folder, name, &tags, 7.0)
    };
    let west = in_zone("west.tif", Some(32632));
    for (east, found) in [(Some(32633), "is in EPSG:32633"), (None, "is in degrees")] {
        let paths = [west.clone(), west.clone(), in_zone("east.tif", east)];
        let tiles = open(&paths, &georeferenced(), &Tiling::default());
        let error = Raster::mosaic(&paths.map(|path| raster(&path))).unwrap_err().to_string();
        assert!(error.contains("EPSG:32632") && error.contains(found), "{error}");
        let error = tiles.unwrap_err().to_string();
        assert!(error.contains("EPSG:32632") && error.contains(found), "{error}");
    }
    // Those of one do, and rasters that say none.
    let one = || raster(&west);
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
        small(&folder, name, &tags, 7.0)
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

/// A grid of GeoTIFFs in strips, of `size` samples each, 30 by 20 m apart. The height is the sum of
/// the column and the row.
fn grid(folder: &Folder, [across, down]: [usize; 2], size: [usize; 2]) -> Vec<PathBuf> {
    let file = |number: usize| {
        let first = [number % across * size[0], number / across * size[1]];
        let height = |k: usize| (first[0] + k % size[0] + first[1] + k / size[0]) as f32;
        let heights: Vec<f32> = (0..size[0] * size[1]).map(height).collect();
        folder.file(&format!("{number}.tif"), &floats(size, &heights, &at(first)))
    };
    (0..across * down).map(file).collect()
}

/// Each file has 240 kB of strips. Those of three files fit into the quarter of the budget, which
/// is 1 MiB, but those of one do not fit into an equal part of it for each file.
#[test]
fn all_files_share_the_budget() {
    let folder = Folder::new();
    let paths = grid(&folder, [1, 8], [600, 100]);
    let budget = 4 << 20;
    let tiling = Tiling { budget, ..unbounded() };
    let (tiles, _) = open(&paths, &georeferenced(), &tiling).unwrap();
    let [[x0, z0], _] = tiles.corners();
    let height = |column: f64, row: f64| tiles.value([x0 + 30.0 * column, z0 + 20.0 * row]);
    assert_eq!(height(100.0, 50.0), 150.0);
    // Its strips are unpacked whole, so other tiles do not read the files again.
    paths[..3].iter().for_each(|path| std::fs::write(path, []).unwrap());
    assert_eq!(height(400.0, 50.0), 450.0);
    assert!(tiles.take_errors().is_empty());
    for k in 0..60 {
        height(f64::from(k * 37 % 600), f64::from(250 + k * 31 % 500));
        assert!(tiles.memory() <= budget, "{}", tiles.memory());
    }
    assert!(tiles.memory() > budget / 2);
}

/// How many files of a folder this process has open.
#[cfg(target_os = "linux")]
fn open_files(folder: &Folder) -> usize {
    let all = std::fs::read_dir("/proc/self/fd").unwrap();
    let links = all.filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok());
    links.filter(|path| path.starts_with(folder.path())).count()
}

#[cfg(target_os = "linux")]
#[test]
fn few_files_stay_open() {
    let folder = Folder::new();
    let paths = grid(&folder, [10, 10], [20, 20]);
    let (tiles, _) = open(&paths, &georeferenced(), &unbounded()).unwrap();
    assert!(open_files(&folder) <= 64, "{}", open_files(&folder));
    let [_, end] = tiles.corners();
    // One tile reads all files.
    assert_eq!(tiles.value(end), 398.0);
    assert!((1..=64).contains(&open_files(&folder)), "{}", open_files(&folder));
    assert!(tiles.take_errors().is_empty());
}

/// A file that was closed is found to be gone or changed, and may come back.
#[test]
fn files_are_opened_again() {
    let folder = Folder::new();
    let paths = grid(&folder, [10, 10], [20, 20]);
    let originals: Vec<_> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
    let (tiles, _) = open(&paths, &georeferenced(), &unbounded()).unwrap();
    let [_, end] = tiles.corners();
    // The first file was closed, since others were opened after it.
    let error_of = |change: &dyn Fn()| {
        change();
        tiles.reload();
        assert!(tiles.value(end).is_nan());
        let text = tiles.take_errors()[0].to_string();
        assert!(text.contains("0.tif"), "{text}");
        text
    };
    let text =
        error_of(&|| std::fs::write(&paths[0], [&originals[0][..], b"more"].concat()).unwrap());
    assert!(text.contains("it has changed"), "{text}");
    error_of(&|| std::fs::remove_file(&paths[0]).unwrap());
    std::fs::write(&paths[0], &originals[0]).unwrap();
    tiles.reload();
    assert_eq!(tiles.value(end), 398.0);
}

/// A TIFF in tiles of 16 x 16, whose decoders are larger than their part of the budget: threads
/// wait for each other.
#[test]
fn decoders_stay_within_the_budget() {
    let folder = Folder::new();
    let tiff = HandTiff::of(false, [2048; 2], Some(16), |i, j| (i + j) as i16);
    let path = folder.file("a.tif", &tiff.bytes());
    let reading = Reading { spacing: Some([1.0; 2]), ..Reading::default() };
    let tiling = Tiling { budget: 4 << 20, ..unbounded() };
    let (tiles, _) = RasterTiles::open(&path, &reading, &tiling).unwrap();
    // One decoder takes 272 KiB, of which 256 KiB are within the budget.
    let most = tiling.budget + (16 << 10);
    let [[x0, z0], _] = tiles.corners();
    let at = |k: usize| [(k * 331 % 2000) as f64, (k * 577 % 2000) as f64];
    thread::scope(|scope| {
        for thread in 0..4 {
            let tiles = &tiles;
            scope.spawn(move || {
                for k in (thread..8).step_by(4) {
                    let [x, z] = at(k);
                    assert!((f64::from(tiles.value([x0 + x, z0 + z])) - x - z).abs() < 1e-3);
                    assert!(tiles.memory() <= most, "{}", tiles.memory());
                }
            });
        }
    });
    assert!(tiles.take_errors().is_empty());
    let [x, z] = at(5);
    let before = bits(tiles.sample([x0 + x, z0 + z]));
    tiles.reload();
    assert_eq!(bits(tiles.sample([x0 + x, z0 + z])), before);
}
