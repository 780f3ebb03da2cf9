//! GeoTIFF: samples of all types and layouts, places and units.

use tiff::encoder::colortype::{
    Gray8, Gray16, Gray32, Gray32Float, Gray64Float, GrayI16, GrayI32, RGB8,
};
use tiff::encoder::{Compression, DeflateLevel};

use crate::tests::georeferenced;
use crate::tests::write::{Folder, HandTiff, Tags, floats, tif};
use crate::{Placement, Raster, Reading, Report, Warning};

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
        // The padding beyond the image has numbers, too.
        let at = |x: usize, z: usize| height(z * 23 + x) as i16;
        let mut file = HandTiff::of(is_big_endian, [23, 18], Some(16), at);
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

        let file = HandTiff::of(is_big_endian, [23, 18], None, at);
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
        let bytes = floats([23, 18], &heights, &tags(text));
        let (raster, report) = folder.read("a.tif", &bytes, &Reading::default()).unwrap();
        assert_eq!(report.no_data_count, Some(2), "{text}: {report}");
        assert!(raster.heights()[5].is_nan() && raster.heights()[77].is_nan());
        assert!(!report.to_string().contains("warning      2 samples"), "{report}");
    }
    // What the caller says is used instead.
    heights[5] = -1.0;
    heights[77] = -9999.0;
    let bytes = floats([23, 18], &heights, &tags("-1"));
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
    let error = folder.error("a.tif", &bytes, &Reading::default());
    assert!(error.contains("a.tif") && error.contains("allow_8_bit"), "{error}");
    let reading = Reading { allow_8_bit: true, ..Reading::default() };
    assert!(folder.read("a.tif", &bytes, &reading).is_ok());
}

#[test]
fn pictures_are_refused() {
    let folder = Folder::new();
    let data = vec![7; (SIZE[0] * SIZE[1] * 3) as usize];
    let bytes = tif::<RGB8>(SIZE, &data, &Tags::projected(), Compression::Uncompressed);
    let error = folder.error("a.tif", &bytes, &Reading::default());
    assert!(error.contains("one band"), "{error}");
}

/// Where a file of 21 x 11 heights with some tags lies, and what is said of it.
fn read(tags: &Tags, reading: &Reading) -> (Raster, Report) {
    Folder::new().read("a.tif", &tagged(tags), reading).unwrap()
}

fn error(tags: &Tags) -> String {
    Folder::new().error("a.tif", &tagged(tags), &Reading::default())
}

fn tagged(tags: &Tags) -> Vec<u8> {
    floats([21, 11], &(0..231).map(|i| i as f32).collect::<Vec<_>>(), tags)
}

#[test]
fn pixels_are_areas_or_points() {
    let (raster, report) = read(&Tags::projected(), &georeferenced());
    // Half a pixel from the corner.
    assert_eq!(raster.position(), [500_015.0, -4_999_990.0]);
    assert_eq!(report.epsg, Some(32632));
    let (raster, report) = read(&Tags::projected().with_key(1025, 2), &georeferenced());
    assert_eq!(raster.position(), [500_000.0, -5_000_000.0]);
    assert!(report.to_string().contains("pixels are points"), "{report}");
    // The tie point may be any pixel.
    let tie = vec![10.0, 5.0, 0.0, 500_300.0, 4_999_900.0, 0.0];
    let (raster, _) = read(&Tags { tie, ..Tags::projected() }, &georeferenced());
    assert_eq!(raster.position(), [500_015.0, -4_999_990.0]);
    // By default the middle is at the origin.
    let (raster, _) = read(&Tags::projected(), &Reading::default());
    assert_eq!(raster.corners(), [[-300.0, -100.0], [300.0, 100.0]]);
    let at = Reading { placement: Placement::At([7.0, 8.0]), ..Reading::default() };
    assert_eq!(read(&Tags::projected(), &at).0.position(), [7.0, 8.0]);
}

#[test]
fn a_matrix_is_a_scale_unless_it_rotates() {
    #[rustfmt::skip]
    let matrix = vec![
        30.0, 0.0, 0.0, 500_000.0,
        0.0, -20.0, 0.0, 5_000_000.0,
        0.0, 0.0, 0.0, 0.0,
        0.0, 0.0, 0.0, 1.0,
    ];
    let tags = Tags { scale: vec![], tie: vec![], matrix, ..Tags::projected() };
    let (raster, _) = read(&tags, &georeferenced());
    assert_eq!(raster.position(), [500_015.0, -4_999_990.0]);
    assert_eq!(raster.spacing(), [30.0, 20.0]);
    for (index, value, wanted) in [
        (1, 0.5, "rotated"),
        (4, -0.5, "rotated"),
        (0, 0.0, "absurd"),
        (3, f64::NAN, "absurd"),
        (5, f64::INFINITY, "absurd"),
    ] {
        let mut tags = tags.clone();
        tags.matrix[index] = value;
        let found = error(&tags);
        assert!(found.contains(wanted), "{index} {value}: {found}");
    }
}

