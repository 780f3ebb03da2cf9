//! The least code for endless terrain: the plugin, a terrain, a viewer and a sun. A height query
//! puts the camera above the ground.

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_orogeny::{Terrain, TerrainPlugin, TerrainViewer};

const KEYS: &str = "minimal: W A S D fly, Q E down and up, Shift faster, right mouse button looks";
const METRES_ABOVE_GROUND: f32 = 150.0;

fn main() {
    let window = Window { title: KEYS.into(), ..default() };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins((FreeCameraPlugin, TerrainPlugin))
        .insert_resource(ClearColor(Color::srgb(0.5, 0.68, 0.85)))
        .insert_resource(GlobalAmbientLight { brightness: 600.0, ..default() })
        .add_systems(Startup, setup)
        .run();
}

fn setup(mut commands: Commands) -> Result {
    let terrain = Terrain::default();
    let height = terrain.height([0.0, 0.0])?.value + METRES_ABOVE_GROUND;
    commands.spawn(terrain);
    commands.spawn((
        Camera3d::default(),
        TerrainViewer::default(),
        FreeCamera { walk_speed: 50.0, run_speed: 500.0, ..default() },
        Transform::from_xyz(0.0, height, 0.0).looking_to(Vec3::new(-1.0, -0.2, -0.3), Vec3::Y),
    ));
    commands.spawn((
        DirectionalLight::default(),
        Transform::default().looking_to(Vec3::new(-0.4, -0.6, -1.0), Vec3::Y),
    ));
    Ok(())
}
