//! What looks wrong is said, of a file that is read in tiles as of one that is read whole, and what
//! is beyond the limits of a raster is an error.

use tiff::encoder::Compression;
use tiff::encoder::colortype::GrayI16;

use crate::tests::random;
use crate::tests::tiles::{self, unbounded};
use crate::tests::write::{Folder, HandTiff, Tags, floats, raw, tif};
use crate::{
    ByteOrder, MAX_SAMPLES, MAX_SIDE, Raster, RasterError, RasterTiles, Reading, Report, Tiling,
    Warning, inspect, read,
};

/// Tags without anything to be assumed.
fn metres() -> Tags {
    Tags::projected().with_key(4099, 9001)
}

/// The report on an 80 x 80 GeoTIFF of these heights.
fn report_on(height: impl Fn(usize) -> f64, reading: &Reading) -> Report {
    let heights: Vec<f32> = (0..6400).map(|i| height(i) as f32).collect();
    let bytes = floats([80, 80], &heights, &metres());
    let folder = Folder::new();
    inspect(folder.file("a.tif", &bytes), reading).unwrap()
}

/// Smooth hills.
fn hills(i: usize) -> f64 {
    let [x, z] = [i % 80, i / 80].map(|x| x as f64 / 10.0);
    300.0 + 20.0 * x.sin() + 10.0 * z.cos()
}

