//! A small game to start from: somebody walks, jumps and swims through endless terrain, followed by
//! a camera; a start that waits for the ground, houses on level pads, a tree and a texture of the
//! game's own, undo, and a file in which all is kept.
//!
//! `cargo run --release --example third_person`, or with `-- picture.png` to draw a picture without
//! a window.

mod bar;
mod camera;
mod character;
mod houses;
mod looks;
#[path = "../own_textures/paving.rs"]
mod paving;
#[path = "../shared/picture.rs"]
mod picture;
mod player;
mod saving;
mod start;

use bevy::light::CascadeShadowConfigBuilder;
use bevy::prelude::*;
use bevy_egui::EguiPlugin;
use bevy_orogeny::prelude::*;
use bevy_orogeny_world::{SavedTerrain, TerrainWorld, TerrainWorldPlugin};

fn main() -> AppExit {
    let mut app = App::new();
    picture::open(&mut app, "third_person");
    app.add_plugins((EguiPlugin::default(), TerrainPlugins, TerrainWorldPlugin))
        .add_plugins((camera::plugin, player::plugin, houses::plugin))
        .add_plugins((saving::plugin, start::plugin, bar::plugin))
        .insert_resource(ClearColor(camera::SKY))
        .insert_resource(GlobalAmbientLight { color: camera::SKY, brightness: 900.0, ..default() })
        .add_systems(Startup, (looks::load, (saving::open, (player::spawn, setup)).chain()))
        .add_systems(Update, quit)
        .run()
}

fn quit(keys: Res<ButtonInput<KeyCode>>, mut exit: MessageWriter<AppExit>) {
    if keys.just_pressed(KeyCode::Escape) {
        exit.write(AppExit::Success);
    }
}

/// Spawns a sun and the terrain, which gets its ground from the file that `saving` opened, if any.
fn setup(
    mut commands: Commands,
    world: Option<Res<TerrainWorld>>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<GroundMaterial>>,
) {
    let mut terrain = commands.spawn(looks::textures(&mut images, &mut materials));
    if world.is_some() {
        terrain.insert(SavedTerrain);
    } else {
        match looks::terrain() {
            Ok(land) => drop(terrain.insert(land)),
            Err(error) => error!("there is no land: {error}"),
        }
    }
    let cascades = CascadeShadowConfigBuilder {
        maximum_distance: 300.0,
        first_cascade_far_bound: 20.0,
        ..default()
    };
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, ..default() },
        cascades.build(),
        // In the morning.
        Transform::default().looking_to(Vec3::new(-0.45, -0.4, -0.7), Vec3::Y),
    ));
}
