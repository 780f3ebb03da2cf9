//! The presets, compiled in: the program does not depend on the working directory.

use orogeny::{Landscape, Recipe};

macro_rules! presets {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../../assets/presets/", $name, ".terrain.ron")))),*]
    };
}

const PRESETS: [(&str, &str); 14] = presets!(
    "hills" "ridges" "sierra" "alpine" "highlands" "dunes" "badlands" "craters" "valleys"
    "lowlands" "fjords" "archipelago" "canyon" "world"
);

/// The names of all presets.
pub fn names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

/// A preset.
///
/// # Panics
/// If there is none of this name. The tests of the workspace check that presets are valid.
pub fn recipe(name: &str) -> Recipe {
    let preset = PRESETS.iter().find(|(preset, _)| *preset == name);
    let (_, text) = preset.unwrap_or_else(|| panic!("no preset {name}"));
    Recipe::from_ron(text).expect("a valid preset")
}

/// A preset, and its ground.
pub fn built(name: &str) -> (Recipe, Landscape) {
    let recipe = recipe(name);
    let ground = recipe.build().expect("a valid preset");
    (recipe, ground)
}
