//! Fills the saved terrain with the ground and the edits of the open world.

use bevy_ecs::prelude::*;
use bevy_log::warn;
use bevy_orogeny::{Ground, Terrain, TerrainEdits};

use crate::plugin::{Parts, SavedTerrain};
use crate::terrain_world::TerrainWorld;

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
