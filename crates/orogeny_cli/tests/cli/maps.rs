//! Maps and splat maps: colours, light and water, and the weights of cover and of lands.

use std::fs;

use orogeny::cover::CoverPoint;
use orogeny::drainage::WaterKind;
use orogeny::{Cover, Field};

use crate::{Picture, load, message, names, output_path, positions, succeed};

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

/// The weights at a position, by samples of single points.
fn weights(preset: &str, positions: &[[f64; 2]]) -> Vec<[f32; Cover::MAX_LAYERS]> {
    let (recipe, field) = load(preset);
    let cover = &recipe.cover;
    let smooth = field.band_limited(CoverPoint::SCALE).unwrap();
    let at = |position: [f64; 2]| {
        let sample = smooth.sample(position);
        let [x, z] = sample.gradient;
        let mean = field.climate().at(position, &sample);
        let point = CoverPoint {
            height: sample.value,
            slope: (x * x + z * z).sqrt(),
            curvature: CoverPoint::curvature_of(&*smooth, position, CoverPoint::SCALE),
            position,
            climate: mean,
        };
        let bank = field.rivers().map_or(f64::INFINITY, |rivers| rivers.bank_distance(position));
        let season = CoverPoint { climate: field.climate().in_season(mean), ..point };
        cover.banks(&point, bank).over(cover.weights(&season), cover.layers.len())
    };
    positions.iter().map(|&position| at(position)).collect()
}

/// Checks the weights at each pixel. Returns how many of them are above 100 of 255 somewhere.
fn strong<const N: usize>(maps: &[Picture], expected: &[[f32; N]]) -> usize {
    let mut seen = vec![false; 4 * maps.len()];
    assert_eq!(expected.len(), maps[0].bytes.len() / 4);
    for (index, expected) in expected.iter().enumerate() {
        let pixel = |map: &Picture| map.bytes[4 * index..][..4].to_vec();
        let bytes: Vec<u8> = maps.iter().flat_map(pixel).collect();
        assert_eq!(bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>(), 255);
        for (k, (byte, weight)) in bytes.into_iter().zip(expected).enumerate() {
            assert!((f32::from(byte) - 255.0 * weight).abs() < 1.1, "{index} {k} {byte} {weight}");
            seen[k] |= byte > 100;
        }
    }
    seen.into_iter().filter(|&seen| seen).count()
}

#[test]
fn splat_maps_have_the_weights_of_all_layers() {
    // With rivers, whose banks have cover of their own.
    let (folder, path) = output_path("land.png");
    let area = "export valleys --size 61x37 --origin -300,-900 --spacing 9";
    succeed(&format!("{area} --kind cover"), &path);
    let (recipe, _) = load("valleys");
    let layers = recipe.cover.layers.len();
    let files = names(&folder);
    assert_eq!(files.len(), layers.div_ceil(4));
    let maps: Vec<Picture> =
        files.iter().map(|name| Picture::read(&folder.path().join(name))).collect();
    assert_eq!(files[0], "land_splat0.png");
    assert!(maps[0].text("orogeny:layers").starts_with("red Grass, green "));

    let positions = positions([61, 37], [-300.0, -900.0], 9.0);
    assert!(strong(&maps, &weights("valleys", &positions)) >= 3);
}

#[test]
fn layers_are_the_channels_of_splat_maps() {
    let (folder, path) = output_path("land.png");
    let area = "export hills --size 20x10 --spacing 30";
    succeed(&format!("{area} --kind cover"), &path);
    succeed(&format!("{area} --kind layers"), &path);
    let splat = Picture::read(&folder.path().join("land_splat0.png"));
    for (k, name) in ["grass", "grass", "forest", "forest"].into_iter().enumerate() {
        let layer = Picture::read(&folder.path().join(format!("land_layer{k}_{name}.png")));
        let channel: Vec<u8> = splat.bytes.iter().skip(k).step_by(4).copied().collect();
        assert_eq!(layer.bytes, channel);
    }
}

#[test]
fn maps_have_the_weights_of_all_lands() {
    let (folder, path) = output_path("world.png");
    let report = succeed(
        "export world --size 41x30 --origin -9000,64000 --spacing 3000 --kind lands",
        &path,
    );
    assert!(report.contains("lands    meadows, steppe, woods, "), "{report}");
    let (_, field) = load("world");
    let lands = field.lands();
    let files = names(&folder);
    assert_eq!(files.len(), lands.lands().len().div_ceil(4));
    assert_eq!(files[1], "world_lands1.png");
    let maps: Vec<Picture> =
        files.iter().map(|name| Picture::read(&folder.path().join(name))).collect();
    let channels = maps[0].text("orogeny:layers");
    assert_eq!(channels, "red meadows, green steppe, blue woods, alpha savanna");

    let positions = positions([41, 30], [-9000.0, 64000.0], 3000.0);
    let expected: Vec<_> = positions.into_iter().map(|p| lands.weights(p)).collect();
    assert!(strong(&maps, &expected) >= 5);
}

#[test]
fn a_recipe_without_lands_is_refused() {
    let refused = message("export hills --size 8 --kind lands", "a.png");
    assert!(refused.starts_with("error: --kind lands: hills has no lands"), "{refused}");
}
