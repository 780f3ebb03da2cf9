//! Ground with nothing on it.

use bevy_orogeny::orogeny::scatter::Scatter;
use bevy_orogeny::{Ground, Terrain};

/// The default terrain without water and plants, which move, for what looks at the ground alone.
pub fn bare() -> Terrain {
    let mut terrain = Terrain::default().with_scatter(Scatter::default());
    let Ground::Recipe(recipe) = &mut terrain.ground else { panic!("the default is a recipe") };
    recipe.sea_level = None;
    terrain
}
