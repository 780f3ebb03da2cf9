//! `fly`: the density of plants.

use bevy::prelude::*;
use bevy_orogeny::orogeny::scatter::Scatter;
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::{Ground, Terrain};
use bevy_orogeny_panel::KeyLabels;

use super::support::{fail, output_path, program};

use crate::play::fly::plants::PlantsPlugin;

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
    fail(&run("vulcan"), 2, &["WGPU_BACKEND", "vulcan", "vulkan, metal, dx12"]);
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
