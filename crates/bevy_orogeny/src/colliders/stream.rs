//! Before the step: builds the tiles that sources need, and removes the others.

use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec3;
use bevy_tasks::futures::check_ready;
use bevy_tasks::{ComputeTaskPool, Task};
use bevy_time::Time;
use bevy_transform::helper::TransformHelper;
use orogeny::Region;

use super::engine::PhysicsEngine;
use super::reach::Reach;
use super::source::{ColliderTile, Grounded, TerrainColliderSource};
use super::tile::layout;
use super::tile_colliders::TileColliders;
use super::tile_ground::TileGround;
use super::tile_table::{TileId, TileTable};
use crate::base::budget::TerrainBudget;
use crate::base::derived::derived;
use crate::base::events::{GroundReady, WaitsForGround};
use crate::base::origin::TerrainOrigin;
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::chunk::key::{ChunkKey, Layout};
use crate::lod::viewer::POSITION;
use crate::query::GroundQuery;
use crate::query::adopted_ground::AdoptedGround;
use crate::slices;

/// The shortest step to prepare for, in seconds: an engine may step longer than the last frame
/// took.
const SHORTEST_STEP: f64 = 1.0 / 30.0;

/// Marks a tile whose colliders are being built. Despawning the entity cancels the task.
#[derive(Component)]
pub(super) struct TileTask<E: PhysicsEngine>(Task<TileColliders<E>>);

/// A source, whether `GroundReady` was triggered for it, and whether it still waits to be put on
/// the ground.
type Source<E> = (
    Entity,
    &'static TerrainColliderSource,
    Option<&'static <E as PhysicsEngine>::Velocity>,
    Has<Grounded>,
    Has<WaitsForGround>,
);

/// A tile that needs its collider before the step.
type Missing<'a> = (Entity, &'a GroundQuery, ChunkKey);

/// The tiles, and the resources for spawning more.
#[derive(SystemParam)]
pub(super) struct Tiles<'w, 's> {
    commands: Commands<'w, 's>,
    origin: Res<'w, TerrainOrigin>,
    budget: Res<'w, TerrainBudget>,
    table: Local<'s, TileTable>,
    keys: Local<'s, Vec<ChunkKey>>,
}

/// Remembers the grounds from which new tiles are built.
pub(super) fn remember_grounds(
    mut commands: Commands,
    terrains: Query<(Entity, &AdoptedGround, Option<&TileGround>)>,
) {
    for (terrain, adopted, old) in &terrains {
        if let Some(new) = TileGround::newest(adopted)
            && !old.is_some_and(|old| new.is(old))
        {
            commands.entity(terrain).try_insert(new);
        }
    }
}

/// Removes the tiles of ground that has changed, and inserts the colliders that tasks have
/// finished.
pub(super) fn collect<E: PhysicsEngine>(
    mut commands: Commands,
    terrains: Query<(Entity, &AdoptedGround, &TileGround)>,
    mut tiles: Query<(Entity, &ColliderTile, Option<&mut TileTask<E>>)>,
    mut changed: Local<EntityHashMap<(Layout, Vec<Region>)>>,
) {
    // Where each terrain has changed since its tiles were built.
    changed.clear();
    for (terrain, adopted, made_of) in &terrains {
        let now = adopted.newest().filter(|_| adopted.position.is_some());
        if let Some(changes) = now.and_then(|now| changes(now, &made_of.ground)) {
            changed.insert(terrain, (layout(&made_of.ground), changes));
        }
    }
    for (entity, tile, task) in &mut tiles {
        let fresh = changed.get(&tile.terrain).is_some_and(|(layout, changes)| {
            let square = layout.square(tile.key);
            !changes.iter().any(|region| region.meets(&square))
        });
        if !fresh {
            commands.entity(entity).try_despawn();
        } else if let Some(colliders) = task.and_then(|mut task| check_ready(&mut task.0)) {
            let mut tile = commands.entity(entity);
            tile.try_remove::<TileTask<E>>();
            colliders.insert(&mut tile);
        }
    }
}

/// The regions in which the tiles of two grounds may differ; `None` if that may be everywhere.
fn changes(new: &GroundQuery, old: &GroundQuery) -> Option<Vec<Region>> {
    let mut changes = new.edited_since(old)?;
    changes.extend(new.solids_since(old)?);
    Some(changes)
}

