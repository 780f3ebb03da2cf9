//! The programs that need no window, run as a user would run them: `fly` without its window, and
//! `custom_field`, which opens what `orogeny export` writes, at its scale.

use std::fs;
use std::path::Path;
use std::process::Command;

use bevy::prelude::*;
use bevy_orogeny::orogeny::scatter::Scatter;
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::{Ground, Terrain};
use bevy_orogeny_panel::KeyLabels;

use crate::play::fly::plants::PlantsPlugin;

#[path = "../../examples/custom_field/file.rs"]
mod file;
use file::Heights;
#[path = "../../crates/orogeny_cli/tests/cli/support.rs"]
mod support;
use support::{fail, names, output_path};

const SPACING: f64 = 12.5;
const SIZE: [usize; 2] = [40, 24];

/// An example program, which `cargo test` builds.
fn program(name: &str) -> Command {
    built(&Path::new("examples").join(name))
}

/// The program of `orogeny_cli`, which `cargo test` builds.
fn orogeny() -> Command {
    built(Path::new("orogeny"))
}

fn built(path: &Path) -> Command {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().unwrap().parent().unwrap().join(path);
    let built = built.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(built.exists(), "{built:?} is not built: cargo test --no-run");
    let mut command = Command::new(built);
    command.env("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR"));
    command
}

fn recipe(density: f32) -> Recipe {
    let scatter = Scatter { density, ..Scatter::default() };
    Recipe { scatter, ..Recipe::new(1, 1.0, Node::Constant(0.0)) }
}

/// The recipe stays as it is, so that it can be saved, and no key is a step that can be undone.
#[test]
fn plants_are_thinned_beside_the_recipe() {
    let mut app = App::new();
    app.add_plugins(PlantsPlugin);
    app.init_resource::<KeyLabels>().init_resource::<ButtonInput<KeyCode>>();
    app.world_mut().spawn(Terrain { scatter_density: 0.5, ..Terrain::recipe(recipe(0.8)) });
    let mut press = |key, times| {
        for _ in 0..times {
            let mut keys = ButtonInput::<KeyCode>::default();
            keys.press(key);
            app.insert_resource(keys);
            app.update();
        }
        let world = app.world_mut();
        let terrain = world.query::<&Terrain>().single(world).unwrap();
        assert_eq!(terrain.ground, Ground::Recipe(recipe(0.8)));
        terrain.scatter_density
    };
    assert_eq!(press(KeyCode::Minus, 1), 0.25);
    assert_eq!(press(KeyCode::Minus, 3), 0.0);
    assert_eq!(press(KeyCode::Equal, 9), 1.0);
}

#[test]
fn graphics_interfaces_are_those_that_the_user_names() {
    let (_folder, out) = output_path("shots");
    let run = |names: &str| {
        let mut command = program("fly");
        command.args(["--headless", "--frames=1", "--size=64x64", "--out"]).arg(&out);
        command.env("WGPU_BACKEND", names).output().unwrap()
    };
    for wrong in ["vulcan", "gl", "vulkan,gl"] {
        let name = wrong.rsplit(',').next().unwrap();
        fail(&run(wrong), 2, &["WGPU_BACKEND", &format!("{name:?}"), "vulkan, metal, dx12"]);
    }
    // Nowhere are there all of them.
    let other = if cfg!(target_os = "macos") { "dx12" } else { "metal" };
    let output = run(other);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.contains(&format!("WGPU_BACKEND={other}")), "{said}");
    assert!(out.join("0001.png").exists(), "{said}");
}

#[test]
fn densities_outside_the_limits_are_refused() {
    for wrong in ["--plants=-0.1", "--plants=1.5", "--plants=NaN", "--plants=many"] {
        let output = program("fly").arg(wrong).output().unwrap();
        fail(&output, 2, &["--plants", "must be a number between 0 and 1"]);
    }
}

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
