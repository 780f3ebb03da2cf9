//! OpenEXR: files byte by byte, and those of the encoder of `exr`.

use std::io::Cursor;

use exr::prelude::{
    AnyChannel, AnyChannels, Compression, Encoding, FlatSamples, Image, Layer, LayerAttributes,
    SmallVec, WritableImage, f16,
};

use crate::tests::write::Folder;
use crate::{RasterError, Reading, inspect};

/// A plain file of a channel "Y": halves (1) or floats (2), of heights 0, 1, 2 and so on. A large
/// one has only its first 20 rows.
pub fn by_hand([columns, rows]: [u32; 2], kind: u32, first: i32) -> Vec<u8> {
    let mut all = b"\x76\x2f\x31\x01\x02\0\0\0".to_vec();
    let mut attribute = |name: &str, kind: &str, value: &[u8]| {
        all.extend([name.as_bytes(), b"\0", kind.as_bytes(), b"\0"].concat());
        all.extend((value.len() as u32).to_le_bytes());
        all.extend(value);
    };
    let numbers = |numbers: &[u32]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    };
    let channel = [&b"Y\0"[..], &numbers(&[kind, 0, 1, 1]), b"\0"].concat();
    attribute("channels", "chlist", &channel);
    attribute("compression", "compression", &[0]);
    let last = [columns, rows].map(|side| (first + side as i32 - 1) as u32);
    let window = numbers(&[first as u32, first as u32, last[0], last[1]]);
    attribute("dataWindow", "box2i", &window);
    attribute("displayWindow", "box2i", &window);
    attribute("lineOrder", "lineOrder", &[0]);
    attribute("pixelAspectRatio", "float", &1f32.to_le_bytes());
    attribute("screenWindowCenter", "v2f", &[0; 8]);
    attribute("screenWindowWidth", "float", &1f32.to_le_bytes());
    all.push(0);
    let written = rows.min(20);
    let bytes = columns * if kind == 1 { 2 } else { 4 };
    for row in 0..written {
        let offset = all.len() as u32 + (written - row) * 8 + row * (8 + bytes);
        all.extend(u64::from(offset).to_le_bytes());
    }
    for row in 0..written.min(if columns > 1000 { 0 } else { 20 }) {
        all.extend((first + row as i32).to_le_bytes());
        all.extend(bytes.to_le_bytes());
        for column in 0..columns {
            let height = (row * columns + column) as f32;
            if kind == 1 {
                all.extend(f16::from_f32(height).to_le_bytes());
            } else {
                all.extend(height.to_le_bytes());
            }
        }
    }
    all
}

/// A file of 12 x 9 pixels of the encoder.
pub fn packed(compression: Compression) -> Vec<u8> {
    let heights: Vec<f32> = (0..108).map(|i| (i * 7 % 50) as f32).collect();
    encoded(&[("Y", FlatSamples::F32(heights))], [12, 9], compression, None)
}

fn encoded(
    channels: &[(&str, FlatSamples)],
    size: [usize; 2],
    compression: Compression,
    tile: Option<usize>,
) -> Vec<u8> {
    let channels: SmallVec<_> =
        channels.iter().map(|(name, data)| AnyChannel::new(*name, data.clone())).collect();
    let mut encoding = Encoding { compression, ..Encoding::UNCOMPRESSED };
    if let Some(side) = tile {
        encoding.blocks = exr::prelude::Blocks::Tiles(exr::math::Vec2(side, side));
    }
    let layer = Layer::new(
        (size[0], size[1]),
        LayerAttributes::default(),
        encoding,
        AnyChannels::sort(channels),
    );
    let mut bytes = Cursor::new(Vec::new());
    Image::from_layer(layer).write().to_buffered(&mut bytes).unwrap();
    bytes.into_inner()
}

fn scaled() -> Reading {
    Reading { spacing: Some([10.0; 2]), height_scale: Some(0.5), ..Reading::default() }
}

#[test]
fn halves_and_floats_are_read() {
    let folder = Folder::new();
    for (kind, first, name) in [(1, 0, "16-bit float"), (2, 0, "32-bit float"), (2, -7, "32-bit")] {
        let (raster, report) =
            folder.read("a.exr", &by_hand([12, 9], kind, first), &scaled()).unwrap();
        assert_eq!(raster.size(), [12, 9]);
        let heights: Vec<f32> = (0..108).map(|i| i as f32 * 0.5).collect();
        assert_eq!(raster.heights(), heights);
        assert!(report.sample_type.contains(name) && report.sample_type.contains("\"Y\""));
    }
    // Neither a scale nor a spacing is known.
    let path = folder.file("a.exr", &by_hand([12, 9], 2, 0));
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
            let bytes = encoded(&[("Y", data.clone())], [70, 50], compression, tile);
            let reading = Reading { height_scale: Some(1.0), ..scaled() };
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
    let bytes = encoded(&channels, [4, 3], Compression::ZIP16, None);
    let error = folder.read("a.exr", &bytes, &scaled()).unwrap_err();
    assert!(matches!(error.problem(), RasterError::Missing(_)), "{error}");
    let text = error.to_string();
    assert!(text.contains("Reading::channel") && text.contains("\"height.Y\""), "{text}");
    for (name, height) in [("B", 0.5), ("G", 1.0), ("height.Y", 1.5), ("id", 2.0)] {
        let reading = Reading { channel: Some(name.into()), ..scaled() };
        let (raster, _) = folder.read("a.exr", &bytes, &reading).unwrap();
        assert_eq!(raster.heights(), [height; 12]);
    }
    let reading = Reading { channel: Some("Z".into()), ..scaled() };
    let text = folder.read("a.exr", &bytes, &reading).unwrap_err().to_string();
    assert!(text.contains("no channel \"Z\"") && text.contains("\"G\""), "{text}");
}

#[test]
fn missing_data_and_absurd_heights() {
    let folder = Folder::new();
    let mut heights = vec![5.0; 30];
    heights[7] = f32::NAN;
    let bytes = |heights: &[f32]| {
        let data = FlatSamples::F32(heights.to_vec());
        encoded(&[("Y", data)], [6, 5], Compression::Uncompressed, None)
    };
    let (raster, report) = folder.read("a.exr", &bytes(&heights), &scaled()).unwrap();
    assert!(raster.height(1, 1).unwrap().is_nan());
    assert_eq!(report.no_data_count, Some(1));
    heights[8] = f32::INFINITY;
    let text = folder.read("a.exr", &bytes(&heights), &scaled()).unwrap_err().to_string();
    assert!(text.contains("column 2, row 1"), "{text}");
}
