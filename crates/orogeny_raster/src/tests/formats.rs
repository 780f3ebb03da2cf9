//! SRTM, PNG, Terrarium, raw files and OpenEXR.

use exr::prelude::{Compression, FlatSamples, f16};
use png::{BitDepth, ColorType};

use crate::tests::georeferenced;
use crate::tests::write::{Folder, exr, exr_by_hand, png};
use crate::{ByteOrder, Format, RasterError, Reading, Warning, inspect};

fn scaled() -> Reading {
    Reading { spacing: Some([10.0, 10.0]), height_scale: Some(0.1), ..Reading::default() }
}

#[test]
fn srtm_tiles_are_read() {
    let folder = Folder::new();
    let mut bytes = Vec::with_capacity(1201 * 1201 * 2);
    for j in 0..1201 {
        for i in 0..1201 {
            let height: i16 = if (i, j) == (7, 3) { -32768 } else { (i + 2 * j) as i16 };
            bytes.extend(height.to_be_bytes());
        }
    }
    let (raster, report) = folder.read("N45E006.hgt", &bytes, &georeferenced()).unwrap();
    assert_eq!(raster.size(), [1201, 1201]);
    assert_eq!(raster.height(100, 10), Some(120.0));
    assert!(raster.height(7, 3).unwrap().is_nan());
    assert_eq!((report.no_data, report.no_data_count), (Some(-32768.0), Some(1)));
    assert_eq!(report.heights, Some([0.0, 3600.0]));
    // The first sample is in the north-west.
    assert_eq!(
        report.georeference.as_deref(),
        Some("first sample at longitude 6, latitude 46, from the file's name")
    );
    let [x, z] = raster.spacing().map(|spacing| spacing * 1200.0);
    assert!((x - 78_153.0).abs() < 50.0 && (z - 111_141.0).abs() < 20.0, "{x} {z}");
    let [[x0, z0], [x1, z1]] = raster.corners();
    assert!((x1 / x0 - 7.0 / 6.0).abs() < 1e-9 && (z1 / z0 - 45.0 / 46.0).abs() < 1e-9);

    let (_, report) = folder.read("s46w007.HGT", &bytes, &Reading::default()).unwrap();
    assert!(report.georeference.unwrap().contains("longitude -7, latitude -45"));
    for name in ["dem.hgt", "N4xE006.hgt", "N95E006.hgt", "N45E206.hgt", "X45E006.hgt"] {
        let error = folder.error(name, &bytes, &Reading::default());
        assert!(error.contains("Reading::spacing"), "{error}");
    }
    let reading = Reading { spacing: Some([90.0, 90.0]), ..Reading::default() };
    assert!(folder.read("dem.hgt", &bytes, &reading).is_ok());
}

#[test]
fn grey_pngs_are_read() {
    let folder = Folder::new();
    let data: Vec<u8> = (0..12u16).flat_map(|i| (i * 5000).to_be_bytes()).collect();
    let bytes = png([4, 3], ColorType::Grayscale, BitDepth::Sixteen, &data);
    let (raster, report) = folder.read("a.png", &bytes, &scaled()).unwrap();
    assert_eq!(raster.height(1, 2), Some(4500.0));
    assert!(report.warnings.contains(&Warning::NoGeoreference));
    let reading = Reading { height_offset: Some(-100.0), ..scaled() };
    let (raster, _) = folder.read("a.png", &bytes, &reading).unwrap();
    assert_eq!(raster.height(1, 2), Some(4400.0));
    // Both missing fields are named at once.
    let error = folder.error("a.png", &bytes, &Reading::default());
    assert!(error.contains("Reading::spacing") && error.contains("Reading::height_scale"));

    let grey = png([4, 3], ColorType::Grayscale, BitDepth::Eight, &data[..12]);
    let error = folder.error("a.png", &grey, &scaled());
    assert!(error.contains("allow_8_bit"), "{error}");
    let reading = Reading { allow_8_bit: true, ..scaled() };
    let (raster, _) = folder.read("a.png", &grey, &reading).unwrap();
    assert_eq!(raster.heights()[3], f32::from(data[3]) * 0.1);
}

