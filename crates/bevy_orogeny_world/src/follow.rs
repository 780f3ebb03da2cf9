//! Finds what has changed in a terrain.

use bevy_ecs::prelude::*;
use bevy_log::error;
use bevy_orogeny::{Ground, Terrain, TerrainEdits};
use orogeny::edits::{Change, EditLog};
use orogeny_world::Batch;

use crate::error::TerrainWorldError;
use crate::plugin::{Parts, SavedTerrain};
use crate::terrain_world::TerrainWorld;

/// Keeps what the terrain is when the world is removed or replaced.
pub(crate) fn on_closed(
    _: On<Discard, TerrainWorld>,
    mut world: ResMut<TerrainWorld>,
    terrains: Query<Parts>,
) {
    world.follow_terrain(&terrains);
}

/// Keeps what a terrain was when it is despawned.
pub(crate) fn on_removed(
    removed: On<Remove, SavedTerrain>,
    world: Option<ResMut<TerrainWorld>>,
    terrains: Query<Parts>,
) {
    let Some(mut world) = world.filter(|world| world.terrain == Some(removed.entity)) else {
        return;
    };
    world.follow_terrain(&terrains);
    world.terrain = None;
}

impl TerrainWorld {
    /// Takes over all that has changed in the terrain, at the end.
    pub(crate) fn follow_terrain(&mut self, terrains: &Query<Parts>) {
        if let Some(found) = self.terrain.and_then(|terrain| terrains.get(terrain).ok()) {
            self.follow(found, []);
        }
    }

    /// Takes over what has changed in the terrain.
    pub(crate) fn follow<'a>(
        &mut self,
        (_, terrain, edits): (Entity, Option<&Terrain>, Option<&TerrainEdits>),
        reported: impl IntoIterator<Item = &'a Change>,
    ) {
        if let Some(edits) = edits {
            self.follow_log(&edits.log, reported);
        }
        if let Some(terrain) = terrain {
            self.follow_ground(terrain);
        }
    }

    /// Takes over the changes of a log: those that were reported, and others that are found by
    /// comparison.
    fn follow_log<'a>(&mut self, log: &EditLog, reported: impl IntoIterator<Item = &'a Change>) {
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
            Err(error) => self.edit_problem = Some(self.problem(None, &error)),
        }
    }

    /// Takes over the recipe of a terrain.
    fn follow_ground(&mut self, terrain: &Terrain) {
        let old = self.ground_problem.take();
        match &terrain.ground {
            Ground::Loading => {}
            Ground::Field(..) => {
                self.ground_problem = Some(self.problem(old, &TerrainWorldError::Field));
            }
            Ground::Recipe(recipe) if *recipe == self.world.recipe => {}
            Ground::Recipe(recipe) => {
                let change = Batch { recipe: Some(recipe.clone()), ..Batch::default() };
                match change.check() {
                    Ok(()) => {
                        self.world.recipe = recipe.clone();
                        self.batch.append(change);
                    }
                    Err(error) => self.ground_problem = Some(self.problem(old, &error)),
                }
            }
        }
    }

    /// Why something cannot be saved. It is logged, unless it was before.
    fn problem(&self, before: Option<String>, error: &dyn std::error::Error) -> String {
        let text = format!("{}: {error}", self.path().display());
        if before.as_ref() != Some(&text) {
            error!("{text}");
        }
        text
    }
}
