//! A flock of sheep finds its way over a river by a ford, through a wood.
//!
//! `cargo run --release --example flock`. With `-- --headless --out DIR --frames N` it writes
//! pictures without a window.

mod draw;
mod headless;
mod land;
mod sheep;
#[path = "../../../../examples/shared/windowless.rs"]
mod windowless;

use std::path::PathBuf;

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::light::CascadeShadowConfigBuilder;
use bevy::prelude::*;
use bevy_orogeny::prelude::*;
use bevy_orogeny_navigation::{NavigationMesh, NavigationPlugin, NavigationSource};
use clap::Parser;

const KEYS: &str = "flock: Space sends it over the river, F removes or restores the ford, N shows \
                    the navigation mesh, W A S D fly, Q E down and up, right mouse button looks";
const SKY: Color = Color::srgb(0.6, 0.74, 0.88);

/// A flock of sheep finds its way over a river by a ford.
#[derive(Parser, Clone, Debug)]
struct Args {
    /// Write pictures without a window
    #[arg(long, requires = "out")]
    headless: bool,

    /// The folder of the pictures
    #[arg(long)]
    out: Option<PathBuf>,

    /// The number of pictures, along the way of the flock, 1 to 100
    #[arg(long, default_value = "3", value_parser = clap::value_parser!(u32).range(1..=100))]
    frames: u32,

    /// Show the navigation mesh from the start
    #[arg(long)]
    mesh: bool,
}

fn main() -> AppExit {
    let args = Args::parse();
    let mut app = App::new();
    app.insert_resource(draw::ShowsMesh(args.mesh));
    match args.out.filter(|_| args.headless) {
        Some(out) => headless::add(&mut app, out, args.frames),
        None => {
            let window = Window { title: KEYS.into(), ..default() };
            app.add_plugins(
                DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }),
            );
        }
    }
    app.add_plugins((FreeCameraPlugin, TerrainPlugins, NavigationPlugin))
        .add_plugins((land::plugin, sheep::plugin, draw::plugin))
        .insert_resource(ClearColor(SKY))
        .insert_resource(GlobalAmbientLight { brightness: 500.0, ..default() })
        .add_systems(Startup, setup)
        .run()
}

/// Spawns the terrain, the mesh with a source at the ford, a camera and the sun.
fn setup(mut commands: Commands) -> Result {
    let place = land::Place::find()?;
    let log = place.ford()?;
    commands.spawn((Terrain::recipe(land::recipe()?), TerrainEdits { log }));

    let mesh = commands.spawn(NavigationMesh::new(sheep::agent())?).id();
    let [x, z] = place.ford.map(|x| x as f32);
    // One source for all: everywhere the flock goes.
    let source = NavigationSource { mesh, range: land::RANGE };
    commands.spawn((source, Transform::from_xyz(x, 0.0, z)));

    let (eye, aim) = place.view();
    commands.spawn((
        Camera3d::default(),
        TerrainViewer::default(),
        Transform::from_translation(eye).looking_at(aim, Vec3::Y),
        FreeCamera { walk_speed: 20.0, run_speed: 100.0, ..default() },
        DistanceFog { color: SKY, falloff: FogFalloff::from_visibility(6000.0), ..default() },
        windowless::Taken,
    ));
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, ..default() },
        CascadeShadowConfigBuilder { maximum_distance: 300.0, ..default() }.build(),
        Transform::default().looking_to(Vec3::new(0.5, -0.75, 0.35), Vec3::Y),
    ));
    commands.insert_resource(place);
    Ok(())
}
