//! What the examples share: an app with a window, and the differences between the engines.

mod avian;
#[cfg(feature = "rapier")]
mod rapier;

use bevy::prelude::*;
use bevy_orogeny::TerrainPlugins;
use bevy_orogeny::advanced::PhysicsEngine;
use clap::{Parser, ValueEnum};

/// The arguments of the program.
#[derive(Parser)]
struct Args {
    /// The physics engine: Rapier with the feature of that name
    #[arg(value_enum, default_value = "avian")]
    engine: EngineName,
}

#[derive(Clone, Copy, ValueEnum)]
enum EngineName {
    Avian,
    #[cfg(feature = "rapier")]
    Rapier,
}

/// What the examples need of an engine.
pub trait Engine: PhysicsEngine {
    fn add(app: &mut App);
    fn cuboid(size: f32) -> impl Bundle;
    /// A capsule that stays upright.
    #[allow(dead_code, reason = "not all examples have one")]
    fn upright(radius: f32, length: f32) -> impl Bundle;
}

/// An example.
pub trait Example {
    /// The title of its window.
    const TITLE: &str;
    fn add<E: Engine>(app: &mut App, engine: E);
}

/// Runs an example with the engine that the command line names.
pub fn run<T: Example>() {
    match Args::parse().engine {
        EngineName::Avian => run_with::<T, _>(bevy_orogeny_physics::Avian),
        #[cfg(feature = "rapier")]
        EngineName::Rapier => run_with::<T, _>(bevy_orogeny_physics::Rapier),
    }
}

fn run_with<T: Example, E: Engine>(engine: E) {
    let mut app = App::new();
    let window = Window { title: T::TITLE.into(), ..default() };
    app.add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .insert_resource(ClearColor(Color::srgb(0.5, 0.68, 0.85)))
        .insert_resource(GlobalAmbientLight { brightness: 600.0, ..default() })
        .add_plugins(TerrainPlugins);
    E::add(&mut app);
    T::add(&mut app, engine);
    app.run();
}
