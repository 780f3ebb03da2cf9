//! The weights of lands at each pixel.

use crate::tests::{Png, load, message, names, output, succeed};

#[test]
fn maps_have_the_weights_of_all_lands() {
    let (folder, path) = output("world.png");
    let report =
        succeed("world --size 41x30 --origin -9000,64000 --spacing 3000 --kind lands", &path);
    assert!(report.contains("lands    meadows, steppe, woods, "), "{report}");
    let (_, field) = load("world");
    let lands = field.lands();
    let files = names(&folder);
    assert_eq!(files.len(), lands.lands().len().div_ceil(4));
    assert_eq!(files[1], "world_lands1.png");
    let maps: Vec<Png> = files.iter().map(|name| Png::read(&folder.path().join(name))).collect();
    let channels = maps[0].text("orogeny:layers");
    assert_eq!(channels, "red meadows, green steppe, blue woods, alpha savanna");

    let mut seen = vec![false; 4 * maps.len()];
    for index in 0..41 * 30 {
        let [i, j] = [index % 41, index / 41].map(|k| 3000.0 * k as f64);
        let expected = lands.weights([i - 9000.0, j + 64000.0]);
        let bytes: Vec<u8> =
            maps.iter().flat_map(|map| map.bytes[4 * index..][..4].to_vec()).collect();
        assert_eq!(bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>(), 255);
        for (k, (byte, weight)) in bytes.into_iter().zip(expected).enumerate() {
            assert!((f32::from(byte) - 255.0 * weight).abs() < 1.1, "{index} {k} {byte} {weight}");
            seen[k] |= byte > 100;
        }
    }
    assert!(seen.iter().filter(|&&seen| seen).count() >= 5, "{seen:?}");
}

#[test]
fn a_recipe_without_lands_is_refused() {
    let refused = message("hills --size 8 --kind lands", "a.png");
    assert!(refused.starts_with("error: --kind lands: hills has no lands"), "{refused}");
}
