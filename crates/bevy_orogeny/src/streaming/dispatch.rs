//! Step `Dispatch`: starts tasks for missing chunks, and removes unwanted chunks.

use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;

use super::chunk_entity::{ChunkTask, Home, spawn};
use super::chunk_table::Progress;
use super::components::{Generations, TerrainViews};
use super::generation::Generation;
use super::urgency::{Urgent, keep_most_urgent};
use crate::base::budget::{TerrainBudget, TerrainStats};
use crate::base::origin::TerrainOrigin;
use crate::query::adopted_ground::AdoptedGround;
use crate::slices;

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
            if let Some(shown) = shown.as_mut().filter(|shown| shown.sweep) {
                stats.cancelled += sweep(&mut commands, shown, next.as_ref(), &mut left);
            }
            if let Some(next) = next.as_mut().filter(|next| next.sweep) {
                stats.cancelled += sweep(&mut commands, next, shown.as_ref(), &mut left);
            }
        }
    }
}

/// Cancels tasks of unwanted chunks, and despawns up to `left` of those that are not drawn, unless
/// the other generation shares them. Returns the number of cancelled tasks.
fn sweep(
    commands: &mut Commands,
    generation: &mut Generation,
    other: Option<&Generation>,
    left: &mut usize,
) -> u64 {
    let Generation { selection, chunks, sweep, .. } = generation;
    *sweep = false;
    let mut cancelled = 0;
    chunks.retain(|key, slot| {
        if selection.keeps(key) {
            return true;
        }
        match slot.progress {
            Progress::Drawn => return true,
            _ if other.is_some_and(|other| other.has(key, slot.entity)) => return false,
            Progress::Hidden if *left == 0 => {
                // The others are removed in the next frame.
                *sweep = true;
                return true;
            }
            Progress::Hidden => *left -= 1,
            Progress::Building => cancelled += 1,
        }
        commands.entity(slot.entity).try_despawn();
        false
    });
    cancelled
}

/// Starts tasks for missing chunks, the most urgent first.
pub(crate) fn dispatch(
    mut commands: Commands,
    budget: Res<TerrainBudget>,
    mut terrains: Query<(Entity, &mut Generations, &TerrainViews, &AdoptedGround)>,
    origin: Res<TerrainOrigin>,
    mut queue: Local<Vec<Urgent>>,
) {
    let mut in_flight = 0;
    queue.clear();
    for (entity, generations, views, _) in &terrains {
        in_flight += generations.iter().map(|other| other.chunks.counts().building).sum::<usize>();
        let Some(target) = generations.target() else { continue };
        queue.extend(target.missing.iter().map(|&key| Urgent {
            urgency: target.urgency(&views.now, key),
            key,
            entity,
        }));
    }
    let free = budget.tasks_in_flight.max(1).saturating_sub(in_flight);
    keep_most_urgent(&mut queue, free);
    for Urgent { key, entity: terrain, .. } in queue.drain(..) {
        let Ok((_, mut generations, _, ground)) = terrains.get_mut(terrain) else { continue };
        let Some(target) = generations.target_mut() else { continue };
        let builder = target.builder.clone();
        let task = slices::spawn(async move {
            let start = Instant::now();
            let built = builder.build_in_turns(key).await;
            (built, start.elapsed())
        });
        let position = ground.position.unwrap_or_default();
        let home = Home { terrain, position, origin: &origin };
        let chunk = spawn(&mut commands, home, target, key, Progress::Building);
        commands.entity(chunk).try_insert(ChunkTask(task));
        target.missing.retain(|&missing| missing != key);
    }
}
