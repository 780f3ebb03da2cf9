//! Tasks are started, and chunks that nobody wants are removed.

use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;
use bevy_tasks::AsyncComputeTaskPool;

use super::Streaming;
use super::chunks::{ChunkTask, spawn};
use super::generation::{Generation, Progress, Source};
use crate::budget::TerrainBudget;
use crate::mesh;

/// Removes what is not wanted, and starts tasks for what is missing, the coarsest and nearest first.
pub(crate) fn dispatch(
    mut commands: Commands,
    budget: Res<TerrainBudget>,
    mut terrains: Query<(Entity, &mut Streaming)>,
) {
    let mut removals = budget.removed_per_frame.max(1);
    let mut in_flight = 0;
    let mut queue = Vec::new();
    for (entity, mut streaming) in &mut terrains {
        let retired = streaming.retired.len();
        for entity in streaming.retired.drain(retired.saturating_sub(removals)..) {
            commands.entity(entity).try_despawn();
            removals -= 1;
        }
        for generation in streaming.generations_mut() {
            remove_unwanted(&mut commands, generation, &mut removals);
            in_flight += generation.count(|progress| progress == Progress::Building);
        }
        // While a next generation is on its way, the one on show gets nothing new.
        let streaming = &*streaming;
        if let Some(target) = streaming.next.as_ref().or(streaming.shown.as_ref()) {
            let layout = &target.source.layout;
            queue.extend(target.missing().map(|key| {
                let distances = streaming.views.iter().map(|v| layout.distance(key, v.position));
                (key.lod, distances.fold(f64::INFINITY, f64::min), entity, key)
            }));
        }
    }
    queue.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
    let room = budget.tasks_in_flight.max(1).saturating_sub(in_flight);
    for (.., entity, key) in queue.into_iter().take(room) {
        let Ok((_, mut streaming)) = terrains.get_mut(entity) else { continue };
        let Streaming { shown, next, .. } = &mut *streaming;
        let Some(target) = next.as_mut().or(shown.as_mut()) else { continue };
        let Source { field, layout } = target.source.clone();
        let task = AsyncComputeTaskPool::get().spawn(async move {
            let start = Instant::now();
            let built = mesh::build(&*field, &layout, key);
            (built, start.elapsed())
        });
        let chunk = spawn(&mut commands, entity, target, key, Progress::Building);
        commands.entity(chunk).try_insert(ChunkTask(task));
    }
}

/// Cancels tasks whose chunk is not wanted any more, and despawns such chunks where they are not drawn.
fn remove_unwanted(commands: &mut Commands, generation: &mut Generation, removals: &mut usize) {
    let Generation { selection, chunks, .. } = generation;
    chunks.retain(|&key, slot| {
        let keep = match slot.progress {
            _ if selection.wants(key) => true,
            Progress::Building => false,
            Progress::Drawn => true,
            Progress::Ready => *removals == 0,
        };
        if !keep {
            if slot.progress == Progress::Ready {
                *removals -= 1;
            }
            commands.entity(slot.entity).try_despawn();
        }
        keep
    });
}
