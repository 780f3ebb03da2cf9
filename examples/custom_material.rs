//! A custom material: a map with contour lines, in a shader of 20 lines without code for terrain.
//! Skirts close the gaps between levels of detail, as for all materials that do not geomorph.
//!
//! `cargo run --release --example custom_material`

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::ShaderRef;
use bevy_orogeny::advanced::TerrainMaterialPlugin;
use bevy_orogeny::{Terrain, TerrainPlugins, TerrainViewer};

const KEYS: &str =
    "custom_material: W A S D fly, Q E down and up, right mouse looks, C changes the line spacing";
const ABOVE_GROUND: f32 = 400.0;
/// The vertical distances between contour lines to choose from, in metres.
const STEPS: [f32; 3] = [50.0, 100.0, 20.0];

/// The material.
#[derive(Asset, AsBindGroup, TypePath, Clone)]
struct Contours {
    /// The tint of low ground.
    #[uniform(0)]
    low: LinearRgba,
    /// The tint of high ground.
    #[uniform(1)]
    high: LinearRgba,
    /// The vertical distance between lines, and the heights of the two tints, in metres.
    #[uniform(2)]
    heights: Vec4,
}

impl Material for Contours {
    fn fragment_shader() -> ShaderRef {
        "shaders/contours.wgsl".into()
    }
}

fn main() {
    let window = Window { title: KEYS.into(), ..default() };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins((FreeCameraPlugin, TerrainPlugins))
        // Registers the material with Bevy, and allows terrain chunks to use it.
        .add_plugins(MaterialPlugin::<Contours>::default())
        .add_plugins(TerrainMaterialPlugin::<Contours>::default())
        .insert_resource(ClearColor(Color::srgb(0.93, 0.91, 0.85)))
        .add_systems(Startup, setup)
        .add_systems(Update, change_step)
        .run();
}

fn setup(mut commands: Commands, mut materials: ResMut<Assets<Contours>>) -> Result {
    let terrain = Terrain::default();
    let height = terrain.height([0.0, 0.0])?.value + ABOVE_GROUND;
    let map = materials.add(Contours {
        low: Srgba::rgb(0.72, 0.80, 0.58).into(),
        high: Srgba::rgb(0.97, 0.93, 0.86).into(),
        heights: Vec4::new(STEPS[0], 0.0, 1500.0, 0.0),
    });
    commands.spawn((terrain, MeshMaterial3d(map)));
    commands.spawn((
        Camera3d::default(),
        TerrainViewer::default(),
        FreeCamera { walk_speed: 100.0, run_speed: 1000.0, ..default() },
        Transform::from_xyz(0.0, height, 0.0).looking_to(Vec3::new(-1.0, -0.3, -0.3), Vec3::Y),
    ));
    Ok(())
}

fn change_step(
    keys: Res<ButtonInput<KeyCode>>,
    mut materials: ResMut<Assets<Contours>>,
    mut current: Local<usize>,
) {
    if keys.just_pressed(KeyCode::KeyC) {
        *current = (*current + 1) % STEPS.len();
        for (_, map) in materials.iter_mut() {
            map.heights.x = STEPS[*current];
        }
    }
}
