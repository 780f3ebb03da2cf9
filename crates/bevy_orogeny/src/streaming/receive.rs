//! Finished tasks become meshes.

use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_mesh::Mesh;
use bevy_tasks::futures::check_ready;

use super::Streaming;
use super::chunks::{ChunkTask, count_build, finish};
use super::generation::Progress;
use crate::budget::{TerrainBudget, TerrainStats};
use crate::chunk::Chunk;
use crate::problems::TerrainProblems;

/// Turns finished tasks into meshes, hidden for now.
pub(crate) fn receive(
    mut commands: Commands,
    budget: Res<TerrainBudget>,
    mut tasks: Query<(Entity, &Chunk, &ChildOf, &mut ChunkTask)>,
    mut terrains: Query<&mut Streaming>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut stats: ResMut<TerrainStats>,
    mut problems: ResMut<TerrainProblems>,
) {
    let mut left = budget.applied_per_frame.max(1);
    for (entity, chunk, parent, mut task) in &mut tasks {
        if left == 0 {
            break;
        }
        let Some((built, time)) = check_ready(&mut task.0) else { continue };
        // A result that nobody waits for any more is stale.
        let mut streaming = terrains.get_mut(parent.parent());
        let Some(slot) = streaming.as_mut().ok().and_then(|s| s.slot(chunk, entity)) else {
            commands.entity(entity).try_despawn();
            continue;
        };
        slot.progress = Progress::Ready;
        count_build(&mut stats, time);
        commands.entity(entity).try_remove::<ChunkTask>();
        finish(&mut commands, entity, parent.parent(), built, &mut meshes, &mut problems);
        left -= 1;
    }
}