#[test]
fn terrarium_tiles_are_read() {
    let folder = Folder::new();
    // 0 m, 1 m, 255 m + 64/256 m, and 1234.5 m.
    let data = [128, 0, 0, 128, 1, 0, 128, 255, 64, 132, 210, 128];
    let bytes = png([2, 2], ColorType::Rgb, BitDepth::Eight, &data);
    let error = folder.error("a.png", &bytes, &scaled());
    assert!(error.contains("Format::Terrarium") && error.contains("Format::TerrainRgb"), "{error}");
    let reading = Reading {
        format: Some(Format::Terrarium),
        spacing: Some([5.0, 5.0]),
        ..Reading::default()
    };
    let (raster, report) = folder.read("a.png", &bytes, &reading).unwrap();
    assert_eq!(raster.heights(), [0.0, 1.0, 255.25, 1234.5]);
    assert_eq!(report.height_scale, Some(1.0));
    let error = folder.error(
        "b.png",
        &png([2, 2], ColorType::Grayscale, BitDepth::Sixteen, &data[..8]),
        &reading,
    );
    assert!(error.contains("Terrarium"), "{error}");
}

#[test]
fn raw_files_are_read() {
    let folder = Folder::new();
    let heights: Vec<u16> = (0..36).map(|i| 1000 + 17 * i).collect();
    let little: Vec<u8> = heights.iter().flat_map(|h| h.to_le_bytes()).collect();
    let big: Vec<u8> = heights.iter().flat_map(|h| h.to_be_bytes()).collect();
    let with = |order| Reading { byte_order: Some(order), ..scaled() };
    for (bytes, order, other) in [
        (&little, ByteOrder::LittleEndian, ByteOrder::BigEndian),
        (&big, ByteOrder::BigEndian, ByteOrder::LittleEndian),
    ] {
        let (raster, report) = folder.read("a.r16", bytes, &with(order)).unwrap();
        assert_eq!(raster.size(), [6, 6]);
        assert_eq!(raster.height(2, 1), Some(113.6));
        assert!(report.to_string().contains("inferred from the length"), "{report}");
        assert!(!report.warnings.contains(&Warning::ByteOrder));
        let (_, report) = folder.read("a.r16", bytes, &with(other)).unwrap();
        assert!(report.warnings.contains(&Warning::ByteOrder), "{report}");
    }
    let reading = Reading { size: Some([12, 3]), ..with(ByteOrder::LittleEndian) };
    let (raster, report) = folder.read("a.r16", &little, &reading).unwrap();
    assert_eq!(raster.size(), [12, 3]);
    assert!(!report.to_string().contains("inferred"));

    // Rows from the south, columns from the east.
    let reading = Reading { south_first: true, ..reading };
    let (south, _) = folder.read("a.r16", &little, &reading).unwrap();
    let reading = Reading { east_first: true, south_first: false, ..reading };
    let (east, _) = folder.read("a.r16", &little, &reading).unwrap();
    for (i, j) in (0..12).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let height = raster.height(i, j);
        assert_eq!((south.height(i, 2 - j), east.height(11 - i, j)), (height, height));
    }
    // A file that says it is not mirrored.
    let srtm = vec![0; 1201 * 1201 * 2];
    let error = folder.error("N45E006.hgt", &srtm, &reading);
    assert!(error.contains("Reading::east_first"), "{error}");

    let floats: Vec<u8> = heights.iter().flat_map(|&h| f32::from(h).to_be_bytes()).collect();
    let (raster, _) = folder.read("a.r32", &floats, &with(ByteOrder::BigEndian)).unwrap();
    assert_eq!(raster.height(2, 1), Some(113.6));
    // With the wrong byte order they are absurd.
    let report = crate::inspect(
        folder.file("a.r32", &floats),
        &Reading { no_data: None, ..with(ByteOrder::LittleEndian) },
    );
    assert!(report.is_ok());
    let error = folder.error("a.r16", &little, &scaled());
    assert!(error.contains("Reading::byte_order") && !error.contains("size"), "{error}");
}

