//! What others take away: chunks and terrains.

use bevy_ecs::prelude::*;

use super::Streaming;
use crate::chunk::Chunk;
use crate::terrain::Terrain;

/// A chunk was despawned by somebody: forget it, so that it is built again where it is wanted.
pub(crate) fn on_chunk_removed(
    event: On<Remove, Chunk>,
    chunks: Query<&Chunk>,
    mut terrains: Query<&mut Streaming>,
) {
    let Ok(chunk) = chunks.get(event.entity) else { return };
    let Ok(mut streaming) = terrains.get_mut(chunk.terrain) else { return };
    if let Some(generation) = streaming.holder(chunk, event.entity) {
        generation.chunks.remove(&chunk.key);
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
