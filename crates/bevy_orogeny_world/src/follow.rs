//! Finds what has changed in a terrain.

use bevy_log::error;
use bevy_orogeny::{Ground, Terrain};
use orogeny::edits::{Change, EditLog};
use orogeny_world::Batch;

use crate::error::TerrainWorldError;
use crate::terrain_world::TerrainWorld;

impl TerrainWorld {
    /// Takes over the changes of a log: those that were reported, and others that are found by
    /// comparison.
    pub(crate) fn follow_log<'a>(
        &mut self,
        log: &EditLog,
        reported: impl IntoIterator<Item = &'a Change>,
    ) {
        reported.into_iter().for_each(|change| self.apply(change.clone()));
        if self.world.log.checksum() != log.checksum() {
            // Somebody changed the log without an editor.
            log.changes().for_each(|change| self.apply(change));
        }
        if self.world.log.checksum() != log.checksum() {
            // It was replaced by one that lacks some of the changes.
            self.world.log = log.clone();
            self.batch.append(Batch { replaces_log: true, ..Batch::default() });
            log.changes().for_each(|change| self.add(change));
        }
    }

    fn apply(&mut self, change: Change) {
        if let Ok(applied) = self.world.log.apply(change)
            && applied.is_new
        {
            self.add(applied.change);
        }
    }

    fn add(&mut self, change: Change) {
        let change = Batch { changes: vec![change], ..Batch::default() };
        match change.check() {
            Ok(()) => self.batch.append(change),
            Err(error) => self.edit_problem = Some(self.told(None, &error)),
        }
    }

    /// Takes over the recipe of a terrain.
    pub(crate) fn follow_ground(&mut self, terrain: &Terrain) {
        let old = self.ground_problem.take();
        match &terrain.ground {
            Ground::Loading => {}
            Ground::Field(..) => {
                self.ground_problem = Some(self.told(old, &TerrainWorldError::Field));
            }
            Ground::Recipe(recipe) if *recipe == self.world.recipe => {}
            Ground::Recipe(recipe) => {
                let change = Batch { recipe: Some(recipe.clone()), ..Batch::default() };
                match change.check() {
                    Ok(()) => {
                        self.world.recipe = recipe.clone();
                        self.batch.append(change);
                    }
                    Err(error) => self.ground_problem = Some(self.told(old, &error)),
                }
            }
        }
    }

    /// Logs why something cannot be saved, unless it was logged before.
    fn told(&self, before: Option<String>, error: &dyn std::error::Error) -> String {
        let text = format!("{}: {error}", self.path().display());
        if before.as_ref() != Some(&text) {
            error!("{text}");
        }
        text
    }
}
