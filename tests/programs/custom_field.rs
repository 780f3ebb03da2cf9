//! `custom_field`: it opens what `orogeny export` writes, at its scale.

use std::fs;
use std::path::Path;

use bevy_orogeny::orogeny::Recipe;

use super::support::{names, orogeny, output_path};

#[path = "../../examples/custom_field/file.rs"]
mod file;
use file::Heights;

const SPACING: f64 = 12.5;
const SIZE: [usize; 2] = [40, 24];

/// Runs `orogeny export` and reads what it has written.
fn written(out: &Path, more: &[&str]) -> Result<Heights, String> {
    let mut command = orogeny();
    command.args(["export", "alpine", "--size=40x24", "--spacing=12.5", "--origin=-1000,700"]);
    command.arg("--force");
    let output = command.args(more).arg("--out").arg(out).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Heights::read(out)
}

#[test]
fn exports_open_at_their_scale() {
    let preset = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/presets/alpine.terrain.ron");
    let land = Recipe::from_ron(&fs::read_to_string(preset).unwrap()).unwrap().build().unwrap();
    let point = |i: usize| {
        let [x, z] = [i % SIZE[0], i / SIZE[0]].map(|k| SPACING * k as f64);
        [x - 1000.0, z + 700.0]
    };
    let expected: Vec<f32> = (0..SIZE[0] * SIZE[1]).map(|i| land.value(point(i))).collect();
    for (name, more, error) in [
        ("fitted.png", &[][..], 0.02),
        ("ranged.png", &["--range=-100,3000"], 0.03),
        ("fitted.r16", &[], 0.02),
        ("ranged.raw", &["--range=-100,3000"], 0.03),
        ("exact.f32", &[], 0.0),
        ("exact.r32", &[], 0.0),
        ("named.heights", &["--kind=f32"], 0.0),
    ] {
        let (_folder, out) = output_path(name);
        let Heights { heights, size, spacing } = written(&out, more).unwrap();
        assert_eq!((size, spacing), (SIZE, SPACING), "{name}");
        for (height, expected) in heights.iter().zip(&expected) {
            assert!((height - expected).abs() <= error, "{name}: {height} {expected}");
        }
    }
}

#[test]
fn pictures_without_a_scale_have_the_default_one() {
    let island = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/heightmaps/island.png");
    let Heights { heights, spacing, .. } = Heights::read(&island).unwrap();
    assert_eq!(spacing, 24.0);
    assert!(heights.iter().all(|height| (-120.0..=1280.0).contains(height)));
}

#[test]
fn what_has_no_heights_is_refused() {
    let (folder, out) = output_path("heights.r16");
    written(&out, &[]).unwrap();
    assert_eq!(names(&folder).len(), 2);
    let refused = |out: &Path, expected: &str| {
        let error = Heights::read(out).unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    fs::write(&out, [0; 7]).unwrap();
    refused(&out, "7 bytes are not 40 x 24 heights");
    fs::remove_file(folder.path().join("heights.r16.txt")).unwrap();
    refused(&out, "heights.r16.txt");
    let (_folder, normals) = output_path("normals.png");
    let error = written(&normals, &["--kind=normal"]).unwrap_err();
    assert!(error.contains("normal, not heights"), "{error}");
    refused(&normals.with_file_name("missing.png"), "missing.png");
}