fn halved() -> Reading {
    Reading { spacing: Some([10.0; 2]), height_scale: Some(0.5), ..Reading::default() }
}

#[test]
fn halves_and_floats_are_read() {
    let folder = Folder::new();
    for (kind, first, name) in [(1, 0, "16-bit float"), (2, 0, "32-bit float"), (2, -7, "32-bit")] {
        let (raster, report) =
            folder.read("a.exr", &exr_by_hand([12, 9], kind, first), &halved()).unwrap();
        assert_eq!(raster.size(), [12, 9]);
        let heights: Vec<f32> = (0..108).map(|i| i as f32 * 0.5).collect();
        assert_eq!(raster.heights(), heights);
        assert!(report.sample_type.contains(name) && report.sample_type.contains("\"Y\""));
    }
    // Neither a scale nor a spacing is known.
    let path = folder.file("a.exr", &exr_by_hand([12, 9], 2, 0));
    let report = inspect(path, &Reading::default()).unwrap();
    assert_eq!(report.missing.len(), 2, "{report}");
}

#[test]
fn packed_and_tiled_files_are_read() {
    let folder = Folder::new();
    let heights: Vec<f32> = (0..70 * 50).map(|i| (i * 37 % 1000) as f32).collect();
    let data = FlatSamples::F32(heights.clone());
    let all = [Compression::Uncompressed, Compression::RLE, Compression::ZIP1, Compression::ZIP16];
    for compression in all.into_iter().chain([Compression::PIZ]) {
        for tile in [None, Some(32)] {
            let bytes = exr(&[("Y", data.clone())], [70, 50], compression, tile);
            let reading = Reading { height_scale: Some(1.0), ..halved() };
            let (raster, _) = folder.read("a.exr", &bytes, &reading).unwrap();
            assert_eq!(raster.heights(), heights, "{compression:?} {tile:?}");
        }
    }
}

#[test]
fn the_channel_is_asked_for() {
    let folder = Folder::new();
    let flat = |x: f32| FlatSamples::F32(vec![x; 12]);
    let halves = FlatSamples::F16(vec![f16::from_f32(3.0); 12]);
    let integers = FlatSamples::U32(vec![4; 12]);
    let channels = [("B", flat(1.0)), ("G", flat(2.0)), ("height.Y", halves), ("id", integers)];
    let bytes = exr(&channels, [4, 3], Compression::ZIP16, None);
    let error = folder.read("a.exr", &bytes, &halved()).unwrap_err();
    assert!(matches!(error.problem(), RasterError::Missing(_)), "{error}");
    let text = error.to_string();
    assert!(text.contains("Reading::channel") && text.contains("\"height.Y\""), "{text}");
    for (name, height) in [("B", 0.5), ("G", 1.0), ("height.Y", 1.5), ("id", 2.0)] {
        let reading = Reading { channel: Some(name.into()), ..halved() };
        let (raster, _) = folder.read("a.exr", &bytes, &reading).unwrap();
        assert_eq!(raster.heights(), [height; 12]);
    }
    let reading = Reading { channel: Some("Z".into()), ..halved() };
    let text = folder.error("a.exr", &bytes, &reading);
    assert!(text.contains("no channel \"Z\"") && text.contains("\"G\""), "{text}");
}

#[test]
fn missing_data_and_absurd_heights() {
    let folder = Folder::new();
    let mut heights = vec![5.0; 30];
    heights[7] = f32::NAN;
    let bytes = |heights: &[f32]| {
        let data = FlatSamples::F32(heights.to_vec());
        exr(&[("Y", data)], [6, 5], Compression::Uncompressed, None)
    };
    let (raster, report) = folder.read("a.exr", &bytes(&heights), &halved()).unwrap();
    assert!(raster.height(1, 1).unwrap().is_nan());
    assert_eq!(report.no_data_count, Some(1));
    heights[8] = f32::INFINITY;
    let text = folder.error("a.exr", &bytes(&heights), &halved());
    assert!(text.contains("column 2, row 1"), "{text}");
}
