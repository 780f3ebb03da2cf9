//! The plugin: fills the terrain from the open world, and saves what changes.

use bevy_app::{App, AppExit, Last, Plugin, PostUpdate, SpawnScene};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::common_conditions::{on_message, resource_exists};
use bevy_log::{error, warn};
use bevy_orogeny::{EditApplied, Ground, Terrain, TerrainEdits};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use orogeny::edits::Change;

use crate::terrain_world::TerrainWorld;

/// Loads and saves the terrain with a [`SavedTerrain`] while there is a [`TerrainWorld`]. Add it
/// beside the plugin of the terrain.
pub struct TerrainWorldPlugin;

/// The terrain of the open [`TerrainWorld`].
///
/// As soon as both are there it gets the recipe and the edits of the world. Spawned alone it
/// becomes a [`Terrain`]. The settings of a [`Terrain`] beside it stay, but its ground and its
/// edits are replaced. From then on all changes of the two are saved. The settings are not: they
/// are those of the machine.
///
/// When it is despawned the world stays open, and the next one gets its ground and edits. If there
/// are several, only the first one is saved, and a warning is logged.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct SavedTerrain;

type Parts = (Entity, Option<&'static Terrain>, Option<&'static TerrainEdits>);

impl Plugin for TerrainWorldPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<SavedTerrain>()
            .add_message::<EditApplied>()
            .add_systems(SpawnScene, fill.run_if(resource_exists::<TerrainWorld>))
            .add_systems(PostUpdate, (save, switch).chain().run_if(resource_exists::<TerrainWorld>))
            .add_systems(
                Last,
                finish.run_if(on_message::<AppExit>.and_then(resource_exists::<TerrainWorld>)),
            )
            .add_observer(on_opened)
            .add_observer(on_closed)
            .add_observer(on_added)
            .add_observer(on_removed);
    }
}

/// Fills the terrain when a world is opened.
fn on_opened(
    _: On<Insert, TerrainWorld>,
    mut world: ResMut<TerrainWorld>,
    terrains: Query<Parts, With<SavedTerrain>>,
    mut commands: Commands,
) {
    if let Some(found) = terrains.iter().next() {
        world.fill(found, &mut commands);
    }
}

/// Keeps what the terrain is when the world is removed or replaced.
fn on_closed(
    _: On<Discard, TerrainWorld>,
    mut world: ResMut<TerrainWorld>,
    terrains: Query<Parts>,
) {
    world.follow_terrain(&terrains);
}

/// Fills a terrain that was spawned while a world is open.
fn on_added(
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

/// Keeps what a terrain was when it is despawned.
fn on_removed(
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

/// Fills a terrain whose world was assigned, and another one when the first was despawned.
fn fill(
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

/// Saves the changes of this frame in one transaction.
fn save(
    mut world: ResMut<TerrainWorld>,
    mut applied: MessageReader<EditApplied>,
    terrains: Query<Parts>,
    changed: Query<(), Or<(Changed<Terrain>, Changed<TerrainEdits>)>>,
) {
    let world = world.bypass_change_detection();
    if let Some(terrain) = world.terrain
        && changed.contains(terrain)
        && let Ok(found) = terrains.get(terrain)
    {
        let ours = applied.read().filter(|applied| applied.terrain == terrain);
        world.follow(found, ours.map(|EditApplied { applied, .. }| &applied.change));
    } else {
        applied.clear();
    }
    world.give();
}

/// Changes to the next world once this one is saved.
fn switch(
    mut world: ResMut<TerrainWorld>,
    terrains: Query<Parts, With<SavedTerrain>>,
    mut commands: Commands,
) {
    let Some(next) = world.bypass_change_detection().take_next() else { return };
    let terrain = world.terrain;
    *world = next;
    if let Some(found) = terrain.and_then(|terrain| terrains.get(terrain).ok()) {
        world.fill(found, &mut commands);
    }
}

/// Saves what is left, and waits for the disk.
fn finish(mut world: ResMut<TerrainWorld>, terrains: Query<Parts>) {
    world.follow_terrain(&terrains);
    if let Err(unsaved) = world.close() {
        error!("{unsaved}");
    }
}

impl TerrainWorld {
    /// Gives a terrain the recipe and the edits of the world, and follows it.
    fn fill(
        &mut self,
        (entity, terrain, edits): (Entity, Option<&Terrain>, Option<&TerrainEdits>),
        commands: &mut Commands,
    ) {
        self.terrain = Some(entity);
        let ground = Ground::Recipe(self.world.recipe.clone());
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

    /// Takes over all that has changed in the terrain, at the end.
    fn follow_terrain(&mut self, terrains: &Query<Parts>) {
        if let Some(found) = self.terrain.and_then(|terrain| terrains.get(terrain).ok()) {
            self.follow(found, []);
        }
    }

    /// Takes over what has changed in the terrain.
    fn follow<'a>(
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
}
