//! The saved terrain follows the open world, and the world the terrain: a terrain is filled with
//! the ground and the edits of the world, and what changes in it is saved.

use bevy_ecs::prelude::*;
use bevy_log::{error, warn};
use bevy_orogeny::{Ground, Terrain, TerrainEdits};
use orogeny::edits::{Change, EditLog};
use orogeny_world::Batch;

use crate::plugin::{Parts, SavedTerrain};
use crate::terrain_world::{TerrainWorld, TerrainWorldError};

/// Fills the terrain when a world is opened.
pub(crate) fn on_opened(
    _: On<Insert, TerrainWorld>,
    mut world: ResMut<TerrainWorld>,
    terrains: Query<Parts, With<SavedTerrain>>,
    mut commands: Commands,
) {
    if let Some(found) = terrains.iter().next() {
        world.fill(found, &mut commands);
    }
}

/// Fills a terrain that was spawned while a world is open.
pub(crate) fn on_added(
    added: On<Add, SavedTerrain>,
    world: Option<ResMut<TerrainWorld>>,
    terrains: Query<Parts>,
    mut commands: Commands,
) {
    let Some(mut world) = world else { return };
    match (world.terrain, terrains.get(added.entity)) {
        (None, Ok(found)) => world.fill(found, &mut commands),
        (Some(first), _) if first != added.entity => {
            warn!("{} is not saved: the world has the terrain {first}", added.entity);
        }
        _ => {}
    }
}

/// The ground of the file replaces one that is inserted after it, but in the same frame: as if all
/// components had come at once.
pub(crate) fn on_ground_inserted(
    inserted: On<Insert, Terrain>,
    world: Option<Res<TerrainWorld>>,
    mut terrains: Query<&mut Terrain>,
) {
    if let Some(world) = world.filter(|world| world.has_just_filled(inserted.entity))
        && let Ok(mut terrain) = terrains.get_mut(inserted.entity)
    {
        let ground = world.ground();
        if terrain.ground != ground {
            terrain.ground = ground;
        }
    }
}

/// The edits of the file replace others, as the ground does.
pub(crate) fn on_edits_inserted(
    inserted: On<Insert, TerrainEdits>,
    world: Option<Res<TerrainWorld>>,
    mut terrains: Query<&mut TerrainEdits>,
) {
    if let Some(world) = world.filter(|world| world.has_just_filled(inserted.entity))
        && let Ok(mut edits) = terrains.get_mut(inserted.entity)
        && edits.log.checksum() != world.world.log.checksum()
    {
        edits.log = world.world.log.clone();
    }
}

/// Fills a terrain whose world was assigned, and another one when the first was despawned.
pub(crate) fn fill(
    mut world: ResMut<TerrainWorld>,
    terrains: Query<Parts, With<SavedTerrain>>,
    mut commands: Commands,
) {
    if world.terrain.is_none()
        && let Some(found) = terrains.iter().next()
    {
        world.fill(found, &mut commands);
    }
}

/// From the next frame on, what is inserted is a change to save.
pub(crate) fn settle(mut world: ResMut<TerrainWorld>) {
    world.bypass_change_detection().is_just_filled = false;
}

impl TerrainWorld {
    /// Gives a terrain the recipe and the edits of the world, and follows it.
    pub(crate) fn fill(
        &mut self,
        (entity, terrain, edits): (Entity, Option<&Terrain>, Option<&TerrainEdits>),
        commands: &mut Commands,
    ) {
        self.terrain = Some(entity);
        self.is_just_filled = true;
        let ground = self.ground();
        let log = &self.world.log;
        let mut commands = commands.entity(entity);
        // Edits first: a new terrain is adopted with them.
        if edits.is_none_or(|edits| edits.log.checksum() != log.checksum()) {
            commands.try_insert(TerrainEdits { log: log.clone() });
        }
        if terrain.is_none_or(|terrain| terrain.ground != ground) {
            let settings = terrain.cloned().unwrap_or_else(Terrain::loading);
            commands.try_insert(Terrain { ground, ..settings });
        }
    }

    fn ground(&self) -> Ground {
        Ground::Recipe(self.world.recipe.clone())
    }

    fn has_just_filled(&self, terrain: Entity) -> bool {
        self.is_just_filled && self.terrain == Some(terrain)
    }
}

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
