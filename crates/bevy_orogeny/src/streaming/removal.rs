//! What is taken away: chunks and terrains.

use bevy_ecs::prelude::*;
use bevy_mesh::Mesh3d;

use super::Streaming;
use crate::chunk::key::Chunk;
use crate::streaming::events::ChunkRemoved;
use crate::terrain::Terrain;

/// A chunk was despawned: that is said, and it is built again where it is wanted.
pub(crate) fn on_chunk_removed(
    event: On<Remove, Chunk>,
    chunks: Query<(&Chunk, Has<Mesh3d>)>,
    mut terrains: Query<&mut Streaming>,
    mut commands: Commands,
) {
    let chunk = event.entity;
    let Ok((&removed, has_mesh)) = chunks.get(chunk) else { return };
    if has_mesh {
        commands.trigger(ChunkRemoved { terrain: removed.terrain, chunk, key: removed.key });
    }
    let Ok(mut streaming) = terrains.get_mut(removed.terrain) else { return };
    if let Some(generation) = streaming.holder(&removed, chunk) {
        generation.chunks.remove(&removed.key);
        generation.changed = true;
    }
}

/// A terrain is no more one: take its chunks away.
pub(crate) fn on_terrain_removed(
    event: On<Remove, Terrain>,
    mut commands: Commands,
    terrains: Query<&Streaming>,
) {
    let Ok(streaming) = terrains.get(event.entity) else { return };
    let slots = streaming.generations().flat_map(|generation| generation.chunks.values());
    for entity in slots.map(|slot| slot.entity).chain(streaming.retired.iter().copied()) {
        commands.entity(entity).try_despawn();
    }
    commands.entity(event.entity).try_remove::<Streaming>();
}
