//! How densely plants and rocks stand, whatever the recipe is.

use bevy::prelude::*;
use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::{Ground, Terrain};
use bevy_orogeny_panel::{KeyLabels, Shortcuts};

use super::keys::{FEWER, MORE};

/// By how much a key changes the factor.
const STEP: f32 = 0.25;

/// Multiplies the density of the scatter of every recipe that the terrain gets.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct Plants {
    /// 0 for nothing, 1 for all.
    factor: f32,
    /// The recipe's own density, and the one that the terrain got instead.
    thinned: Option<[f32; 2]>,
}

impl Plants {
    /// Plants with a factor from 0 to 1.
    pub fn new(factor: f32) -> Self {
        Self { factor, thinned: None }
    }

    /// The density that a recipe of the terrain would have without the factor.
    fn own(&self, density: f32) -> f32 {
        match self.thinned {
            Some([own, given]) if given == density => own,
            _ => density,
        }
    }

    /// A recipe of the terrain without the factor, to be saved.
    pub fn restored(&self, recipe: &Recipe) -> Recipe {
        let mut recipe = recipe.clone();
        recipe.scatter.density = self.own(recipe.scatter.density);
        recipe
    }
}

/// Thins what grows on the terrain.
pub struct PlantsPlugin(pub Plants);

impl Plugin for PlantsPlugin {
    fn build(&self, app: &mut App) {
        // Without a panel there are no keys.
        let turn = turn.run_if(resource_exists::<KeyLabels>);
        app.insert_resource(self.0).add_systems(Update, (turn, thin).chain());
    }
}

/// Changes the factor with keys.
fn turn(keys: Shortcuts, mut plants: ResMut<Plants>) {
    let way = f32::from(keys.just_pressed(MORE)) - f32::from(keys.just_pressed(FEWER));
    if way != 0.0 {
        plants.factor = (plants.factor + way * STEP).clamp(0.0, 1.0);
    }
}

/// Applies the factor to recipes that are new, and to the present one when the factor changes.
fn thin(mut plants: ResMut<Plants>, mut terrains: Query<&mut Terrain>) {
    for mut terrain in &mut terrains {
        if !(terrain.is_changed() || plants.is_changed()) {
            continue;
        }
        let Ground::Recipe(recipe) = &terrain.ground else { continue };
        let density = recipe.scatter.density;
        let own = plants.own(density);
        let given = own * plants.factor;
        plants.thinned = Some([own, given]);
        if density != given
            && let Ground::Recipe(recipe) = &mut terrain.ground
        {
            recipe.scatter.density = given;
        }
    }
}
