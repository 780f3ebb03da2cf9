//! Files that are cut, or of which a byte is changed: they give an error or a raster, never a
//! panic, and reserve no more memory than their length allows.

use orogeny::Field;
use png::{BitDepth, ColorType};
use tiff::encoder::colortype::{Gray32Float, GrayI16, RGB8};
use tiff::encoder::{Compression, DeflateLevel};

use crate::tests::random;
use crate::tests::write::{Folder, HandTiff, Tags, png, tif};
use crate::{RasterField, RasterTiles, Reading, read, read_weights};

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let tags = Tags {
        no_data: Some("-9999"),
        metadata: Some("<Item role=\"scale\">0.5</Item>"),
        ..Tags::projected()
    };
    let size = [12, 9];
    let floats: Vec<f32> = (0..108).map(|i| (i * 7 % 50) as f32).collect();
    let integers: Vec<i16> = (0..108).map(|i| i * 7 % 50).collect();
    let deflate = Compression::Deflate(DeflateLevel::Balanced);
    let mut tiled = HandTiff::new(true, [20, 20], Some(16));
    for _ in 0..4 {
        tiled.chunks.push((0..256).flat_map(|i: i16| i.to_be_bytes()).collect());
    }
    let data: Vec<u8> = (0..200).map(|i| i as u8).collect();
    vec![
        ("plain.tif", tif::<Gray32Float>(size, &floats, &tags, Compression::Uncompressed)),
        ("deflate.tif", tif::<Gray32Float>(size, &floats, &tags, deflate)),
        ("lzw.tif", tif::<GrayI16>(size, &integers, &Tags::degrees(), Compression::Lzw)),
        ("packbits.tif", tif::<GrayI16>(size, &integers, &tags, Compression::Packbits)),
        ("tiled.tif", tiled.bytes()),
        ("gdal.tif", include_bytes!("files/lzw_tiles.tif").to_vec()),
        ("gdal64.tif", include_bytes!("files/predictor3_bigtiff.tif").to_vec()),
        ("mask.tif", include_bytes!("odd_files/mask_tiles.tif").to_vec()),
        ("mask64.tif", include_bytes!("odd_files/mask_big.tif").to_vec()),
        ("items.tif", include_bytes!("odd_files/items.tif").to_vec()),
        ("plain.exr", super::exr::by_hand([12, 9], 2, 0)),
        ("zip.exr", super::exr::packed(exr::prelude::Compression::ZIP16)),
        ("piz.exr", super::exr::packed(exr::prelude::Compression::PIZ)),
        ("rgb.tif", tif::<RGB8>([12, 9], &[70; 324], &tags, Compression::Lzw)),
        ("rgb.png", png([8, 8], ColorType::Rgb, BitDepth::Eight, &data[..192])),
        ("grey.png", png([10, 10], ColorType::Grayscale, BitDepth::Sixteen, &data)),
    ]
}

/// Reads the bytes under a name and uses what was read.
fn attempt(folder: &Folder, name: &str, bytes: &[u8]) -> bool {
    let reading = Reading {
        height_scale: Some(1.0),
        spacing: Some([10.0, 10.0]),
        allow_8_bit: true,
        ..Reading::default()
    };
    // A new file: ext4 writes one that is truncated to the disk at once.
    drop(std::fs::remove_file(folder.path().join(name)));
    let path = folder.file(name, bytes);
    let mut is_read = false;
    let memory = allocation_counter::measure(|| {
        is_read |= name.starts_with("rgb") && read_weights(&path, &reading).is_ok();
        if let Ok((raster, report)) = read(&path, &reading) {
            is_read = true;
            drop(report.to_string());
            // Larger ones take long without optimisation.
            if raster.heights().len() < 10_000 {
                drop(RasterField::new(&raster));
            }
        }
        let tiling = super::tiles::unbounded();
        if let Ok((tiles, _)) = RasterTiles::open(&path, &reading, &tiling) {
            let [first, last] = tiles.corners();
            for p in [first, last, [1.0, 2.0]] {
                tiles.value(p);
            }
            drop(tiles.take_errors());
        }
        // Without what the caller adds, the place must come from the file.
        drop(read(&path, &Reading::default()));
    });
    let most = (bytes.len() as u64 + 4096) * 1500 * 4;
    assert!(memory.bytes_max < most, "{name} takes {} bytes", memory.bytes_max);
    is_read
}

#[test]
fn cut_files_are_errors() {
    let folder = Folder::new();
    for (name, bytes) in files() {
        assert!(attempt(&folder, name, &bytes), "{name}");
        let mut read = 0;
        // All cuts of the header and of the directory, and some of the data between.
        let cuts =
            (0..bytes.len()).filter(|len| *len < 300 || bytes.len() - len < 300 || len % 5 == 0);
        for len in cuts {
            read += usize::from(attempt(&folder, name, &bytes[..len]));
        }
        // The last bytes of a PNG are those of its end.
        let most = if name.ends_with("png") { 16 } else { 4 };
        assert!(read <= most, "{name}: {read} cut files are read");
    }
}

#[test]
fn changed_bytes_do_not_panic() {
    let folder = Folder::new();
    for (name, bytes) in files() {
        for k in 0..300 {
            let mut changed = bytes.clone();
            for i in 0..1 + k % 3 {
                let index = ((random(k, 2 * i) * 0.5 + 0.5) * bytes.len() as f64) as usize;
                let value = match k % 4 {
                    0 => 0xFF,
                    1 => 0,
                    _ => (random(k, 2 * i + 1) * 128.0 + 128.0) as u8,
                };
                changed[index.min(bytes.len() - 1)] = value;
            }
            attempt(&folder, name, &changed);
        }
    }
}
