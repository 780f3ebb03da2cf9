//! Splat maps: the weights of cover and of lands at each pixel.

use orogeny::cover::CoverPoint;
use orogeny::{Cover, Field};

use crate::support::{Picture, load, message, names, output_path, positions, succeed};

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
