//! Tasks are started, and chunks that nobody wants are removed.

use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;
use bevy_tasks::AsyncComputeTaskPool;

use super::Streaming;
use super::chunks::{ChunkTask, spawn};
use super::generation::{Generation, Progress};
use crate::chunk::key::ChunkKey;
use crate::streaming::budget::{TerrainBudget, TerrainStats};
use crate::streaming::origin::TerrainOrigin;

/// A chunk to build: how urgent it is, and for which terrain.
type Wish = (f64, Entity, ChunkKey);

/// Removes what is not wanted, and starts tasks for what is missing, the most urgent first.
pub(crate) fn dispatch(
    mut commands: Commands,
    budget: Res<TerrainBudget>,
    mut terrains: Query<(Entity, &mut Streaming)>,
    origin: Res<TerrainOrigin>,
    mut stats: ResMut<TerrainStats>,
    mut queue: Local<Vec<Wish>>,
) {
    let mut removals = budget.removed_per_frame.max(1);
    let mut in_flight = 0;
    queue.clear();
    for (entity, mut streaming) in &mut terrains {
        let retired = streaming.retired.len();
        for entity in streaming.retired.drain(retired.saturating_sub(removals)..) {
            commands.entity(entity).try_despawn();
            removals -= 1;
        }
        for generation in streaming.generations_mut() {
            stats.cancelled += remove_unwanted(&mut commands, generation, &mut removals);
            in_flight += generation.count(|progress| progress == Progress::Building);
        }
        // While a next generation is on its way, the one on show gets nothing new.
        let streaming = &*streaming;
        if let Some(target) = streaming.next.as_ref().or(streaming.shown.as_ref()) {
            let urgency = |key| {
                target.selection.urgency(target.layout(), &target.errors, &streaming.now, key)
            };
            queue.extend(target.missing.iter().map(|&key| (urgency(key), entity, key)));
        }
    }
    let room = budget.tasks_in_flight.max(1).saturating_sub(in_flight);
    if room == 0 || queue.is_empty() {
        return;
    }
    // Siblings are equally urgent, and only useful together. No more than fit are sorted.
    let by_urgency = |a: &Wish, b: &Wish| {
        let parents = || a.2.ancestor(a.2.lod + 1).cmp(&b.2.ancestor(b.2.lod + 1));
        b.0.total_cmp(&a.0).then_with(parents).then(a.2.cmp(&b.2))
    };
    if queue.len() > room {
        queue.select_nth_unstable_by(room, by_urgency);
        queue.truncate(room);
    }
    queue.sort_unstable_by(by_urgency);
    for (_, entity, key) in queue.drain(..) {
        let Ok((_, mut streaming)) = terrains.get_mut(entity) else { continue };
        let Streaming { shown, next, .. } = &mut *streaming;
        let Some(target) = next.as_mut().or(shown.as_mut()) else { continue };
        let builder = target.builder.clone();
        let task = AsyncComputeTaskPool::get().spawn(async move {
            let start = Instant::now();
            let built = builder.build(key);
            (built, start.elapsed())
        });
        let chunk = spawn(&mut commands, &origin, entity, target, key, Progress::Building);
        commands.entity(chunk).try_insert(ChunkTask(task));
        target.missing.retain(|&missing| missing != key);
    }
}

/// Cancels tasks whose chunk is not wanted any more, and despawns such chunks where they are not
/// drawn. How many were cancelled.
fn remove_unwanted(
    commands: &mut Commands,
    generation: &mut Generation,
    removals: &mut usize,
) -> u64 {
    let Generation { selection, chunks, .. } = generation;
    let mut cancelled = 0;
    chunks.retain(|&key, slot| {
        let keep = match slot.progress {
            _ if selection.keeps(key) => true,
            Progress::Building => false,
            Progress::Drawn => true,
            Progress::Ready => *removals == 0,
        };
        if !keep {
            if slot.progress == Progress::Ready {
                *removals -= 1;
            } else {
                cancelled += 1;
            }
            commands.entity(slot.entity).try_despawn();
        }
        keep
    });
    cancelled
}
