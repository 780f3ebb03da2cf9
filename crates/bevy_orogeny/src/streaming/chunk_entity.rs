//! The entities of chunks.

use std::time::Duration;

use bevy_asset::Assets;
use bevy_camera::visibility::{NoAutoAabb, Visibility};
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::Vec3;
use bevy_mesh::{Mesh, Mesh3d, MeshTag};
use bevy_reflect::Reflect;
use bevy_tasks::Task;
use bevy_transform::components::{GlobalTransform, Transform};

use super::chunk_table::{Progress, Slot};
use super::generation::Generation;
use crate::base::anchor::Anchor;
use crate::base::budget::TerrainStats;
use crate::base::derived::derived;
use crate::base::drawn_for::DrawnFor;
use crate::base::events::ChunkReady;
use crate::base::origin::TerrainOrigin;
use crate::chunk::key::{Chunk, ChunkKey};
use crate::chunk::mesh::ChunkMesh;
use crate::chunk::void::VoidSurface;
use crate::chunk::water_surface::WaterSurface;

/// The surfaces of the rivers and lakes that begin in a chunk: a child of the chunk, which is shown
/// and removed with it.
#[derive(Component, Clone, Copy, Debug, Reflect)]
#[reflect(Component, Debug, Clone)]
pub struct ChunkWater;

/// The dark inside of the holes that edits have cut into a chunk: a child of the chunk, which is
/// shown and removed with it. Its mesh closes each hole from below with walls and a floor 50 m
/// down. [`VoidMaterial`](crate::VoidMaterial) draws it where nothing else is: hide it where a
/// tunnel has another end, through which the sky should be seen from outside.
#[derive(Component, Clone, Copy, Debug, Reflect)]
#[reflect(Component, Debug, Clone)]
pub struct ChunkVoid;

/// The task that builds a chunk. Despawning the entity cancels it.
#[derive(Component)]
pub(crate) struct ChunkTask(pub Task<(ChunkMesh, Duration)>);

/// A terrain whose chunks are spawned.
#[derive(Clone, Copy)]
pub(super) struct Home<'a> {
    pub terrain: Entity,
    /// The position (x, height, z) of the terrain in the world.
    pub position: [f64; 3],
    pub origin: &'a TerrainOrigin,
}

/// Spawns the hidden entity of a chunk, and despawns an older one of the same key.
pub(super) fn spawn(
    commands: &mut Commands,
    Home { terrain, position, origin }: Home,
    generation: &mut Generation,
    key: ChunkKey,
    progress: Progress,
) -> Entity {
    let chunk = Chunk { terrain, key, revision: generation.revision };
    let (anchor, transform) = Anchor::new(origin, generation.layout().origin(key));
    // Chunks of the late pass are spawned after transform propagation.
    let in_world = Vec3::from(position.map(|x| x as f32)) + transform.translation;
    let global = GlobalTransform::from(Transform::from_translation(in_world));
    let hidden = (transform, global, Visibility::Hidden, MeshTag::default());
    let seams = generation.builder.seams();
    let ChunkKey { lod, x, z } = key;
    let derived = derived(format!("Chunk {lod} ({x}, {z})"));
    let owner = (derived, DrawnFor(terrain), ChildOf(terrain));
    let entity = commands.spawn((chunk, anchor, seams, hidden, owner)).id();
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
    if let Some(WaterSurface { mesh, aabb }) = built.water {
        let water = (ChunkWater, derived("Water"), Mesh3d(meshes.add(mesh)), aabb);
        hang(commands, terrain, chunk, water);
    }
    if let Some(VoidSurface { mesh, aabb }) = built.void {
        let void = (ChunkVoid, derived("Void"), Mesh3d(meshes.add(mesh)), aabb);
        hang(commands, terrain, chunk, void);
    }
    commands.trigger(ChunkReady { terrain, chunk, key });
}

/// Gives a chunk a child that is shown with it.
fn hang(commands: &mut Commands, terrain: Entity, chunk: Entity, child: impl Bundle) {
    commands.entity(chunk).queue_silenced(move |mut chunk: EntityWorldMut| {
        // The late pass runs after transform propagation.
        let global = chunk.get::<GlobalTransform>().copied().unwrap_or_default();
        let place = (Transform::IDENTITY, global, Visibility::Inherited);
        chunk.with_child((child, DrawnFor(terrain), NoAutoAabb, place));
    });
}

/// Counts a chunk that was built, and the time that it took.
pub(super) fn count_build(stats: &mut TerrainStats, time: Duration) {
    stats.build_time = if stats.built == 0 { time } else { (15 * stats.build_time + time) / 16 };
    stats.built += 1;
}
