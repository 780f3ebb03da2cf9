//! The server's world: its ground, and its file.

use std::sync::Arc;

use bevy::prelude::*;
use bevy_orogeny::advanced::HeightField;
use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::orogeny::edits::EditLog;
use bevy_orogeny::{EditApplied, Terrain};
use orogeny_world::{Saver, WorldFile};

use crate::ServerArgs;

/// The preset of new worlds.
const ALPINE: &str = include_str!("../../../../assets/presets/alpine.terrain.ron");

/// The ground without edits, and the file.
#[derive(Resource)]
pub struct World {
    pub recipe: Recipe,
    /// The recipe as it is sent.
    pub text: String,
    pub field: Arc<dyn HeightField>,
    saver: Option<Saver>,
}

impl World {
    /// Opens the world that the arguments name, or creates it.
    ///
    /// # Errors
    /// A message for the user.
    pub fn open(args: &ServerArgs) -> Result<(Self, EditLog), String> {
        let (recipe, log, file) = match &args.world {
            Some(path) if path.exists() => {
                let (file, world) = WorldFile::open(path).map_err(|error| error.to_string())?;
                (world.recipe, world.log, Some(file))
            }
            path => {
                let recipe = preset(args)?;
                let world = orogeny_world::World::new(recipe);
                let create = |path| WorldFile::create(path, &world);
                let file = path.as_ref().map(create).transpose();
                let file = file.map_err(|error| error.to_string())?;
                (world.recipe, world.log, file)
            }
        };
        let field = Terrain::recipe(recipe.clone()).build().map_err(|error| error.to_string())?;
        let text = recipe.to_ron().map_err(|error| error.to_string())?;
        Ok((Self { recipe, text, field, saver: file.map(Saver::new) }, log))
    }

    pub fn terrain(&self) -> Terrain {
        Terrain::recipe(self.recipe.clone())
    }
}

fn preset(args: &ServerArgs) -> Result<Recipe, String> {
    let (name, text) = match &args.preset {
        None => ("alpine".into(), ALPINE.to_owned()),
        Some(path) => {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
            (name, text)
        }
    };
    Recipe::from_ron(&text).map_err(|error| format!("{name}: {error}"))
}

/// Saves every change, on a thread of its own.
pub fn save(mut edits: MessageReader<EditApplied>, mut world: ResMut<World>) {
    for EditApplied { applied, .. } in edits.read() {
        if let Some(saver) = &mut world.saver
            && let Err(error) = saver.save(applied.change.clone())
        {
            warn!("{error}");
        }
    }
}