/// Builds the tiles that sources need, and removes tiles that no source needs.
pub(super) fn stream<E: PhysicsEngine>(
    mut tiles: Tiles,
    terrains: Query<(Entity, &AdoptedGround)>,
    sources: Query<Source<E>>,
    existing: Query<(Entity, &ColliderTile, Has<TileTask<E>>)>,
    transforms: TransformHelper,
    time: Option<Res<Time>>,
    mut problems: ResMut<TerrainProblems>,
) {
    tiles.table.clear();
    for (entity, tile, building) in &existing {
        tiles.table.insert((tile.terrain, tile.key), entity, !building, false);
    }
    let step = time.map_or(SHORTEST_STEP, |time| time.delta_secs_f64().max(SHORTEST_STEP));
    let (mut missing, mut ready) = (Vec::new(), Vec::new());
    for (entity, source, velocity, grounded, waiting) in &sources {
        let Ok(global) = transforms.compute_global_transform(entity) else { continue };
        let [x, y, z] = tiles.origin.position(global.translation());
        let Vec3 { x: vx, z: vz, .. } = velocity.map_or(Vec3::ZERO, E::linear);
        let velocity = [vx, vz].map(f64::from);
        let (mut problem, mut has_ground) = (None, false);
        for (terrain, adopted) in &terrains {
            let (Some(ground), Some([ox, oy, oz])) = (adopted.newest(), adopted.position) else {
                continue;
            };
            let position = [x - ox, z - oz];
            let reach = Reach::new(layout(ground), position, source.radius, velocity)
                .map(|reach| reach.overhung_by(ground.widest_solid()));
            match POSITION.check(y - oy).and(reach) {
                Ok(reach) => {
                    tiles.need_now(&reach, step, terrain, ground, &mut missing);
                    tiles.prepare::<E>(&reach, terrain, ground);
                    has_ground = true;
                }
                Err(error) => problem = Some(error),
            }
        }
        if has_ground && !grounded && !waiting {
            ready.push(entity);
        }
        match problem {
            Some(error) => problems.report(Some(entity), TerrainProblem::Source(error)),
            None => problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Source(_))),
        }
    }
    tiles.build::<E>(&missing);
    for entity in tiles.table.unneeded() {
        tiles.commands.entity(entity).try_despawn();
    }
    for entity in ready {
        tiles.commands.entity(entity).try_insert(Grounded);
        tiles.commands.trigger(GroundReady { entity });
    }
}

impl Tiles<'_, '_> {
    /// Lists the tiles without a collider that a source may touch within the step.
    fn need_now<'a>(
        &mut self,
        reach: &Reach,
        step: f64,
        terrain: Entity,
        ground: &'a GroundQuery,
        missing: &mut Vec<Missing<'a>>,
    ) {
        reach.now(step, &mut self.keys);
        for k in 0..self.keys.len() {
            let (key, id) = (self.keys[k], (terrain, self.keys[k]));
            if self.table.need_built(id) {
                continue;
            }
            // A task would be too late.
            if let Some(entity) = self.table.take_building(id) {
                self.commands.entity(entity).try_despawn();
            }
            let entity = self.spawn(id, ground);
            self.table.insert(id, entity, true, true);
            missing.push((entity, ground, key));
        }
    }

    /// Keeps the tiles near a source, and starts tasks for tiles that it will touch soon, within
    /// the budget.
    fn prepare<E: PhysicsEngine>(&mut self, reach: &Reach, terrain: Entity, ground: &GroundQuery) {
        reach.near(&mut self.keys);
        for &key in &*self.keys {
            self.table.need((terrain, key));
        }
        reach.soon(&mut self.keys);
        for k in 0..self.keys.len() {
            let id = (terrain, self.keys[k]);
            if self.table.need(id) || self.table.building() >= self.budget.tiles_in_flight.max(1) {
                continue;
            }
            let (ground, key) = (ground.clone(), id.1);
            let entity = self.spawn(id, &ground);
            let task = async move { TileColliders::build_in_turns(&ground, key).await };
            let task = TileTask::<E>(slices::spawn(task));
            self.commands.entity(entity).try_insert(task);
            self.table.insert(id, entity, false, true);
        }
    }

    /// Spawns a tile without its collider.
    fn spawn(&mut self, (terrain, key): TileId, ground: &GroundQuery) -> Entity {
        let transform = self.origin.transform(layout(ground).origin(key));
        let name = derived(format!("Collider ({}, {})", key.x, key.z));
        let tile = (ColliderTile { terrain, key }, transform, name, ChildOf(terrain));
        self.commands.spawn(tile).id()
    }

    /// Builds colliders on all threads while the step waits for them.
    fn build<E: PhysicsEngine>(&mut self, missing: &[Missing]) {
        let colliders = ComputeTaskPool::get().scope(|scope| {
            for (_, ground, key) in missing {
                scope.spawn(async move { TileColliders::<E>::build(ground, *key) });
            }
        });
        for ((entity, ..), colliders) in missing.iter().zip(colliders) {
            colliders.insert(&mut self.commands.entity(*entity));
        }
    }
}

/// Forgets that an entity was a source. If it becomes one again, [`GroundReady`] is triggered
/// again.
pub(super) fn on_source_removed(
    event: On<Remove, TerrainColliderSource>,
    mut commands: Commands,
    problems: Option<ResMut<TerrainProblems>>,
) {
    commands.entity(event.entity).try_remove::<Grounded>();
    if let Some(mut problems) = problems {
        problems.clear(Some(event.entity), |p| matches!(p, TerrainProblem::Source(_)));
    }
}
