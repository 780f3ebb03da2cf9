//! What the examples share: an app with a window, and the differences between the engines.

use avian3d::prelude as avian;
use bevy::prelude::*;
use bevy_orogeny::{PhysicsEngine, TerrainPlugins};
use bevy_orogeny_physics::{Avian, Rapier};
use bevy_rapier3d::prelude as rapier;
use clap::{Parser, ValueEnum};

/// The arguments of the program.
#[derive(Parser)]
struct Args {
    /// The physics engine
    #[arg(value_enum, default_value = "avian")]
    engine: EngineName,
}

#[derive(Clone, Copy, ValueEnum)]
enum EngineName {
    Avian,
    Rapier,
}

/// What all examples need of an engine.
pub trait Engine: PhysicsEngine {
    fn cuboid(size: f32) -> impl Bundle;
}

impl Engine for Avian {
    fn cuboid(size: f32) -> impl Bundle {
        (avian::RigidBody::Dynamic, avian::Collider::cuboid(size, size, size))
    }
}

impl Engine for Rapier {
    fn cuboid(size: f32) -> impl Bundle {
        let half = 0.5 * size;
        (rapier::RigidBody::Dynamic, rapier::Collider::cuboid(half, half, half))
    }
}

/// Runs an app whose window has a title, with the engine that the command line names. One of two
/// functions adds the systems.
pub fn run(title: &str, with_avian: fn(&mut App, Avian), with_rapier: fn(&mut App, Rapier)) {
    let Args { engine } = Args::parse();
    let mut app = App::new();
    let window = Window { title: title.into(), ..default() };
    app.add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .insert_resource(ClearColor(Color::srgb(0.5, 0.68, 0.85)))
        .insert_resource(GlobalAmbientLight { brightness: 600.0, ..default() })
        .add_plugins(TerrainPlugins);
    match engine {
        EngineName::Avian => {
            app.add_plugins((avian::PhysicsPlugins::default(), avian::PhysicsDebugPlugin));
            with_avian(&mut app, Avian);
        }
        EngineName::Rapier => {
            app.add_plugins(rapier::RapierPhysicsPlugin::<()>::default())
                .add_plugins(rapier::RapierDebugRenderPlugin::default());
            with_rapier(&mut app, Rapier);
        }
    }
    app.run();
}
