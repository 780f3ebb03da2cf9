//! Finished tasks become meshes.

use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_mesh::Mesh;
use bevy_tasks::futures::check_ready;

use super::Streaming;
use super::chunks::{ChunkTask, count_build, finish};
use super::generation::{Progress, Slot};
use crate::chunk::key::Chunk;
use crate::streaming::budget::{TerrainBudget, TerrainStats};

/// Turns finished tasks into meshes, hidden for now.
pub(crate) fn receive(
    mut commands: Commands,
    budget: Res<TerrainBudget>,
    mut tasks: Query<(Entity, &Chunk, &mut ChunkTask)>,
    mut terrains: Query<&mut Streaming>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut stats: ResMut<TerrainStats>,
) {
    let mut left = budget.applied_per_frame.max(1);
    for (entity, chunk, mut task) in &mut tasks {
        if left == 0 {
            break;
        }
        let Some((built, time)) = check_ready(&mut task.0) else { continue };
        // A result that nobody waits for any more is stale.
        let &Chunk { terrain, key, .. } = chunk;
        let mut streaming = terrains.get_mut(terrain).ok();
        let Some(generation) = streaming.as_mut().and_then(|s| s.holder(chunk, entity)) else {
            commands.entity(entity).try_despawn();
            continue;
        };
        generation.chunks.insert(key, Slot::new(entity, Progress::Ready));
        count_build(&mut stats, time);
        commands.entity(entity).try_remove::<ChunkTask>();
        finish(&mut commands, generation, terrain, entity, key, built, &mut meshes);
        left -= 1;
    }
}
