//! Tiles that cannot be read, and files that are no rasters in tiles.

use orogeny::Field;
use png::{BitDepth, ColorType};

use super::{heights, r32, reading, unbounded};
use crate::tests::write::{Folder, HandTiff, Tags, png, tif};
use crate::{RasterError, RasterTiles, Reading, Tiling, inspect};

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
    assert_eq!(tiles.local_bounds(south, 10.0), orogeny::Bounds::UNKNOWN);
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
    let deflate = tiff::encoder::Compression::Deflate(tiff::encoder::DeflateLevel::Fast);
    type Gray = tiff::encoder::colortype::Gray32Float;
    let mut bytes = tif::<Gray>([600, 300], &heights(false), &Tags::projected(), deflate);
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
    assert!(text.contains(&crate::MAX_SAMPLES.to_string()), "{text}");

    // One strip of 128 MB.
    let path = folder.file("a.tif", &[]);
    let mut strip = HandTiff::new(false, [8192, 8192], None);
    strip.set(273, 8).set(279, 8192 * 8192 * 2);
    let bytes = strip.bytes();
    std::fs::write(&path, &bytes).unwrap();
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(8192 * 8192 * 2 + 4096).unwrap();
    let reading = Reading { spacing: Some([1.0; 2]), ..Reading::default() };
    let text = RasterTiles::open(&path, &reading, &unbounded()).unwrap_err().to_string();
    assert!(text.contains("16777216 samples") && text.contains("TILED=YES"), "{text}");

    // Strips of 400 rows of 1000 samples are more than a quarter of 4 MiB.
    type Gray = tiff::encoder::colortype::Gray32Float;
    let plain = tiff::encoder::Compression::Uncompressed;
    let wide = tif::<Gray>([1000, 400], &[1.0; 400_000], &Tags::projected(), plain);
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
    let path = folder.file("a.r16", &[]);
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(2 * 46_000 * 46_000).unwrap();
    let reading = Reading { size: None, ..reading() };
    let report = inspect(&path, &reading).unwrap();
    assert_eq!(report.size, [46_000; 2]);
    assert!(report.warnings.contains(&crate::Warning::LargerThanMemory), "{report}");
    assert!(report.to_string().contains("read         in tiles"), "{report}");
    let text = crate::read(&path, &reading).unwrap_err().to_string();
    assert!(text.contains("each side must have 2 to 16384"), "{text}");
    let (tiles, _) = RasterTiles::open(&path, &reading, &unbounded()).unwrap();
    assert_eq!(tiles.value(tiles.corners()[1]), 0.0);
}
