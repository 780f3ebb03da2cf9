//! Builds and removes tiles around the viewers.

use std::sync::Arc;
use std::time::Duration;

use bevy_camera::visibility::{NoAutoAabb, Visibility};
use bevy_ecs::prelude::*;
use bevy_light::NotShadowCaster;
use bevy_math::Vec3;
use bevy_mesh::{Mesh3d, MeshTag};
use bevy_pbr::MeshMaterial3d;
use bevy_platform::collections::{HashMap, HashSet};
use bevy_platform::time::Instant;
use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, Task};
use bevy_transform::components::Transform;
use orogeny::edits::Region;

use super::copies::{Copies, CopiesMesh};
use super::pool::{Drawn, Pool, PoolWriter};
use super::tiers::{TileKey, Viewer, wanted};
use super::tile::{Batch, Tile, build};
use super::{ScatterStats, ScatterTile};
use crate::lod::view::View;
use crate::query::GroundQuery;
use crate::query::adopted_ground::AdoptedGround;
use crate::streaming::budget::TerrainBudget;
use crate::streaming::components::TerrainViews;
use crate::streaming::derived::derived;
use crate::streaming::origin::TerrainOrigin;

/// How far a viewer moves, in metres, before tiles are selected again.
const SLACK: f64 = 4.0;
/// Tiles are removed when they are this much farther away than where they are wanted, in metres.
const KEPT: f64 = 16.0;
/// Tiles within this distance in metres of a viewer are counted as near.
const NEAR: f64 = 100.0;

/// The tier of a tile is in the bits of its tag from this one on.
const TIER_SHIFT: u32 = 28;

/// On each terrain: its tiles.
#[derive(Component, Default)]
pub(crate) struct ScatterTiles {
    /// The ground that the tiles are built for.
    ground: Option<GroundQuery>,
    tiles: HashMap<TileKey, Slot>,
    /// The viewers for which tiles were selected.
    viewers: Vec<Viewer>,
    /// The wanted tiles for which no task has started, the most urgent last.
    missing: Vec<TileKey>,
}

#[derive(Default)]
struct Slot {
    /// The entity, unless nothing stands there.
    entity: Option<Entity>,
    task: Option<Task<Built>>,
    /// Whether the ground has changed since the last task was started.
    is_stale: bool,
}

/// What a task has built.
struct Built {
    tile: Option<Tile>,
    /// Meshes of the tile that there were not yet.
    meshes: Vec<(Copies, CopiesMesh)>,
    time: Duration,
}

/// Gives each terrain its tiles, and follows its ground.
pub(crate) fn follow(
    mut commands: Commands,
    mut terrains: Query<(Entity, Ref<AdoptedGround>, Option<&mut ScatterTiles>)>,
) {
    for (terrain, adopted, tiles) in &mut terrains {
        let Some(mut tiles) = tiles else {
            commands.entity(terrain).try_insert(ScatterTiles::default());
            continue;
        };
        let Some(new) = adopted.newest() else { continue };
        if tiles.ground.as_ref().is_some_and(|old| old.has_scatter_of(new)) {
            continue;
        }
        let changed = tiles.ground.as_ref().and_then(|old| new.scatter_since(old));
        let is_changed = |key: &TileKey| {
            let [min, max] = key.square();
            let square = Region { min, max };
            changed.as_ref().is_none_or(|all| all.iter().any(|region| region.meets(&square)))
        };
        let ScatterTiles { tiles: slots, viewers, ground, .. } = &mut *tiles;
        slots.iter_mut().filter(|(key, _)| is_changed(key)).for_each(|(_, slot)| {
            slot.is_stale = true;
        });
        *ground = Some(new.clone());
        // Selects again.
        viewers.clear();
    }
}

/// Selects the tiles that the viewers want, and removes all others.
pub(crate) fn select(
    mut commands: Commands,
    mut terrains: Query<(&mut ScatterTiles, &TerrainViews)>,
) {
    for (mut tiles, views) in &mut terrains {
        let viewer = |view: &View| Viewer { position: view.position, range: view.range };
        let now: Vec<Viewer> = views.now.iter().map(viewer).collect();
        let has_left = |(now, old): (&Viewer, &Viewer)| now.has_left(old, SLACK);
        let same =
            tiles.viewers.len() == now.len() && !now.iter().zip(&tiles.viewers).any(has_left);
        if same || now.is_empty() {
            continue;
        }
        let Some(scattered) = tiles.ground.as_ref().and_then(GroundQuery::scatter) else {
            continue;
        };
        let is_bare = scattered.kinds().len() == 0;
        let slots = &mut tiles.tiles;
        let is_wanted = |key: &TileKey| {
            !is_bare && now.iter().any(|viewer| key.is_wanted(viewer, SLACK + KEPT))
        };
        slots.retain(|key, slot| {
            let keeps = is_wanted(key);
            if let Some(entity) = slot.entity.filter(|_| !keeps) {
                commands.entity(entity).try_despawn();
            }
            keeps
        });
        let mut urgent: HashMap<TileKey, f64> = HashMap::default();
        if !is_bare {
            for viewer in &now {
                wanted(viewer, SLACK, |key| {
                    let is_missing = slots.get(&key).is_none_or(|slot| slot.is_stale);
                    if is_missing {
                        let begin = key.begin(viewer.position);
                        let nearest = urgent.entry(key).or_insert(begin);
                        *nearest = nearest.min(begin);
                    }
                });
            }
        }
        let mut missing: Vec<(TileKey, f64)> = urgent.into_iter().collect();
        missing.sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
        tiles.missing = missing.into_iter().map(|(key, _)| key).collect();
        tiles.viewers = now;
    }
}

