//! Standing on terrain without a physics engine: several terrains, changes that are pending, ground
//! that is not shown yet, walkers and platforms, servers, and apps that lack a plugin.

mod platforms;
mod server;
mod several;
mod shown;
mod walkers;

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::orogeny::{Field, Fractal, GradientNoise, Node, Recipe, Sample};
use bevy_orogeny::prelude::*;

/// A server.
fn plain() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), TerrainPlugins));
    app
}

/// All following frames take so many seconds.
fn time_step(app: &mut App, seconds: f64) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(seconds)));
}

fn terrain(seed: u64) -> Terrain {
    let fbm = Fractal::fbm(9.0, GradientNoise::seeded(0));
    Terrain::recipe(Recipe::new(seed, 150.0, Fractal { frequency: 0.003, ..fbm }))
}

fn flat(height: f32) -> Recipe {
    Recipe::new(1, 1.0, Node::Constant(height))
}

/// The height of an entity.
fn height(app: &App, entity: Entity) -> f32 {
    app.world().get::<Transform>(entity).unwrap().translation.y
}

/// One height for negative x, another elsewhere.
struct Step(f32, f32);

impl Field<2> for Step {
    fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
        Sample::constant(if x < 0.0 { self.0 } else { self.1 })
    }
}
