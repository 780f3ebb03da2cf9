//! Heights, depths and climate in each format, read by other code than that which writes them.

use std::path::Path;

use exr::prelude::{ReadChannels, ReadLayers, read_first_flat_layer_from_file};
use orogeny::Field;
use orogeny::cover::CoverPoint;
use orogeny_raster::{ByteOrder, Placement, Reading, Report};

use crate::{Picture, load, message, names, output_path, positions, succeed};

const SIZE: [usize; 2] = [93, 41];
const ORIGIN: [f64; 2] = [-4000.25, 256.5];
const SPACING: f64 = 2.5;
const AREA: &str = "export alpine --size 93x41 --origin -4000.25,256.5 --spacing 2.5";

/// The heights of the field, point by point.
fn heights() -> Vec<f32> {
    let (_, field) = load("alpine");
    positions(SIZE, ORIGIN, SPACING).into_iter().map(|p| field.sample(p).value).collect()
}

/// Reads a file, and checks that no height differs from the field by more than a tolerance.
#[track_caller]
fn check(path: &Path, reading: &Reading, tolerance: f64) -> Report {
    let (raster, report) = orogeny_raster::read(path, reading).unwrap();
    assert_eq!(raster.size(), SIZE);
    assert_eq!(raster.spacing(), [SPACING; 2]);
    for (read, exact) in raster.heights().iter().zip(heights()) {
        let difference = f64::from(*read) - f64::from(exact);
        assert!(difference.abs() <= tolerance, "{read} {exact}");
    }
    report
}

/// The scale and the offset of 16 bits, as the files say them.
fn scaled(lo: f64, hi: f64) -> Reading {
    Reading {
        spacing: Some([SPACING; 2]),
        byte_order: Some(ByteOrder::LittleEndian),
        size: Some(SIZE),
        height_scale: Some((hi - lo) / 65535.0),
        height_offset: Some(lo),
        ..Reading::default()
    }
}

/// Half a step, and the rounding of heights to 32 bits.
fn half_step(lo: f64, hi: f64) -> f64 {
    0.5 * (hi - lo) / 65535.0 + 2e-4
}

#[test]
fn png_and_raw_integers_are_within_half_a_step() {
    let (folder, png) = output_path("terrain.png");
    succeed(AREA, &png);
    let picture = Picture::read(&png);
    let number = |key: &str| picture.text(key).parse::<f64>().unwrap();
    let [lo, hi] = [number("orogeny:min"), number("orogeny:max")];
    let exact = heights();
    assert_eq!(lo as f32, exact.iter().copied().fold(f32::MAX, f32::min));
    assert_eq!(hi as f32, exact.iter().copied().fold(f32::MIN, f32::max));
    check(&png, &Reading { size: None, byte_order: None, ..scaled(lo, hi) }, half_step(lo, hi));

    let raw = folder.path().join("terrain.r16");
    succeed(&format!("{AREA} --range -500,3500"), &raw);
    check(&raw, &scaled(-500.0, 3500.0), half_step(-500.0, 3500.0));
}

#[test]
fn raw_floats_are_exact() {
    let (_folder, path) = output_path("terrain.r32");
    succeed(AREA, &path);
    let reading = Reading { height_scale: Some(1.0), height_offset: None, ..scaled(0.0, 1.0) };
    check(&path, &reading, 0.0);
}

#[test]
fn tiff_says_its_scale_and_position() {
    let georeferenced = Reading { placement: Placement::Georeferenced, ..Reading::default() };
    for (arguments, tolerance, sample_type) in [
        ("", 0.0, "32-bit float"),
        ("--kind tiff16 --range -500,3500", half_step(-500.0, 3500.0), "16-bit unsigned integer"),
    ] {
        let (folder, path) = output_path("terrain.tif");
        succeed(&format!("{AREA} {arguments}"), &path);
        assert_eq!(names(&folder), ["terrain.tif"]);
        let report = check(&path, &georeferenced, tolerance);
        assert_eq!(report.sample_type, sample_type);
        assert_eq!(report.position, Some(ORIGIN));
        assert_eq!((report.warnings, report.epsg), (vec![], None));
        assert!(report.height_source.starts_with("metres in the file"), "{}", report.height_source);
    }
}

#[test]
fn flat_ground_is_read_back_from_all_integers() {
    let (folder, recipe) = output_path("flat.ron");
    std::fs::write(&recipe, "(field: Constant(2.5))").unwrap();
    let path = folder.path().join("flat.tif");
    succeed(&format!("export {} --size 5 --kind tiff16", recipe.display()), &path);
    let (raster, _) = orogeny_raster::read(&path, &Reading::default()).unwrap();
    assert_eq!(raster.heights(), [2.5; 25]);
}

#[test]
fn exr_is_exact_and_has_its_metadata() {
    let (folder, path) = output_path("terrain.exr");
    succeed(AREA, &path);
    let image = exr::prelude::read().no_deep_data().largest_resolution_level();
    let image = image.all_channels().first_valid_layer().all_attributes();
    let image = image.from_file(&path).unwrap();
    let layer = &image.layer_data;
    assert_eq!([layer.size.0, layer.size.1], SIZE);
    let [channel] = &layer.channel_data.list[..] else { panic!("one channel") };
    assert_eq!(channel.name.to_string(), "Y");
    let read: Vec<f32> = channel.sample_data.values_as_f32().collect();
    assert!(read == heights());
    let comments = layer.attributes.comments.as_ref().unwrap().to_string();
    for line in ["orogeny:spacing = 2.5\n", "orogeny:origin = -4000.25,256.5\n"] {
        assert!(comments.contains(line), "{comments}");
    }
    // The same run writes the same bytes.
    let again = folder.path().join("again.exr");
    succeed(AREA, &again);
    assert!(std::fs::read(&path).unwrap() == std::fs::read(&again).unwrap());
}

