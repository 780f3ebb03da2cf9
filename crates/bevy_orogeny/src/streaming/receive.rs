//! Step `Receive`: results of finished tasks become meshes, the most urgent first.

use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_mesh::Mesh;
use bevy_tasks::futures::check_ready;

use super::chunk_entity::{ChunkTask, count_build, finish};
use super::chunk_table::{Progress, Slot};
use super::components::{Generations, TerrainViews};
use super::urgency::{Urgent, keep_most_urgent};
use crate::base::budget::{TerrainBudget, TerrainStats};
use crate::chunk::key::Chunk;

/// Turns the results of finished tasks into meshes, which are hidden at first.
pub(crate) fn receive(
    mut commands: Commands,
    budget: Res<TerrainBudget>,
    mut tasks: Query<(Entity, &Chunk, &mut ChunkTask)>,
    mut terrains: Query<(&mut Generations, &TerrainViews)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut stats: ResMut<TerrainStats>,
    mut queue: Local<Vec<Urgent>>,
) {
    queue.clear();
    for (entity, chunk, task) in &tasks {
        if !task.0.is_finished() {
            continue;
        }
        let terrain = terrains.get(chunk.terrain).ok();
        let urgency = terrain.and_then(|(generations, views)| {
            Some(generations.holder(chunk, entity)?.urgency(&views.now, chunk.key))
        });
        match urgency {
            Some(urgency) => queue.push(Urgent { urgency, key: chunk.key, entity }),
            // The chunk is no longer wanted.
            None => commands.entity(entity).try_despawn(),
        }
    }
    keep_most_urgent(&mut queue, budget.applied_per_frame.max(1));
    for Urgent { entity, key, .. } in queue.drain(..) {
        let Ok((_, chunk, mut task)) = tasks.get_mut(entity) else { continue };
        let Some((built, time)) = check_ready(&mut task.0) else { continue };
        let Ok((mut generations, _)) = terrains.get_mut(chunk.terrain) else { continue };
        let Some(generation) = generations.holder_mut(chunk, entity) else { continue };
        generation.chunks.insert(key, Slot::new(entity, Progress::Hidden));
        count_build(&mut stats, time);
        commands.entity(entity).try_remove::<ChunkTask>();
        finish(&mut commands, generation, chunk.terrain, entity, key, built, &mut meshes);
    }
}
