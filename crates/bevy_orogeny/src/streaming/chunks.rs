//! The entities of chunks.

use std::time::Duration;

use bevy_asset::Assets;
use bevy_camera::visibility::{NoAutoAabb, Visibility};
use bevy_ecs::prelude::*;
use bevy_mesh::{Mesh, Mesh3d, MeshTag};
use bevy_tasks::Task;

use super::generation::{Generation, Progress, Slot};
use crate::chunk::key::{Chunk, ChunkKey};
use crate::chunk::mesh::ChunkMesh;
use crate::streaming::budget::TerrainStats;
use crate::streaming::events::ChunkReady;
use crate::streaming::origin::TerrainOrigin;

/// A chunk on its way. Despawning the entity cancels it.
#[derive(Component)]
pub(crate) struct ChunkTask(pub Task<(ChunkMesh, Duration)>);

/// Spawns a chunk's entity, hidden, in place of what may be in its slot.
pub(super) fn spawn(
    commands: &mut Commands,
    origin: &TerrainOrigin,
    terrain: Entity,
    generation: &mut Generation,
    key: ChunkKey,
    progress: Progress,
) -> Entity {
    let chunk = Chunk { terrain, key, revision: generation.revision };
    let transform = origin.transform(generation.layout().origin(key));
    let hidden = (transform, Visibility::Hidden, MeshTag::default());
    let entity = commands.spawn((chunk, hidden, ChildOf(terrain))).id();
    if let Some(old) = generation.chunks.insert(key, Slot::new(entity, progress)) {
        commands.entity(old.entity).try_despawn();
    }
    entity
}

/// Gives a chunk its mesh.
pub(super) fn finish(
    commands: &mut Commands,
    generation: &mut Generation,
    terrain: Entity,
    chunk: Entity,
    key: ChunkKey,
    built: ChunkMesh,
    meshes: &mut Assets<Mesh>,
) {
    generation.finite &= built.finite;
    generation.changed = true;
    let mesh = Mesh3d(meshes.add(built.mesh));
    commands.entity(chunk).try_insert((mesh, built.aabb, NoAutoAabb));
    commands.trigger(ChunkReady { terrain, chunk, key });
}

/// Counts a chunk that was built, and the time that it took.
pub(super) fn count_build(stats: &mut TerrainStats, time: Duration) {
    stats.build_time = if stats.built == 0 { time } else { (15 * stats.build_time + time) / 16 };
    stats.built += 1;
}