/// The lengths of degrees are those of tables for the WGS 84 ellipsoid.
#[test]
fn degrees_become_metres() {
    let (raster, report) = read(&Tags::degrees(), &Reading::default());
    // At 46 - 5.5 / 1200 degrees.
    let [x, z] = raster.spacing().map(|spacing| spacing * 1200.0);
    assert!((x - 77_471.0).abs() < 10.0, "{x}");
    assert!((z - 111_151.0).abs() < 5.0, "{z}");
    assert_eq!(report.epsg, Some(4326));
    assert!(report.spacing_source.contains("degrees") && report.spacing_source.contains("45.99"));
    // At the equator, as by definition a minute of longitude is about a nautical mile.
    let reading = Reading { latitude: Some(0.0), ..Reading::default() };
    let (raster, report) = read(&Tags::degrees(), &reading);
    let [x, z] = raster.spacing().map(|spacing| spacing * 1200.0);
    assert!((x - 111_319.49).abs() < 0.01 && (z - 110_574.28).abs() < 0.01, "{x} {z}");
    assert!(report.spacing_source.contains("Reading::latitude"));
    // What the caller gives is used.
    let reading = Reading { spacing: Some([90.0, 90.0]), ..Reading::default() };
    let (raster, report) = read(&Tags::degrees(), &reading);
    assert_eq!(raster.spacing(), [90.0; 2]);
    assert!(report.spacing_source.contains("the file says"), "{report}");
}

#[test]
fn feet_become_metres() {
    let (raster, _) = read(&Tags::projected().with_key(3076, 9002), &georeferenced());
    assert!((raster.spacing()[0] - 9.144).abs() < 1e-12);
    let (raster, _) = read(&Tags::projected().with_key(3076, 9003), &georeferenced());
    assert!((raster.spacing()[0] - 36_000.0 / 3937.0).abs() < 1e-12);
    assert!((raster.position()[0] - 500_015.0 * 1200.0 / 3937.0).abs() < 1e-6);
    // Heights.
    let (raster, report) = read(&Tags::projected().with_key(4099, 9002), &Reading::default());
    assert_eq!(raster.heights()[100], 30.48);
    assert!(report.height_source.contains("feet"), "{report}");
    assert!(error(&Tags::projected().with_key(3076, 1234)).contains("EPSG:1234"));
    assert!(error(&Tags::degrees().with_key(2054, 9110)).contains("EPSG:9110"));
    // A unit of heights that is not known is a warning, unless the caller gives it.
    let tags = Tags::projected().with_key(4099, 1234);
    let (_, report) = read(&tags, &Reading::default());
    assert!(report.to_string().contains("warning      the file says that its heights"), "{report}");
    let reading = Reading { height_scale: Some(2.0), ..Reading::default() };
    assert_eq!(read(&tags, &reading).1.warnings, []);
}

#[test]
fn scale_and_offset_of_gdal_are_used() {
    let metadata = Some(
        "<GDALMetadata>\n  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-10</Item>\n  \
         <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item>\n</GDALMetadata>",
    );
    let (raster, report) = read(&Tags { metadata, ..Tags::projected() }, &Reading::default());
    assert_eq!(raster.heights()[100], 40.0);
    assert!(report.height_source.contains("scale and offset of the file"), "{report}");
    let reading = Reading { height_scale: Some(2.0), ..Reading::default() };
    let (raster, _) = read(&Tags { metadata, ..Tags::projected() }, &reading);
    // The file's scale and offset first, then the unit.
    assert_eq!(raster.heights()[100], 80.0);
    let reading = Reading { height_offset: Some(7.0), ..reading };
    let (raster, _) = read(&Tags { metadata, ..Tags::projected() }, &reading);
    assert_eq!(raster.heights()[100], 87.0);
    for text in ["much", "0", "inf", ""] {
        let metadata = format!("<Item sample=\"0\" role=\"scale\">{text}</Item>");
        let metadata = Some(&*metadata.leak());
        let (raster, report) = read(&Tags { metadata, ..Tags::projected() }, &Reading::default());
        assert_eq!(raster.heights()[100], 100.0);
        assert!(report.to_string().contains("its scale of heights is"), "{report}");
    }
}

#[test]
fn web_mercator_is_scaled_to_the_ground() {
    let mut tags = Tags::projected().with_key(3072, 3857);
    // 60 degrees north, where it stretches twofold.
    tags.tie[4] = 8_399_737.89 + 110.0;
    let (raster, report) = read(&tags, &Reading::default());
    assert!((raster.spacing()[0] - 15.0).abs() < 1e-3, "{report}");
    assert!(report.spacing_source.contains("Web Mercator"), "{report}");
}

#[test]
fn what_is_assumed_is_said() {
    let assumed = |report: &Report, what: &str| {
        report
            .warnings
            .iter()
            .any(|warning| matches!(warning, Warning::Assumed(text) if text.contains(what)))
    };
    // The code of the projection says it.
    let (_, report) =
        read(&Tags::projected().without_key(3076).with_key(4099, 9001), &Reading::default());
    assert_eq!(report.warnings, []);
    let (_, report) = read(&Tags::projected(), &Reading::default());
    assert!(assumed(&report, "unit of heights"), "{report}");
    let (_, report) = read(&Tags::projected().with_key(4099, 9001), &Reading::default());
    assert!(report.warnings.is_empty(), "{report}");
    let (_, report) = read(&Tags::projected().with_key(3076, 9003), &Reading::default());
    assert!(assumed(&report, "may be, too"), "{report}");
    let (_, report) =
        read(&Tags::projected().with_key(3072, 32767).without_key(3076), &Reading::default());
    assert!(assumed(&report, "metres are assumed"), "{report}");
    // Whether these are degrees is unknown.
    let found = error(&Tags::projected().without_key(1024));
    assert!(found.contains("Reading::spacing"), "{found}");
    let found = error(&Tags { scale: vec![], tie: vec![], ..Tags::projected() });
    assert!(found.contains("Reading::spacing"), "{found}");
}
