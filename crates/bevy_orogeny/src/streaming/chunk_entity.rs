//! The entities of chunks.

use std::time::Duration;

use bevy_asset::Assets;
use bevy_camera::visibility::{NoAutoAabb, Visibility};
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec3;
use bevy_mesh::{Mesh, Mesh3d, MeshTag};
use bevy_platform::time::Instant;
use bevy_reflect::Reflect;
use bevy_transform::components::{GlobalTransform, Transform};

use super::components::{ChunkSets, ShownAppearance, TerrainViews};
use crate::base::anchor::Anchor;
use crate::base::budget::TerrainStats;
use crate::base::derived::derived;
use crate::base::drawn_for::{DrawnFor, despawn_all};
use crate::base::events::{ChunkReady, ChunkRemoved};
use crate::base::origin::TerrainOrigin;
use crate::chunk::key::{Chunk, ChunkKey, Layout};
use crate::chunk::mesh::ChunkMesh;
use crate::chunk::morph::{Morph, Neighbours};
use crate::chunk::seams::Seams;
use crate::chunk::void::VoidSurface;
use crate::chunk::water_surface::WaterSurface;
use crate::query::adopted_ground::AdoptedGround;
use crate::terrain::Terrain;

/// The surfaces of the rivers and lakes that begin in a chunk: a child of the chunk, which is shown
/// and removed with it.
#[derive(Component, Clone, Copy, Debug, Reflect)]
#[reflect(Component, Debug, Clone)]
pub struct ChunkWater;

/// The dark inside of the holes that edits have cut into a chunk: a child of the chunk, which is
/// shown and removed with it. Its mesh closes each hole from below with walls and a floor 50 m
/// down. [`VoidMaterial`](crate::advanced::VoidMaterial) draws it where nothing else is: hide it
/// where a tunnel has another end, through which the sky should be seen from outside.
#[derive(Component, Clone, Copy, Debug, Reflect)]
#[reflect(Component, Debug, Clone)]
pub struct ChunkVoid;

/// What was built for a chunk.
pub(super) struct BuiltChunk {
    pub chunk: ChunkMesh,
    /// When it was begun.
    pub begun: Instant,
    /// How long a thread worked on it.
    pub time: Duration,
}

/// The entity of a chunk that has its mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedChunk {
    pub entity: Entity,
    pub is_drawn: bool,
    /// Its neighbours, while it is drawn.
    pub neighbours: Neighbours,
    /// The morph that its `MeshTag` contains.
    pub morph: Morph,
}

/// A terrain whose chunks are spawned.
#[derive(Clone, Copy)]
pub(super) struct Home {
    pub terrain: Entity,
    /// The position (x, height, z) of the terrain in the world.
    pub position: [f64; 3],
    pub layout: Layout,
    pub seams: Seams,
    pub revision: u32,
}

/// What it takes to spawn chunks.
#[derive(SystemParam)]
pub(crate) struct ChunkSpawner<'w, 's> {
    pub(super) commands: Commands<'w, 's>,
    pub(super) stats: ResMut<'w, TerrainStats>,
    meshes: ResMut<'w, Assets<Mesh>>,
    origin: Res<'w, TerrainOrigin>,
}

impl ChunkSpawner<'_, '_> {
    /// Spawns a chunk with its mesh, hidden.
    pub(super) fn spawn(&mut self, home: Home, key: ChunkKey, built: BuiltChunk) -> PlacedChunk {
        let Home { terrain, position, layout, seams, revision } = home;
        let BuiltChunk { chunk: ChunkMesh { mesh, aabb, relief, water, void, .. }, begun, time } =
            built;
        self.count(time);
        let (anchor, transform) = Anchor::new(&self.origin, layout.origin(key));
        // Chunks of the late pass are spawned after transform propagation.
        let in_world = Vec3::from(position.map(|x| x as f32)) + transform.translation;
        let global = GlobalTransform::from(Transform::from_translation(in_world));
        let place = (anchor, transform, global, Visibility::Hidden, MeshTag::default());
        let ChunkKey { lod, x, z } = key;
        let name = derived(format!("Chunk {lod} ({x}, {z})"));
        let owner = (name, DrawnFor(terrain), ChildOf(terrain));
        let mesh = (Mesh3d(self.meshes.add(mesh)), aabb, NoAutoAabb);
        let chunk = Chunk { terrain, key, error: relief.error as f32, revision };
        let entity = self.commands.spawn((chunk, seams, place, mesh, owner)).id();
        if let Some(WaterSurface { mesh, aabb }) = water {
            let water = (ChunkWater, derived("Water"), Mesh3d(self.meshes.add(mesh)), aabb);
            self.hang(terrain, entity, water);
        }
        if let Some(VoidSurface { mesh, aabb }) = void {
            let void = (ChunkVoid, derived("Void"), Mesh3d(self.meshes.add(mesh)), aabb);
            self.hang(terrain, entity, void);
        }
        let latency = begun.elapsed();
        self.commands.trigger(ChunkReady { terrain, chunk: entity, key, latency });
        let (neighbours, morph) = (Neighbours::default(), Morph::default());
        PlacedChunk { entity, is_drawn: false, neighbours, morph }
    }

    /// Gives a chunk a child that is shown with it.
    fn hang(&mut self, terrain: Entity, chunk: Entity, child: impl Bundle) {
        self.commands.entity(chunk).queue_silenced(move |mut chunk: EntityWorldMut| {
            // The late pass runs after transform propagation.
            let global = chunk.get::<GlobalTransform>().copied().unwrap_or_default();
            let place = (Transform::IDENTITY, global, Visibility::Inherited);
            chunk.with_child((child, DrawnFor(terrain), NoAutoAabb, place));
        });
    }

    /// Counts a chunk that was built, and the time that it took.
    fn count(&mut self, time: Duration) {
        let TerrainStats { built, build_time, .. } = &mut *self.stats;
        *build_time = if *built == 0 { time } else { (15 * *build_time + time) / 16 };
        *built += 1;
    }
}

/// Triggers an event for a despawned chunk. It is built again if it is wanted.
pub(crate) fn on_chunk_removed(
    event: On<Remove, Chunk>,
    chunks: Query<&Chunk>,
    mut terrains: Query<&mut ChunkSets>,
    mut commands: Commands,
) {
    let Ok(&Chunk { terrain, key, .. }) = chunks.get(event.entity) else { return };
    commands.trigger(ChunkRemoved { terrain, chunk: event.entity, key });
    let Ok(mut sets) = terrains.get_mut(terrain) else { return };
    for set in sets.iter_mut().filter(|all| all.has(key, event.entity)) {
        set.chunks.lose(key);
        set.changed = true;
        set.sweep = true;
    }
}

/// Despawns all that is drawn for an entity that is no longer a terrain.
pub(crate) fn on_terrain_removed(
    event: On<Remove, Terrain>,
    mut commands: Commands,
    drawn: Query<(Entity, &DrawnFor)>,
) {
    despawn_all(event.entity, &mut commands, &drawn);
    commands
        .entity(event.entity)
        .try_remove::<(AdoptedGround, ChunkSets, TerrainViews, ShownAppearance)>();
}
