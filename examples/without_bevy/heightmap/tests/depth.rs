//! The depth of water.

use crate::tests::{Png, load, message, output, succeed};

const AREA: &str = "lowlands --size 60x34 --origin -12000,-14000 --spacing 100 --kind depth";

fn depths() -> Vec<f32> {
    let (_, field) = load("lowlands");
    let at = |start: f64, index: i32| start + 100.0 * f64::from(index);
    let points = (0..34).flat_map(|j| (0..60).map(move |i| [at(-12000.0, i), at(-14000.0, j)]));
    points.map(|p| field.water(p).map_or(0.0, |water| water.depth as f32)).collect()
}

#[test]
fn depths_are_those_of_the_landscape() {
    let exact = depths();
    assert!(exact.contains(&0.0) && exact.iter().any(|&depth| depth > 0.5));
    let (folder, path) = output("depth.f32");
    let report = succeed(AREA, &path);
    assert!(report.contains("depths   0 to "), "{report}");
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes == exact.iter().flat_map(|depth| depth.to_le_bytes()).collect::<Vec<_>>());

    let png = folder.path().join("depth.png");
    succeed(AREA, &png);
    let png = Png::read(&png);
    let max: f32 = png.text("orogeny:max").parse().unwrap();
    assert_eq!(
        (png.text("orogeny:min"), max),
        ("0".into(), exact.iter().copied().fold(0.0, f32::max))
    );
    for (grey, exact) in png.greys().into_iter().zip(exact) {
        assert!((f32::from(grey) / 65535.0 * max - exact).abs() <= 0.51 * max / 65535.0);
    }
}

#[test]
fn depths_need_a_format_that_has_metres() {
    assert!(message(AREA, "depth.glb").contains(".exr"));
    assert!(message(AREA, "depth").contains(".exr"));
}
