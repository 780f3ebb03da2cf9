//! Temperature and moisture at each pixel.

use exr::prelude::read_first_flat_layer_from_file;
use orogeny::Field;
use orogeny::cover::CoverPoint;
use orogeny_raster::Reading;

use crate::tests::{Png, load, message, output, succeed};

/// Near each other, since the climate is that of ground with rivers.
const AREA: &str = "world --size 40x25 --origin 3000,-9000 --spacing 150";

/// The temperature and the moisture, point by point.
fn climate() -> [Vec<f32>; 2] {
    let (_, field) = load("world");
    let smooth = field.band_limited(CoverPoint::SCALE).unwrap();
    let at = |start: f64, index: i32| start + 150.0 * f64::from(index);
    let points = (0..25).flat_map(|j| (0..40).map(move |i| [at(3000.0, i), at(-9000.0, j)]));
    let climate = points.map(|p| field.climate().at(p, &smooth.sample(p)));
    climate.map(|it| (it.temperature, it.moisture)).unzip::<_, _, Vec<_>, Vec<_>>().into()
}

#[test]
fn climates_are_those_of_the_landscape() {
    let exact = climate();
    for (kind, unit, exact) in [("temperature", " °C", &exact[0]), ("moisture", "", &exact[1])] {
        let [min, max] = [f32::min, f32::max].map(|f| exact.iter().copied().reduce(f).unwrap());
        assert!(max - min > 0.005, "{kind} {min} {max}");
        let (folder, raw) = output("climate.f32");
        let report = succeed(&format!("{AREA} --kind {kind}"), &raw);
        assert!(report.contains(&format!("{kind}s {min} to {max}{unit}\n")), "{report}");
        let bytes: Vec<u8> = exact.iter().flat_map(|number| number.to_le_bytes()).collect();
        assert!(std::fs::read(&raw).unwrap() == bytes);

        let tiff = folder.path().join("climate.tif");
        succeed(&format!("{AREA} --kind {kind}"), &tiff);
        let (raster, _) = orogeny_raster::read(&tiff, &Reading::default()).unwrap();
        assert!(raster.heights() == exact);

        let exr = folder.path().join("climate.exr");
        succeed(&format!("{AREA} --kind {kind}"), &exr);
        let image = read_first_flat_layer_from_file(&exr).unwrap();
        let read = image.layer_data.channel_data.list[0].sample_data.values_as_f32();
        assert!(read.eq(exact.iter().copied()));

        let png = folder.path().join("climate.png");
        succeed(&format!("{AREA} --kind {kind}"), &png);
        let png = Png::read(&png);
        assert_eq!(png.text("orogeny:min").parse(), Ok(min));
        assert_eq!(png.text("orogeny:max").parse(), Ok(max));
        for (grey, exact) in png.greys().into_iter().zip(exact) {
            let read = min + f32::from(grey) / 65535.0 * (max - min);
            assert!((read - exact).abs() <= 0.51 * (max - min) / 65535.0 + 1e-5, "{read} {exact}");
        }
    }
}

#[test]
fn integers_have_the_range_of_the_command_line() {
    let (_folder, path) = output("climate.r16");
    let report = succeed(&format!("{AREA} --kind temperature --range -40,40"), &path);
    assert!(report.contains("range    -40 to 40 °C as 0 to 65535\n"), "{report}");
    let bytes = std::fs::read(&path).unwrap();
    let (steps, _) = bytes.as_chunks();
    for (step, exact) in steps.iter().zip(&climate()[0]) {
        let read = f32::from(u16::from_le_bytes(*step)) / 65535.0 * 80.0 - 40.0;
        assert!((read - exact).abs() <= 0.51 * 80.0 / 65535.0 + 1e-5, "{read} {exact}");
    }
}

#[test]
fn climates_need_a_format_that_has_numbers() {
    for kind in ["temperature", "moisture"] {
        let refused = message(&format!("{AREA} --kind {kind}"), "climate.glb");
        assert!(refused.contains(kind) && refused.contains(".exr"), "{refused}");
    }
}
