//! Statistics are counted.

use bevy_ecs::prelude::*;

use super::Streaming;
use super::generation::Progress;
use crate::chunk::key::Chunk;
use crate::chunk::triangles;
use crate::colliders::source::TerrainColliderSource;
use crate::lod::viewer::TerrainViewer;
use crate::standing::spawn_on_ground::SpawnOnGround;
use crate::streaming::budget::TerrainStats;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::terrain::Terrain;

/// What problems are told of.
type MayHaveProblems =
    (With<Terrain>, With<TerrainViewer>, With<TerrainColliderSource>, With<SpawnOnGround>);

/// Counts what there is, and forgets the problems of entities that are gone.
pub(crate) fn report(
    mut commands: Commands,
    terrains: Query<(Entity, &Streaming)>,
    orphans: Query<Entity, (With<Chunk>, Without<ChildOf>)>,
    entities: Query<(), Or<MayHaveProblems>>,
    mut stats: ResMut<TerrainStats>,
    mut problems: ResMut<TerrainProblems>,
    mut spare: Local<Vec<usize>>,
) {
    // A chunk spawned while its terrain was being despawned has lost its parent.
    orphans.iter().for_each(|entity| commands.entity(entity).try_despawn());
    problems.retain_entities(|entity| entities.contains(entity));

    let TerrainStats { built, build_time, cancelled, .. } = *stats;
    // The list of levels keeps its memory.
    spare.clear();
    let displayed_by_lod = core::mem::take(&mut *spare);
    let mut now =
        TerrainStats { built, build_time, cancelled, displayed_by_lod, ..TerrainStats::default() };
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
        now.limited |= generation.sharpness < 1.0;
        let triangles = triangles::count(generation.layout(), generation.builder.seams());
        let bytes = triangles::bytes(generation.layout(), generation.builder.seams());
        for (key, slot) in &generation.chunks {
            now.mesh_bytes += if slot.progress == Progress::Building { 0 } else { bytes };
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
    if *stats != now {
        core::mem::swap(&mut *stats, &mut now);
    }
    *spare = now.displayed_by_lod;
}
