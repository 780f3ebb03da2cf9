//! GeoTIFF: samples of all types and layouts.

use tiff::encoder::colortype::{
    Gray8, Gray16, Gray32, Gray32Float, Gray64Float, GrayI16, GrayI32, RGB8,
};
use tiff::encoder::{Compression, DeflateLevel};

use crate::tests::write::{Folder, HandTiff, Tags, tif};
use crate::{Reading, Warning};

const SIZE: [u32; 2] = [23, 18];

/// A height for each sample.
fn height(i: usize) -> f64 {
    (100 + i * 37 % 2000) as f64
}

fn values<T>(of: impl Fn(f64) -> T) -> Vec<T> {
    (0..(SIZE[0] * SIZE[1]) as usize).map(|i| of(height(i))).collect()
}

#[test]
fn all_types_and_compressions_are_read() {
    let folder = Folder::new();
    let tags = Tags::projected();
    for compression in [
        Compression::Uncompressed,
        Compression::Lzw,
        Compression::Deflate(DeflateLevel::Balanced),
        Compression::Packbits,
    ] {
        for (bytes, kind) in [
            (tif::<Gray16>(SIZE, &values(|h| h as u16), &tags, compression), "16-bit unsigned"),
            (tif::<GrayI16>(SIZE, &values(|h| h as i16), &tags, compression), "16-bit signed"),
            (tif::<Gray32>(SIZE, &values(|h| h as u32), &tags, compression), "32-bit unsigned"),
            (tif::<GrayI32>(SIZE, &values(|h| h as i32), &tags, compression), "32-bit signed"),
            (tif::<Gray32Float>(SIZE, &values(|h| h as f32), &tags, compression), "32-bit float"),
            (tif::<Gray64Float>(SIZE, &values(|h| h), &tags, compression), "64-bit float"),
        ] {
            let (raster, report) = folder.read("a.tif", &bytes, &Reading::default()).unwrap();
            assert!(report.sample_type.starts_with(kind), "{kind}: {report}");
            assert_eq!(raster.size(), [23, 18]);
            assert_eq!(raster.spacing(), [30.0, 20.0]);
            for (i, &found) in raster.heights().iter().enumerate() {
                assert_eq!(f64::from(found), height(i), "{kind} {i}");
            }
        }
    }
}

#[test]
fn tiles_and_both_byte_orders_are_read() {
    let folder = Folder::new();
    for is_big_endian in [false, true] {
        let mut file = HandTiff::new(is_big_endian, SIZE, Some(16));
        for (tz, tx) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let mut tile = Vec::new();
            for j in 0..16 {
                for i in 0..16 {
                    // The padding beyond the image has numbers, too.
                    let [x, z] = [tx * 16 + i, tz * 16 + j];
                    tile.extend(file.number(height(z * 23 + x) as i16));
                }
            }
            file.chunks.push(tile);
        }
        let reading = Reading { spacing: Some([5.0, 5.0]), ..Reading::default() };
        let (raster, report) = folder.read("a.tif", &file.bytes(), &reading).unwrap();
        for (i, &found) in raster.heights().iter().enumerate() {
            assert_eq!(f64::from(found), height(i), "{i}");
        }
        assert!(report.warnings.contains(&Warning::NoGeoreference));

        // A sparse file leaves tiles out: they are 0, unless that marks missing data.
        file.chunks[3].clear();
        let (raster, report) = folder.read("a.tif", &file.bytes(), &reading).unwrap();
        assert_eq!(report.no_data_count, Some(0));
        assert_eq!(raster.height(16, 16), Some(0.0));
        assert!(report.to_string().contains("left out"), "{report}");
        let reading = Reading { no_data: Some(0.0), ..reading.clone() };
        let (raster, report) = folder.read("a.tif", &file.bytes(), &reading).unwrap();
        assert_eq!(report.no_data_count, Some(2 * 7));
        assert!(raster.height(16, 16).unwrap().is_nan());
        assert!(!raster.height(15, 16).unwrap().is_nan());

        let mut file = HandTiff::new(is_big_endian, SIZE, None);
        let strip = (0..23 * 18).flat_map(|i| file.number(height(i) as i16)).collect();
        file.chunks.push(strip);
        let (raster, _) = folder.read("a.tif", &file.bytes(), &reading).unwrap();
        assert_eq!(f64::from(raster.heights()[200]), height(200));
    }
}

#[test]
fn no_data_is_nan() {
    let folder = Folder::new();
    let tags = |text| Tags { no_data: Some(text), ..Tags::projected() };
    let mut heights = values(|h| h as f32);
    for (marker, text) in [
        (-9999.0, "-9999"),
        (-9999.0, "-9999.0 "),
        (f32::MIN, "-3.4028234663852886e+38"),
        (f32::MIN, "-3.40282e+38"),
        (f32::NAN, "nan"),
        (0.0, "0"),
    ] {
        heights[5] = marker;
        heights[77] = marker;
        let bytes = tif::<Gray32Float>(SIZE, &heights, &tags(text), Compression::Uncompressed);
        let (raster, report) = folder.read("a.tif", &bytes, &Reading::default()).unwrap();
        assert_eq!(report.no_data_count, Some(2), "{text}: {report}");
        assert!(raster.heights()[5].is_nan() && raster.heights()[77].is_nan());
        assert!(!report.to_string().contains("warning      2 samples"), "{report}");
    }
    // What the caller says is used instead.
    heights[5] = -1.0;
    heights[77] = -9999.0;
    let bytes = tif::<Gray32Float>(SIZE, &heights, &tags("-1"), Compression::Uncompressed);
    let reading = Reading { no_data: Some(-9999.0), ..Reading::default() };
    let (raster, _) = folder.read("a.tif", &bytes, &reading).unwrap();
    assert_eq!(raster.heights()[5], -1.0);
    assert!(raster.heights()[77].is_nan());
}

#[test]
fn eight_bits_are_refused_unless_allowed() {
    let folder = Folder::new();
    let bytes =
        tif::<Gray8>(SIZE, &values(|h| h as u8), &Tags::projected(), Compression::Uncompressed);
    let error = folder.read("a.tif", &bytes, &Reading::default()).unwrap_err().to_string();
    assert!(error.contains("a.tif") && error.contains("allow_8_bit"), "{error}");
    let reading = Reading { allow_8_bit: true, ..Reading::default() };
    assert!(folder.read("a.tif", &bytes, &reading).is_ok());
}

#[test]
fn pictures_are_refused() {
    let folder = Folder::new();
    let data = vec![7; (SIZE[0] * SIZE[1] * 3) as usize];
    let bytes = tif::<RGB8>(SIZE, &data, &Tags::projected(), Compression::Uncompressed);
    let error = folder.read("a.tif", &bytes, &Reading::default()).unwrap_err().to_string();
    assert!(error.contains("one band"), "{error}");
}
