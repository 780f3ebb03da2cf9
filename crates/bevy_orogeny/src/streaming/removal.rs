//! Observers for despawned chunks and terrains.

use bevy_ecs::prelude::*;
use bevy_mesh::Mesh3d;

use super::components::{Generations, ShownAppearance, TerrainViews};
use crate::base::drawn_for::{DrawnFor, despawn_all};
use crate::base::events::ChunkRemoved;
use crate::chunk::key::Chunk;
use crate::query::adopted_ground::AdoptedGround;
use crate::terrain::Terrain;

/// Triggers an event for a despawned chunk. It is built again if it is wanted.
pub(crate) fn on_chunk_removed(
    event: On<Remove, Chunk>,
    chunks: Query<(&Chunk, Has<Mesh3d>)>,
    mut terrains: Query<&mut Generations>,
    mut commands: Commands,
) {
    let chunk = event.entity;
    let Ok((&removed, has_mesh)) = chunks.get(chunk) else { return };
    if has_mesh {
        commands.trigger(ChunkRemoved { terrain: removed.terrain, chunk, key: removed.key });
    }
    let Ok(mut generations) = terrains.get_mut(removed.terrain) else { return };
    for generation in generations.holders_mut(&removed, chunk) {
        generation.chunks.remove(removed.key);
        generation.changed = true;
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
        .try_remove::<(AdoptedGround, Generations, TerrainViews, ShownAppearance)>();
}
