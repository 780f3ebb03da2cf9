//! Steps `Receive` and `Dispatch`: tasks build missing chunks, and their results are spawned, the
//! most urgent of all terrains first.

use core::cmp::Ordering;

use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;

use super::chunk_entity::{BuiltChunk, ChunkSpawner};
use super::components::{ChunkSets, TerrainViews};
use crate::base::budget::{TerrainBudget, TerrainStats};
use crate::chunk::key::ChunkKey;
use crate::query::adopted_ground::AdoptedGround;
use crate::slices;

/// A chunk of a terrain's first or second set, and how urgent it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Urgent {
    urgency: f64,
    key: ChunkKey,
    terrain: Entity,
    set: usize,
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
    mut terrains: Query<(Entity, &mut ChunkSets, &TerrainViews, &AdoptedGround)>,
    budget: Res<TerrainBudget>,
    mut spawner: ChunkSpawner,
    mut queue: Local<Vec<Urgent>>,
) {
    queue.clear();
    for (terrain, sets, views, _) in &terrains {
        for (n, set) in sets.iter().enumerate() {
            queue.extend(set.chunks.finished().into_iter().map(|key| Urgent {
                urgency: set.urgency(&views.now, key),
                key,
                terrain,
                set: n,
            }));
        }
    }
    keep_most_urgent(&mut queue, budget.max_per_frame());
    for Urgent { key, terrain, set, .. } in queue.drain(..) {
        let Ok((_, mut sets, _, ground)) = terrains.get_mut(terrain) else { continue };
        let Some(set) = sets.iter_mut().nth(set) else { continue };
        let home = set.home(terrain, ground.position);
        set.receive(key, |built| spawner.spawn(home, key, built));
    }
}

/// Despawns unwanted chunks, as many as the budget allows.
pub(crate) fn remove_unwanted(
    mut commands: Commands,
    budget: Res<TerrainBudget>,
    mut terrains: Query<&mut ChunkSets>,
    mut stats: ResMut<TerrainStats>,
) {
    let mut left = budget.max_per_frame();
    for mut sets in &mut terrains {
        if !sets.retired.is_empty() {
            let kept = sets.retired.len().saturating_sub(left);
            for entity in sets.retired.drain(kept..) {
                commands.entity(entity).try_despawn();
                left -= 1;
            }
        }
        if sets.iter().any(|set| set.sweep) {
            let ChunkSets { shown, next, .. } = &mut *sets;
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
    mut terrains: Query<(Entity, &mut ChunkSets, &TerrainViews)>,
    budget: Res<TerrainBudget>,
    mut queue: Local<Vec<Urgent>>,
) {
    let mut in_flight = 0;
    queue.clear();
    for (terrain, sets, views) in &terrains {
        in_flight += sets.iter().map(|other| other.chunks.building().len()).sum::<usize>();
        // While a next set is being built, the current one gets no new chunks.
        let Some((n, target)) = sets.iter().enumerate().last() else { continue };
        queue.extend(target.chunks.missing().map(|key| Urgent {
            urgency: target.urgency(&views.now, key),
            key,
            terrain,
            set: n,
        }));
    }
    keep_most_urgent(&mut queue, budget.max_tasks().saturating_sub(in_flight));
    for Urgent { key, terrain, set, .. } in queue.drain(..) {
        let Ok((_, mut sets, _)) = terrains.get_mut(terrain) else { continue };
        let Some(set) = sets.iter_mut().nth(set) else { continue };
        let (builder, begun) = (set.builder.clone(), Instant::now());
        let build = async move {
            let start = Instant::now();
            let chunk = builder.build_in_turns(key).await;
            BuiltChunk { chunk, begun, time: start.elapsed() }
        };
        set.chunks.begin(key, slices::spawn_one_of_many(build, budget.io_threads));
    }
}
