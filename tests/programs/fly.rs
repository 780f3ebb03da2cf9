//! `fly`: the density of plants.

use bevy::prelude::*;
use bevy_orogeny::orogeny::scatter::Scatter;
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::{Ground, Terrain};

use super::support::{fail, program};

#[path = "../../examples/fly/plants.rs"]
mod plants;
use plants::{Plants, PlantsPlugin};

fn recipe(density: f32) -> Recipe {
    let scatter = Scatter { density, ..Scatter::default() };
    Recipe { scatter, ..Recipe::new(1, 1.0, Node::Constant(0.0)) }
}

/// Updates, and returns the density of the terrain and the one that would be saved.
fn densities(app: &mut App) -> [f32; 2] {
    app.update();
    let world = app.world_mut();
    let terrain = world.query::<&Terrain>().single(world).unwrap();
    let Ground::Recipe(recipe) = &terrain.ground else { panic!("{terrain:?}") };
    let restored = world.resource::<Plants>().restored(recipe);
    [recipe.scatter.density, restored.scatter.density]
}

#[test]
fn plants_are_thinned_in_every_recipe_and_saved_as_they_were() {
    let mut app = App::new();
    app.add_plugins(PlantsPlugin(Plants::new(0.5)));
    let terrain = app.world_mut().spawn(Terrain::recipe(recipe(1.0))).id();
    // Nothing is thinned twice.
    assert_eq!(densities(&mut app), [0.5, 1.0]);
    assert_eq!(densities(&mut app), [0.5, 1.0]);
    app.world_mut().entity_mut(terrain).insert(Terrain::recipe(recipe(0.8)));
    assert_eq!(densities(&mut app), [0.4, 0.8]);

    let mut press = |key, times| {
        for _ in 0..times {
            let mut keys = ButtonInput::<KeyCode>::default();
            keys.press(key);
            app.insert_resource(keys);
            app.update();
        }
        app.insert_resource(ButtonInput::<KeyCode>::default());
        densities(&mut app)
    };
    assert_eq!(press(KeyCode::Minus, 1), [0.2, 0.8]);
    assert_eq!(press(KeyCode::Minus, 3), [0.0, 0.8]);
    assert_eq!(press(KeyCode::Equal, 9), [0.8, 0.8]);
}

#[test]
fn densities_outside_the_limits_are_refused() {
    for wrong in ["--plants=-0.1", "--plants=1.5", "--plants=NaN", "--plants=many"] {
        let output = program("fly").arg(wrong).output().unwrap();
        fail(&output, 2, &["--plants", "must be a number between 0 and 1"]);
    }
}
