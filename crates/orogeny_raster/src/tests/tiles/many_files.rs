//! Rasters of many files.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread;

use orogeny::Field;
use tiff::encoder::Compression;
use tiff::encoder::colortype::Gray32Float;

use super::{bits, unbounded};
use crate::tests::write::{Folder, HandTiff, Tags, tif};
use crate::{Placement, RasterTiles, Reading, Tiling};

/// A grid of GeoTIFFs in strips, of `size` samples each, 30 by 20 m apart. The height is the sum of
/// the column and the row.
fn grid(folder: &Folder, [across, down]: [usize; 2], size: [usize; 2]) -> Vec<PathBuf> {
    let file = |number: usize| {
        let first = [number % across * size[0], number / across * size[1]];
        let mut tags = Tags::projected();
        tags.tie[3] += 30.0 * first[0] as f64;
        tags.tie[4] -= 20.0 * first[1] as f64;
        let height = |k: usize| (first[0] + k % size[0] + first[1] + k / size[0]) as f32;
        let heights: Vec<f32> = (0..size[0] * size[1]).map(height).collect();
        let size = size.map(|side| side as u32);
        let bytes = tif::<Gray32Float>(size, &heights, &tags, Compression::Uncompressed);
        folder.file(&format!("{number}.tif"), &bytes)
    };
    (0..across * down).map(file).collect()
}

fn open(paths: &[PathBuf], tiling: &Tiling) -> RasterTiles {
    let reading = Reading { placement: Placement::Georeferenced, ..Reading::default() };
    let mut go = |_| ControlFlow::Continue(());
    RasterTiles::open_mosaic(paths, &reading, tiling, &mut go).unwrap().0
}

/// Each file has 240 kB of strips. Those of three files fit into the quarter of the budget, which
/// is 1 MiB, but those of one do not fit into an equal part of it for each file.
#[test]
fn all_files_share_the_budget() {
    let folder = Folder::new();
    let paths = grid(&folder, [1, 8], [600, 100]);
    let budget = 4 << 20;
    let tiles = open(&paths, &Tiling { budget, ..unbounded() });
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
    let tiles = open(&paths, &unbounded());
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
    let tiles = open(&paths, &unbounded());
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
    let size = [2048, 2048];
    let mut tiff = HandTiff::new(false, size.map(|side| side as u32), Some(16));
    for tile in 0..128 * 128 {
        let [x, z] = [tile % 128 * 16, tile / 128 * 16];
        let heights = (0..256).map(|k| (x + k % 16 + z + k / 16) as i16);
        tiff.chunks.push(heights.flat_map(i16::to_le_bytes).collect());
    }
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
