//! The smallest program with terrain: the plugin, a terrain, a camera that views it, and a sun.
//!
//! `cargo run --release --example minimal`

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_orogeny::prelude::*;

const KEYS: &str = "minimal: W A S D fly, Q E down and up, Shift faster, right mouse button looks";
const METRES_ABOVE_GROUND: f32 = 150.0;

fn main() {
    let window = Window { title: KEYS.into(), ..default() };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins((FreeCameraPlugin, TerrainPlugins))
        .insert_resource(ClearColor(Color::srgb(0.5, 0.68, 0.85)))
        .insert_resource(GlobalAmbientLight { brightness: 600.0, ..default() })
        .add_systems(Startup, setup)
        .run();
}

fn setup(mut commands: Commands) {
    commands.spawn(Terrain::default());
    commands.spawn((
        Camera3d::default(),
        TerrainViewer::default(),
        SpawnOnGround { offset: METRES_ABOVE_GROUND, ..SpawnOnGround::at([0.0, 0.0]) },
        Transform::default().looking_to(Vec3::new(-1.0, -0.2, -0.3), Vec3::Y),
        FreeCamera { walk_speed: 50.0, run_speed: 500.0, ..default() },
    ));
    commands.spawn((
        DirectionalLight::default(),
        Transform::default().looking_to(Vec3::new(-0.4, -0.6, -1.0), Vec3::Y),
    ));
}
