//! What looks wrong is said.

use tiff::encoder::Compression;
use tiff::encoder::colortype::Gray32Float;

use crate::tests::write::{Folder, Tags, tif};
use crate::{ByteOrder, Reading, Report, Warning, inspect};

/// The report on an 80 x 80 GeoTIFF of these heights.
fn report(height: impl Fn(usize) -> f64, reading: &Reading) -> Report {
    let heights: Vec<f32> = (0..6400).map(|i| height(i) as f32).collect();
    let tags = Tags::projected().with_key(4099, 9001);
    let bytes = tif::<Gray32Float>([80, 80], &heights, &tags, Compression::Uncompressed);
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
    let report = report(hills, &Reading::default());
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
    let warnings = |height: &dyn Fn(usize) -> f64| report(height, &default).warnings;
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
    assert_eq!(report(with(-9999.0), &reading).warnings, []);
}

#[test]
fn wrong_units_are_warnings() {
    let reading = Reading { spacing: Some([0.01, 0.01]), ..Reading::default() };
    let found = report(hills, &reading);
    assert_eq!(found.warnings[0], Warning::TinySpacing { spacing: 0.01 });
    assert!(matches!(found.warnings[1], Warning::Steep { .. }), "{found}");
    // Centimetres taken for metres.
    let found = report(|i| hills(i) * 100.0, &Reading::default());
    let wanted = [Warning::BeyondEarth { height: 31_000.0, count: 6400 }];
    assert!(
        matches!(&found.warnings[..], [a, Warning::Steep { .. }] if *a == wanted[0]),
        "{found}"
    );
    let reading = Reading { height_scale: Some(0.01), ..Reading::default() };
    assert_eq!(report(|i| hills(i) * 100.0, &reading).warnings, []);
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