#[test]
fn good_ground_has_no_warnings() {
    let report = report_on(hills, &Reading::default());
    assert_eq!(report.warnings, []);
    assert_eq!(report.missing, [""; 0]);
    let text = report.to_string();
    for part in [
        "GeoTiff, 32-bit float",
        "80 x 80 samples",
        "whole or in tiles",
        "30 m by 20 m (30 by 20 metres in the file)",
        "2.370 km by 1.580 km",
        "easting 500015, northing 4999990 in metres (pixels are areas)",
        "EPSG:32632",
        "1 m, 0 is at 0 m (metres in the file)",
        "not declared, 0 samples",
        "heights      27",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
}

#[test]
fn what_looks_wrong_is_a_warning() {
    let default = Reading::default();
    let warnings = |height: &dyn Fn(usize) -> f64| report_on(height, &default).warnings;
    assert_eq!(warnings(&|_| 7.0), [Warning::AllEqual { value: 7.0 }]);
    let terraces = |i| (hills(i) / 2.0).round();
    assert!(matches!(warnings(&terraces)[..], [Warning::FewDistinctValues { count: 15..40 }]));
    assert_eq!(warnings(&|i| hills(i) / 400.0), [Warning::Normalised]);
    let with = |value: f64| move |i: usize| if i.is_multiple_of(1000) { value } else { hills(i) };
    for value in [-9999.0, -32768.0, -32767.0, -99999.0] {
        let found = warnings(&with(value));
        assert_eq!(found[0], Warning::UndeclaredNoData { value, count: 7 });
        assert!(found[0].to_string().contains("Reading::no_data"));
    }
    let found = warnings(&with(f64::from(f32::MIN)));
    assert!(matches!(found[0], Warning::BeyondLimit { count: 7, .. }), "{found:?}");
    // Declared, there is no warning.
    let reading = Reading { no_data: Some(-9999.0), ..default };
    assert_eq!(report_on(with(-9999.0), &reading).warnings, []);
}

#[test]
fn wrong_units_are_warnings() {
    let reading = Reading { spacing: Some([0.01, 0.01]), ..Reading::default() };
    let found = report_on(hills, &reading);
    assert_eq!(found.warnings[0], Warning::TinySpacing { spacing: 0.01 });
    assert!(matches!(found.warnings[1], Warning::Steep { .. }), "{found}");
    // Centimetres taken for metres.
    let found = report_on(|i| hills(i) * 100.0, &Reading::default());
    let wanted = [Warning::BeyondEarth { height: 31_000.0, count: 6400 }];
    assert!(
        matches!(&found.warnings[..], [a, Warning::Steep { .. }] if *a == wanted[0]),
        "{found}"
    );
    let reading = Reading { height_scale: Some(0.01), ..Reading::default() };
    assert_eq!(report_on(|i| hills(i) * 100.0, &reading).warnings, []);
}

#[test]
fn what_is_missing_is_said() {
    let folder = Folder::new();
    let path = folder.file("a.r16", &[7; 32]);
    let reading = Reading { byte_order: Some(ByteOrder::BigEndian), ..Reading::default() };
    let report = inspect(path, &reading).unwrap();
    assert_eq!((report.size, report.spacing, report.height_scale), ([4, 4], None, None));
    assert_eq!(report.values, Some([1799.0, 1799.0]));
    assert_eq!(report.heights, None);
    let text = report.to_string();
    assert!(text.contains("missing      Give Reading::spacing"), "{text}");
    assert!(text.contains("missing      Give Reading::height_scale"), "{text}");
}

/// Two tiles, and hills.
const SIZE: [usize; 2] = [300, 70];

fn heights() -> Vec<f32> {
    let height = |index: usize| {
        let [i, j] = [index % SIZE[0], index / SIZE[0]].map(|x| x as f64);
        let noise = 3.0 * random(1, index as u64);
        (500.0 + 200.0 * (i / 40.0).sin() * (j / 30.0).cos() + noise) as f32
    };
    (0..SIZE[0] * SIZE[1]).map(height).collect()
}

fn reading() -> Reading {
    Reading { size: Some(SIZE), ..tiles::reading() }
}

/// The report, the same of all ways to read a file.
fn report(folder: &Folder, name: &str, bytes: &[u8], reading: &Reading) -> Report {
    let path = folder.file(name, bytes);
    let (_, tiles) = RasterTiles::open(&path, reading, &Tiling::default()).unwrap();
    let (_, whole) = read(&path, reading).unwrap();
    assert_eq!(tiles, whole, "{name}");
    assert_eq!(inspect(&path, reading).unwrap(), whole, "{name}");
    whole
}

/// Undeclared markers, few values, normalised or impossible heights, and steep ground.
#[test]
fn what_looks_wrong() {
    let folder = Folder::new();
    let marked = |value: f32| {
        let mut all = heights();
        (0..800).for_each(|k| all[k * 26] = value);
        all
    };
    let undeclared = |value| Warning::UndeclaredNoData { value, count: 800 };
    let all: Vec<f32> = heights();
    for (name, heights, wanted) in [
        ("a.tif", marked(-9999.0), undeclared(-9999.0)),
        ("b.tif", marked(-32768.0), undeclared(-32768.0)),
        ("c.tif", marked(9800.0), Warning::BeyondEarth { height: 9800.0, count: 800 }),
        (
            "d.tif",
            all.iter().map(|h| (h / 9.0).round()).collect(),
            Warning::FewDistinctValues { count: 46 },
        ),
        ("e.tif", all.iter().map(|h| h / 1000.0).collect(), Warning::Normalised),
        ("f.tif", vec![3.5; SIZE[0] * SIZE[1]], Warning::AllEqual { value: 3.5 }),
    ] {
        let bytes = floats(SIZE, &heights, &metres());
        let found = report(&folder, name, &bytes, &Reading::default());
        let few = |w: &Warning| matches!(w, Warning::FewDistinctValues { .. });
        let is_wanted = |w: &Warning| *w == wanted || (few(w) && few(&wanted));
        assert!(found.warnings.iter().any(is_wanted), "{name}: {found}");
        let found = report(&folder, "a.r32", &raw(&heights), &reading());
        assert!(found.warnings.iter().any(is_wanted), "{found}");
    }
    let steep = Reading { height_scale: Some(100.0), ..Reading::default() };
    let integers: Vec<i16> = all.iter().map(|&h| h as i16).collect();
    let bytes =
        tif::<GrayI16>(SIZE.map(|side| side as u32), &integers, &metres(), Compression::Lzw);
    let found = report(&folder, "steep.tif", &bytes, &steep);
    assert!(found.warnings.iter().any(|w| matches!(w, Warning::Steep { .. })), "{found}");
}

#[test]
fn a_wrong_byte_order_and_mirrored_rows() {
    let folder = Folder::new();
    let numbers: Vec<u16> = heights().iter().map(|h| (h * 10.0) as u16).collect();
    let bytes: Vec<u8> = numbers.iter().flat_map(|h| h.to_be_bytes()).collect();
    let reading = Reading { height_scale: Some(0.1), ..reading() };
    let found = report(&folder, "a.r16", &bytes, &reading);
    assert!(found.warnings.contains(&Warning::ByteOrder), "{found}");
    for (south_first, east_first) in [(true, false), (false, true), (true, true)] {
        let reading = Reading {
            byte_order: Some(ByteOrder::BigEndian),
            south_first,
            east_first,
            ..reading.clone()
        };
        report(&folder, "a.r16", &bytes, &reading);
    }
}

#[test]
fn given_bounds_say_that_nothing_was_looked_at() {
    let folder = Folder::new();
    let path = tiles::r32(&folder, &heights());
    let (_, report) = RasterTiles::open(path, &reading(), &unbounded()).unwrap();
    assert_eq!(report.warnings.last(), Some(&Warning::NotSurveyed));
    assert_eq!((report.values, report.no_data_count), (None, None));
}

/// One tile of 64 is there, so the file is far smaller than its samples could be packed.
#[test]
fn a_very_sparse_file_is_read() {
    let folder = Folder::new();
    let mut file = HandTiff::new(false, [2000, 2000], Some(256));
    file.set(259, 32773);
    file.chunks = vec![Vec::new(); 64];
    // PackBits: 128 bytes of 7 each.
    file.chunks[9] = [0x81, 7].repeat(256 * 256 * 2 / 128);
    let bytes = file.bytes();
    assert!(bytes.len() < 2000 * 2000 * 2 / 1500);
    let reading = Reading { spacing: Some([10.0; 2]), ..Reading::default() };
    let found = report(&folder, "a.tif", &bytes, &reading);
    assert!(found.to_string().contains("63 strips or tiles are left out"), "{found}");
    assert_eq!((found.no_data_count, found.values), (Some(0), Some([0.0, 1799.0])));
    // Where the caller says that 0 marks missing data, they have none.
    let found = report(&folder, "a.tif", &bytes, &Reading { no_data: Some(0.0), ..reading });
    assert_eq!(found.no_data_count, Some(2000 * 2000 - 256 * 256));
}

fn problem(result: Result<Raster, RasterError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn limits_are_checked() {
    let heights = || vec![1.0; 6];
    let new = |size, spacing, heights| Raster::new(size, [spacing; 2], [0.0; 2], heights);
    assert!(new([3, 2], 1.0, heights()).is_ok());
    for (size, wanted) in [
        ([0, 2], "each side"),
        ([1, 6], "each side"),
        ([MAX_SIDE + 1, 2], "each side"),
        ([usize::MAX, usize::MAX], "each side"),
        ([MAX_SIDE, MAX_SIDE], "kept in memory"),
        ([3, 3], "need 9 heights"),
    ] {
        let found = problem(new(size, 1.0, heights()));
        assert!(found.contains(wanted), "{size:?}: {found}");
    }
    for spacing in [0.0, -1.0, 1e-4, 2e5, f64::NAN, f64::INFINITY] {
        assert!(problem(new([3, 2], spacing, heights())).contains("spacing"));
    }
    assert!(problem(new([3, 2], 2.8e-4, heights())).contains("degrees"));
    for height in [1.1e5, -1.1e5, f32::INFINITY, f32::MIN] {
        let mut heights = heights();
        heights[4] = height;
        let found = problem(new([3, 2], 1.0, heights));
        assert!(found.contains("column 1, row 1") && found.contains("no_data"), "{found}");
    }
    assert!(problem(new([3, 2], 1.0, vec![f32::NAN; 6])).contains("no sample"));
    for position in [f64::NAN, f64::INFINITY, 2e9] {
        let found = Raster::new([3, 2], [1.0; 2], [0.0, position], heights());
        assert!(problem(found).contains("position"));
    }
    const { assert!(MAX_SAMPLES < MAX_SIDE * MAX_SIDE) };
}

#[test]
fn rows_run_south() {
    let heights = (0..6).map(|i| i as f32).collect();
    let raster = Raster::new([3, 2], [10.0, 20.0], [100.0, 200.0], heights).unwrap();
    assert_eq!(raster.height(2, 1), Some(5.0));
    assert_eq!(raster.height(3, 0), None);
    assert_eq!(raster.height(0, 2), None);
    assert_eq!(raster.corners(), [[100.0, 200.0], [120.0, 220.0]]);
    let moved = raster.at([0.0, 0.0]).unwrap();
    assert_eq!(moved.corners(), [[0.0, 0.0], [20.0, 20.0]]);
}

/// The sizes of overviews, whole and in tiles.
#[test]
fn overviews_are_listed() {
    let folder = Folder::new();
    let found =
        report(&folder, "a.tif", include_bytes!("odd_files/overviews.tif"), &Reading::default());
    assert_eq!(found.overviews, [[6, 5], [3, 3]], "{found}");
    assert!(found.to_string().contains("overviews    6 x 5, 3 x 3; not read"), "{found}");
    let found = report(&folder, "b.tif", &floats(SIZE, &heights(), &metres()), &Reading::default());
    assert_eq!(found.overviews, [[0; 2]; 0]);
}
