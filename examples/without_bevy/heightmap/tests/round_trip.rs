//! Heights in each format, read by other code than that which writes them.

use std::path::Path;

use exr::prelude::{ReadChannels, ReadLayers};
use orogeny_raster::{ByteOrder, Placement, Reading, Report};

use crate::tests::{Png, load, names, output, succeed};

const SIZE: [usize; 2] = [93, 41];
const ORIGIN: [f64; 2] = [-4000.25, 256.5];
const SPACING: f64 = 2.5;
const AREA: &str = "alpine --size 93x41 --origin -4000.25,256.5 --spacing 2.5";

/// The heights of the field, point by point.
fn heights() -> Vec<f32> {
    let (_, field) = load("alpine");
    let at = |k: usize, index: usize| ORIGIN[k] + SPACING * index as f64;
    let points = (0..SIZE[1]).flat_map(|j| (0..SIZE[0]).map(move |i| [at(0, i), at(1, j)]));
    points.map(|p| field.sample(p).value).collect()
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
    let (folder, png) = output("terrain.png");
    succeed(AREA, &png);
    let picture = Png::read(&png);
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
    let (_folder, path) = output("terrain.r32");
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
        let (folder, path) = output("terrain.tif");
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
    let (folder, recipe) = output("flat.ron");
    std::fs::write(&recipe, "(field: Constant(2.5))").unwrap();
    let path = folder.path().join("flat.tif");
    succeed(&format!("{} --size 5 --kind tiff16", recipe.display()), &path);
    let (raster, _) = orogeny_raster::read(&path, &Reading::default()).unwrap();
    assert_eq!(raster.heights(), [2.5; 25]);
}

#[test]
fn exr_is_exact_and_has_its_metadata() {
    let (folder, path) = output("terrain.exr");
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
