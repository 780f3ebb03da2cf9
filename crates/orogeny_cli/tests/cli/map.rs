//! Maps: their colours, light and water.

use std::fs;

use orogeny::drainage::WaterKind;

use crate::support::{Picture, load, message, names, output_path, positions, succeed};

/// The map of a recipe, given as RON.
fn map(recipe: &str, arguments: &str) -> (Vec<[u8; 3]>, String) {
    let (folder, path) = output_path("map.png");
    let file = folder.path().join("recipe.ron");
    fs::write(&file, recipe).unwrap();
    let report = succeed(&format!("map {} {arguments}", file.display()), &path);
    (pixels(&Picture::read(&path)), report)
}

fn pixels(png: &Picture) -> Vec<[u8; 3]> {
    png.bytes.as_chunks().0.to_vec()
}

fn sum(pixel: [u8; 3]) -> u32 {
    pixel.into_iter().map(u32::from).sum()
}

#[test]
fn lands_have_their_colours() {
    // The wave is 1 at the first pixel, and -1 at the last.
    let recipe = "(field: Constant(5), fields: {\"warm\": Wave(length: 4000)}, lands: (
        along: [Named(\"warm\")],
        of: [
            (name: \"cold\", colour: (1.0, 0.5, 0.0)),
            (name: \"warm\", colour: (0.0, 0.5, 1.0), within: [(min: 0, soft: 0.1)]),
        ],
    ))";
    let (pixels, report) = map(recipe, "--size 3x21 --spacing 100");
    assert!(report.contains("1 pass,") && !report.contains("range"), "{report}");
    let bright = 255.0 * (0.25 + 0.95 * 0.5f64.sqrt());
    let [full, half] = [bright, 0.5 * bright].map(|part| part.round() as u8);
    assert_eq!(pixels[0], [0, half, full]);
    assert_eq!(pixels[3 * 20], [full, half, 0]);
}

/// Hills along x with the sea between them: their tops at z = 0, the deepest sea at 4 km.
#[test]
fn slopes_are_lit_from_the_top_and_seas_are_darker_with_depth() {
    let recipe = "(height: 1000, field: Wave(length: 8000), sea_level: 0)";
    let (pixels, report) = map(recipe, "--size 1x57 --origin 0,-1600 --spacing 100");
    assert!(report.contains("2 passes,"), "{report}");
    assert!(report.contains("range    0 to 1000 m as the ramp of colours"), "{report}");
    let at = |z: usize| pixels[(z + 1600) / 100];
    let towards = pixels[(1600 - 1000) / 100];
    assert!(2 * sum(towards) > 3 * sum(at(1000)), "{towards:?} {:?}", at(1000));
    assert!(at(0).into_iter().all(|part| part > 200), "the top is white: {:?}", at(0));
    for z in (2100..3000).step_by(100) {
        let [red, _, blue] = at(z);
        assert!(blue > red && sum(at(z + 100)) <= sum(at(z)), "{z}: {:?}", at(z));
    }
    assert!(sum(at(2100)) > sum(at(3000)) + 100);
}

#[test]
fn water_is_blue_and_rivers_are_lines() {
    let (_folder, path) = output_path("map.png");
    succeed("map lowlands --size 150x90 --origin -12000,-14000 --spacing 40", &path);
    let near = pixels(&Picture::read(&path));
    let (_, field) = load("lowlands");
    let is_blue = |[red, _, blue]: [u8; 3]| blue > red;
    let mut seen = [0; 2];
    let positions = positions([150, 90], [-12000.0, -14000.0], 40.0);
    assert_eq!(near.len(), positions.len());
    for (pixel, position) in near.into_iter().zip(positions) {
        let water = field.water(position);
        assert!(water.is_none() || is_blue(pixel), "{position:?} {pixel:?} {water:?}");
        let is_river = water.is_some_and(|water| water.kind == WaterKind::River);
        seen[0] += i32::from(is_river);
        seen[1] += i32::from(is_blue(pixel));
    }
    // Lines are wider than brooks.
    assert!(seen[0] > 20 && seen[1] > seen[0] + 100, "{seen:?}");
}

#[test]
fn tiles_are_parts_of_the_whole() {
    let (folder, path) = output_path("map.png");
    let area = "--origin -12000,-14000 --spacing 60";
    succeed(&format!("map lowlands --size 33x17 --tiles 2x2 {area}"), &path);
    assert_eq!(names(&folder).len(), 4);
    let whole = folder.path().join("whole.png");
    succeed(&format!("map lowlands --size 65x33 {area}"), &whole);
    let whole = pixels(&Picture::read(&whole));
    for [x, y] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
        let tile = pixels(&Picture::read(&folder.path().join(format!("map_x{x}_y{y}.png"))));
        for (row, tile) in tile.chunks_exact(33).enumerate() {
            let start = 65 * (16 * y + row) + 32 * x;
            assert_eq!(tile, &whole[start..start + 33], "x{x} y{y}, row {row}");
        }
    }
}

#[test]
fn all_rivers_too_near_each_other_are_left_out() {
    let (_folder, path) = output_path("map.png");
    succeed("map world --size 20 --spacing 9000", &path);
    // A map is a command of its own.
    assert!(message("export world --kind map", "map.png").contains("invalid value 'map'"));
}
