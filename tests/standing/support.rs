//! A server with terrain.

use bevy::prelude::*;
use bevy_orogeny::orogeny::{Fractal, GradientNoise, Recipe};
use bevy_orogeny::prelude::*;

pub fn plain() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), TerrainPlugins));
    app
}

pub fn terrain(seed: u64) -> Terrain {
    let fbm = Fractal::fbm(9.0, GradientNoise::seeded(0));
    Terrain::recipe(Recipe::new(seed, 150.0, Fractal { frequency: 0.003, ..fbm }))
}
