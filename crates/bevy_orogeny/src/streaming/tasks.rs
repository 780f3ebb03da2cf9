//! Steps `Receive` and `Dispatch`: tasks build missing chunks, and their results are spawned, the
//! most urgent of all terrains first.

use core::cmp::Ordering;

use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;

use super::chunk_entity::{BuiltChunk, ChunkSpawner};
use super::components::{Generations, TerrainViews};
use crate::base::budget::{TerrainBudget, TerrainStats};
use crate::chunk::key::ChunkKey;
use crate::query::adopted_ground::AdoptedGround;
use crate::slices;

/// A chunk of a terrain's first or second generation, and how urgent it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Urgent {
    urgency: f64,
    key: ChunkKey,
    terrain: Entity,
    generation: usize,
}

impl Urgent {
    /// The most urgent first. Siblings are equally urgent and only useful together, so they are
    /// adjacent.
    fn compare(&self, other: &Self) -> Ordering {
        let by_parent = || self.key.parent().cmp(&other.key.parent());
        let by_key = || self.key.cmp(&other.key);
        other.urgency.total_cmp(&self.urgency).then_with(by_parent).then_with(by_key)
    }
}

/// Sorts a queue, and keeps the `max` most urgent chunks.
fn keep_most_urgent(queue: &mut Vec<Urgent>, max: usize) {
    if queue.len() > max {
        queue.select_nth_unstable_by(max, Urgent::compare);
        queue.truncate(max);
    }
    queue.sort_unstable_by(Urgent::compare);
}

/// Spawns what tasks have finished, hidden at first.
pub(crate) fn receive(
    mut terrains: Query<(Entity, &mut Generations, &TerrainViews, &AdoptedGround)>,
    budget: Res<TerrainBudget>,
    mut spawner: ChunkSpawner,
    mut queue: Local<Vec<Urgent>>,
) {
    queue.clear();
    for (terrain, generations, views, _) in &terrains {
        for (n, generation) in generations.iter().enumerate() {
            queue.extend(generation.chunks.finished().into_iter().map(|key| Urgent {
                urgency: generation.urgency(&views.now, key),
                key,
                terrain,
                generation: n,
            }));
        }
    }
    keep_most_urgent(&mut queue, budget.applied_per_frame.max(1));
    for Urgent { key, terrain, generation, .. } in queue.drain(..) {
        let Ok((_, mut generations, _, ground)) = terrains.get_mut(terrain) else { continue };
        let Some(generation) = generations.iter_mut().nth(generation) else { continue };
        let home = generation.home(terrain, ground.position);
        generation.receive(key, |built| spawner.spawn(home, key, built));
    }
}

/// Despawns unwanted chunks, as many as the budget allows.
pub(crate) fn remove_unwanted(
    mut commands: Commands,
    budget: Res<TerrainBudget>,
    mut terrains: Query<&mut Generations>,
    mut stats: ResMut<TerrainStats>,
) {
    let mut left = budget.removed_per_frame.max(1);
    for mut generations in &mut terrains {
        if !generations.retired.is_empty() {
            let kept = generations.retired.len().saturating_sub(left);
            for entity in generations.retired.drain(kept..) {
                commands.entity(entity).try_despawn();
                left -= 1;
            }
        }
        if generations.iter().any(|generation| generation.sweep) {
            let Generations { shown, next, .. } = &mut *generations;
            if let Some(shown) = shown {
                stats.cancelled += shown.sweep(&mut commands, next.as_ref(), &mut left);
            }
            if let Some(next) = next {
                stats.cancelled += next.sweep(&mut commands, shown.as_ref(), &mut left);
            }
        }
    }
}

/// Begins tasks for missing chunks.
pub(crate) fn dispatch(
    mut terrains: Query<(Entity, &mut Generations, &TerrainViews)>,
    budget: Res<TerrainBudget>,
    mut queue: Local<Vec<Urgent>>,
) {
    let mut in_flight = 0;
    queue.clear();
    for (terrain, generations, views) in &terrains {
        in_flight += generations.iter().map(|other| other.chunks.building().len()).sum::<usize>();
        // While a next generation is being built, the current one gets no new chunks.
        let Some((n, target)) = generations.iter().enumerate().last() else { continue };
        queue.extend(target.chunks.missing().map(|key| Urgent {
            urgency: target.urgency(&views.now, key),
            key,
            terrain,
            generation: n,
        }));
    }
    keep_most_urgent(&mut queue, budget.tasks_in_flight.max(1).saturating_sub(in_flight));
    for Urgent { key, terrain, generation, .. } in queue.drain(..) {
        let Ok((_, mut generations, _)) = terrains.get_mut(terrain) else { continue };
        let Some(generation) = generations.iter_mut().nth(generation) else { continue };
        let (builder, begun) = (generation.builder.clone(), Instant::now());
        let build = async move {
            let start = Instant::now();
            let chunk = builder.build_in_turns(key).await;
            BuiltChunk { chunk, begun, time: start.elapsed() }
        };
        generation.chunks.begin(key, slices::spawn(build));
    }
}