/// Starts tasks for missing tiles, the most urgent first.
pub(crate) fn dispatch(
    mut terrains: Query<&mut ScatterTiles>,
    budget: Res<TerrainBudget>,
    pool: Res<Pool>,
) {
    let in_flight =
        |tiles: &ScatterTiles| tiles.tiles.values().filter(|slot| slot.task.is_some()).count();
    let mut free = budget.scatter_in_flight.max(1);
    for tiles in &terrains {
        free = free.saturating_sub(in_flight(tiles));
    }
    for mut tiles in &mut terrains {
        if free == 0 || tiles.missing.is_empty() {
            continue;
        }
        let Some(scattered) = tiles.ground.as_ref().and_then(GroundQuery::scatter) else {
            continue;
        };
        while free > 0
            && let Some(key) = tiles.missing.pop()
        {
            let scattered = Arc::clone(&scattered);
            let known = pool.meshes();
            let task = async move {
                let start = Instant::now();
                let tile = build(&scattered, key);
                let used = tile.iter().flat_map(|tile| &tile.batches).map(|batch| batch.copies);
                let new: HashSet<Copies> =
                    used.filter(|copies| !known.contains_key(copies)).collect();
                let meshes = new.into_iter().map(|copies| (copies, copies.mesh())).collect();
                Built { tile, meshes, time: start.elapsed() }
            };
            let slot = tiles.tiles.entry(key).or_default();
            slot.task = Some(AsyncComputeTaskPool::get().spawn(task));
            slot.is_stale = false;
            free -= 1;
        }
    }
}

/// Draws finished tiles.
pub(crate) fn receive(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut ScatterTiles)>,
    budget: Res<TerrainBudget>,
    origin: Res<TerrainOrigin>,
    mut pool: PoolWriter,
) {
    let mut left = budget.scatter_per_frame.max(1);
    for (terrain, mut tiles) in &mut terrains {
        for (&key, slot) in &mut tiles.tiles {
            if left == 0 {
                return;
            }
            let finished = slot.task.as_mut().and_then(check_ready);
            let Some(Built { tile, meshes, time }) = finished else { continue };
            slot.task = None;
            left -= 1;
            if let Some(entity) = slot.entity.take() {
                commands.entity(entity).try_despawn();
            }
            meshes.into_iter().for_each(|(copies, mesh)| pool.add_mesh(copies, mesh));
            slot.entity = tile.map(|tile| {
                let instances = tile.batches.iter().map(|batch| batch.records.len()).sum::<usize>();
                let parts = ScatterTile { instances: instances as u32, build_time: time };
                let width = key.tier().width as f32;
                let mut place = origin.transform(key.square()[0]);
                place.translation.y = tile.bottom;
                let place: Transform = place.with_scale(Vec3::new(width, tile.rise, width));
                let children =
                    tile.batches.into_iter().map(|batch| parts_of(batch, key, &mut pool));
                let children: Vec<_> = children.collect();
                let parts = (parts, place, Visibility::Inherited, ChildOf(terrain));
                let mut entity = commands.spawn((parts, derived("Plants")));
                entity.with_children(|batches| {
                    for parts in children {
                        // Shadows of far plants would not be seen.
                        if key.tier().has_shadows {
                            batches.spawn((parts, derived("Batch of plants")));
                        } else {
                            batches.spawn((parts, derived("Batch of plants"), NotShadowCaster));
                        }
                    }
                });
                entity.id()
            });
        }
    }
}

/// The components of a batch in a tile.
fn parts_of(batch: Batch, key: TileKey, pool: &mut PoolWriter) -> impl Bundle + use<> {
    let Batch { copies, records, aabb } = batch;
    let Drawn { batch, mesh, material } = pool.add_batch(copies, records);
    // The shader finds its records and its tier there.
    let tag = MeshTag(batch.start | u32::from(key.tier) << TIER_SHIFT);
    (batch, Mesh3d(mesh), MeshMaterial3d(material), tag, aabb, NoAutoAabb)
}

/// Counts tiles, instances and bytes.
pub(crate) fn report(
    tiles: Query<&ScatterTile>,
    terrains: Query<&ScatterTiles>,
    pool: Res<Pool>,
    mut stats: ResMut<ScatterStats>,
) {
    let (mut missing, mut missing_near) = (0, 0);
    for tiles in &terrains {
        let building = tiles.tiles.iter().filter(|(_, slot)| slot.task.is_some());
        for key in building.map(|(key, _)| key).chain(&tiles.missing) {
            missing += 1;
            let is_near = tiles.viewers.iter().any(|viewer| key.begin(viewer.position) <= NEAR);
            missing_near += usize::from(is_near);
        }
    }
    stats.set_if_neq(ScatterStats {
        tiles: tiles.iter().len(),
        instances: tiles.iter().map(|tile| tile.instances as usize).sum(),
        bytes: pool.bytes,
        missing,
        missing_near,
    });
}
