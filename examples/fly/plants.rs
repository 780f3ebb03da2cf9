//! How densely plants and rocks stand, whatever the recipe is.

use bevy::prelude::*;
use bevy_orogeny::Terrain;
use bevy_orogeny_panel::{KeyLabels, Shortcuts};

use super::keys::{FEWER, MORE};

/// By how much a key changes the density.
const STEP: f32 = 0.25;

/// Thins what grows on the terrain.
pub struct PlantsPlugin;

impl Plugin for PlantsPlugin {
    fn build(&self, app: &mut App) {
        // Without a panel there are no keys.
        app.add_systems(Update, turn.run_if(resource_exists::<KeyLabels>));
    }
}

/// Changes the density with keys.
fn turn(keys: Shortcuts, mut terrains: Query<&mut Terrain>) {
    let way = f32::from(keys.just_pressed(MORE)) - f32::from(keys.just_pressed(FEWER));
    if way != 0.0 {
        for mut terrain in &mut terrains {
            terrain.scatter_density = (terrain.scatter_density + way * STEP).clamp(0.0, 1.0);
        }
    }
}