const WATERS: &str =
    "export lowlands --size 60x34 --origin -12000,-14000 --spacing 100 --kind depth";

fn exact_depths() -> Vec<f32> {
    let (_, field) = load("lowlands");
    let positions = positions([60, 34], [-12000.0, -14000.0], 100.0).into_iter();
    positions.map(|p| field.water(p).map_or(0.0, |water| water.depth as f32)).collect()
}

#[test]
fn depths_are_those_of_the_landscape() {
    let exact = exact_depths();
    assert!(exact.contains(&0.0) && exact.iter().any(|&depth| depth > 0.5));
    let (folder, path) = output_path("depth.f32");
    let report = succeed(WATERS, &path);
    assert!(report.contains("depths   0 to "), "{report}");
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes == exact.iter().flat_map(|depth| depth.to_le_bytes()).collect::<Vec<_>>());

    let png = folder.path().join("depth.png");
    succeed(WATERS, &png);
    let png = Picture::read(&png);
    let max: f32 = png.text("orogeny:max").parse().unwrap();
    assert_eq!(
        (png.text("orogeny:min"), max),
        ("0".into(), exact.iter().copied().fold(0.0, f32::max))
    );
    for (grey, exact) in png.pixels16().into_iter().zip(exact) {
        assert!((f32::from(grey) / 65535.0 * max - exact).abs() <= 0.51 * max / 65535.0);
    }
}

#[test]
fn depths_need_a_format_that_has_metres() {
    assert!(message(WATERS, "depth.glb").contains(".exr"));
    assert!(message(WATERS, "depth").contains(".exr"));
}

/// Near each other, since the climate is that of ground with rivers.
const WORLD: &str = "export world --size 40x25 --origin 3000,-9000 --spacing 150";

/// The temperature and the moisture, point by point.
fn exact_climate() -> [Vec<f32>; 2] {
    let (_, field) = load("world");
    let smooth = field.band_limited(CoverPoint::SCALE).unwrap();
    let positions = positions([40, 25], [3000.0, -9000.0], 150.0).into_iter();
    let climate = positions.map(|p| field.climate().at(p, &smooth.sample(p)));
    climate.map(|it| (it.temperature, it.moisture)).unzip::<_, _, Vec<_>, Vec<_>>().into()
}

#[test]
fn climates_are_those_of_the_landscape() {
    let exact = exact_climate();
    for (kind, unit, exact) in [("temperature", " °C", &exact[0]), ("moisture", "", &exact[1])] {
        let [min, max] = [f32::min, f32::max].map(|f| exact.iter().copied().reduce(f).unwrap());
        assert!(max - min > 0.005, "{kind} {min} {max}");
        let (folder, raw) = output_path("climate.f32");
        let report = succeed(&format!("{WORLD} --kind {kind}"), &raw);
        assert!(report.contains(&format!("{kind}s {min} to {max}{unit}\n")), "{report}");
        let bytes: Vec<u8> = exact.iter().flat_map(|number| number.to_le_bytes()).collect();
        assert!(std::fs::read(&raw).unwrap() == bytes);

        let tiff = folder.path().join("climate.tif");
        succeed(&format!("{WORLD} --kind {kind}"), &tiff);
        let (raster, _) = orogeny_raster::read(&tiff, &Reading::default()).unwrap();
        assert!(raster.heights() == exact);

        let exr = folder.path().join("climate.exr");
        succeed(&format!("{WORLD} --kind {kind}"), &exr);
        let image = read_first_flat_layer_from_file(&exr).unwrap();
        let read = image.layer_data.channel_data.list[0].sample_data.values_as_f32();
        assert!(read.eq(exact.iter().copied()));

        let png = folder.path().join("climate.png");
        succeed(&format!("{WORLD} --kind {kind}"), &png);
        let png = Picture::read(&png);
        assert_eq!(png.text("orogeny:min").parse(), Ok(min));
        assert_eq!(png.text("orogeny:max").parse(), Ok(max));
        for (grey, exact) in png.pixels16().into_iter().zip(exact) {
            let read = min + f32::from(grey) / 65535.0 * (max - min);
            assert!((read - exact).abs() <= 0.51 * (max - min) / 65535.0 + 1e-5, "{read} {exact}");
        }
    }
}

#[test]
fn integers_have_the_range_of_the_command_line() {
    let (_folder, path) = output_path("climate.r16");
    let report = succeed(&format!("{WORLD} --kind temperature --range -40,40"), &path);
    assert!(report.contains("range    -40 to 40 °C as 0 to 65535\n"), "{report}");
    let bytes = std::fs::read(&path).unwrap();
    let (steps, _) = bytes.as_chunks();
    for (step, exact) in steps.iter().zip(&exact_climate()[0]) {
        let read = f32::from(u16::from_le_bytes(*step)) / 65535.0 * 80.0 - 40.0;
        assert!((read - exact).abs() <= 0.51 * 80.0 / 65535.0 + 1e-5, "{read} {exact}");
    }
}

#[test]
fn climates_need_a_format_that_has_numbers() {
    for kind in ["temperature", "moisture"] {
        let refused = message(&format!("{WORLD} --kind {kind}"), "climate.glb");
        assert!(refused.contains(kind) && refused.contains(".exr"), "{refused}");
    }
}
