//! Statistics are counted.

use bevy_ecs::prelude::*;

use super::Streaming;
use super::generation::Progress;
use crate::budget::TerrainStats;
use crate::chunk::Chunk;
use crate::mesh;
use crate::problems::{TerrainProblem, TerrainProblems};
use crate::terrain::Terrain;
use crate::viewer::TerrainViewer;

/// Counts what there is, and forgets the problems of entities that are gone.
pub(crate) fn report(
    mut commands: Commands,
    terrains: Query<(Entity, &Streaming)>,
    orphans: Query<Entity, (With<Chunk>, Without<ChildOf>)>,
    entities: Query<(), Or<(With<Terrain>, With<TerrainViewer>)>>,
    mut stats: ResMut<TerrainStats>,
    mut problems: ResMut<TerrainProblems>,
) {
    // A chunk spawned while its terrain was being despawned has lost its parent.
    orphans.iter().for_each(|entity| commands.entity(entity).try_despawn());
    problems.retain_entities(|entity| entities.contains(entity));

    let TerrainStats { built, build_time, cancelled, .. } = *stats;
    let mut now = TerrainStats { built, build_time, cancelled, ..TerrainStats::default() };
    for (entity, streaming) in &terrains {
        // Of a change that waits, no chunk is there yet: one stands for them.
        now.missing += usize::from(streaming.waiting.is_some());
        now.chunks += streaming.retired.len();
        if streaming.shown.as_ref().is_some_and(|shown| !shown.finite) {
            problems.report(Some(entity), TerrainProblem::NotFinite);
        } else {
            problems.clear(Some(entity), |p| matches!(p, TerrainProblem::NotFinite));
        }
    }
    for generation in terrains.iter().flat_map(|(_, streaming)| streaming.generations()) {
        now.missing += generation.missing.len() + usize::from(!generation.is_measured());
        let triangles = mesh::triangles(generation.layout(), generation.builder.seams());
        for (key, slot) in &generation.chunks {
            match slot.progress {
                Progress::Building => now.tasks_in_flight += 1,
                Progress::Ready => now.chunks += 1,
                Progress::Drawn => {
                    now.chunks += 1;
                    now.displayed += 1;
                    now.triangles += triangles;
                    let levels = now.displayed_by_lod.len().max(usize::from(key.lod) + 1);
                    now.displayed_by_lod.resize(levels, 0);
                    now.displayed_by_lod[usize::from(key.lod)] += 1;
                }
            }
        }
    }
    now.missing += now.tasks_in_flight;
    stats.set_if_neq(now);
}
