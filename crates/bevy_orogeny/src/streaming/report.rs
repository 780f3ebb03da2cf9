//! Step `Report`: updates the statistics.

use bevy_ecs::prelude::*;

use super::components::ChunkSets;
use crate::base::budget::TerrainStats;
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::chunk::key::Chunk;
use crate::chunk::triangles;

/// Updates the statistics.
pub(crate) fn report(
    mut commands: Commands,
    terrains: Query<(Entity, &ChunkSets)>,
    orphans: Query<Entity, (With<Chunk>, Without<ChildOf>)>,
    mut stats: ResMut<TerrainStats>,
    mut problems: ResMut<TerrainProblems>,
    mut spare: Local<Vec<usize>>,
) {
    // A chunk spawned while its terrain was being despawned has lost its parent.
    orphans.iter().for_each(|entity| commands.entity(entity).try_despawn());

    let TerrainStats { built, build_time, cancelled, task_time, longest_slice, .. } = *stats;
    // The list of levels is swapped with that of the last frame, so nothing is allocated.
    spare.clear();
    let displayed_by_lod = core::mem::take(&mut *spare);
    let mut now = TerrainStats {
        built,
        build_time,
        cancelled,
        task_time,
        longest_slice,
        displayed_by_lod,
        ..TerrainStats::default()
    };
    for (entity, sets) in &terrains {
        // The number of missing chunks of a pending change is unknown, so it counts as one.
        now.missing += usize::from(sets.pending.is_some());
        now.missing += usize::from(sets.is_held());
        now.chunks += sets.retired.len();
        if sets.shown.as_ref().is_some_and(|shown| !shown.finite) {
            problems.report(Some(entity), TerrainProblem::NotFinite);
        } else {
            problems.clear(Some(entity), |p| matches!(p, TerrainProblem::NotFinite));
        }
    }
    for set in terrains.iter().flat_map(|(_, sets)| sets.iter()) {
        now.missing += set.chunks.missing().len() + usize::from(!set.knows_levels());
        now.missing += usize::from(set.glides);
        // A finer selection that has not been tried yet counts as one missing chunk.
        now.missing += usize::from(set.lod_scale.may_recover());
        now.limited |= set.lod_scale.is_limited();
        now.tasks_in_flight += set.chunks.building().len();
    }
    for (_, ChunkSets { shown, next, .. }) in &terrains {
        let Some(shown) = shown else { continue };
        let (ready, drawn) = (shown.chunks.ready_len(), shown.cut.len());
        let (layout, seams) = (shown.layout(), shown.builder.seams());
        // The next set draws nothing, and may share chunks.
        let others = next.as_ref().map_or(0, |next| next.unshared(shown));
        now.chunks += ready + others;
        now.displayed += drawn;
        now.triangles += drawn * triangles::count(layout, seams);
        let next_bytes = next.as_ref().map_or(0, |next| next.builder.mesh_bytes());
        now.mesh_bytes += ready * shown.builder.mesh_bytes() + others * next_bytes;
        for (lod, &drawn) in shown.cut.len_by_lod().iter().enumerate() {
            if now.displayed_by_lod.len() <= lod {
                now.displayed_by_lod.push(0);
            }
            now.displayed_by_lod[lod] += drawn;
        }
    }
    now.missing += now.tasks_in_flight;
    if *stats != now {
        core::mem::swap(&mut *stats, &mut now);
    }
    *spare = now.displayed_by_lod;
}
