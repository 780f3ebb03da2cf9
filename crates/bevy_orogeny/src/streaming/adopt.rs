//! Step `Adopt`: valid settings become the terrain's ground, and wait for their chunks to be built.

use bevy_ecs::prelude::*;
use bevy_transform::helper::TransformHelper;

use super::components::{Generations, ShownAppearance, TerrainViews};
use super::locate::position;
use crate::base::budget::TerrainStats;
use crate::base::events::GroundEdited;
use crate::base::problems::{TerrainProblem, TerrainProblems};
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::seams::Seams;
use crate::query::GroundQuery;
use crate::query::adopted_ground::AdoptedGround;
use crate::terrain::{Terrain, TerrainEdits, TerrainError};

/// Gives a new terrain the components of streaming.
pub(crate) fn on_terrain_added(
    event: On<Add, Terrain>,
    mut commands: Commands,
    terrains: Query<(Ref<Terrain>, Option<&TerrainEdits>)>,
    transforms: TransformHelper,
) {
    let mut adopted = AdoptedGround::at(position(event.entity, &transforms));
    // Queries need not wait for the next frame. Errors are reported when the settings are adopted.
    if let Ok((terrain, edits)) = terrains.get(event.entity)
        && let Ok(ground) = GroundQuery::of(&terrain)
    {
        adopted.prepare(&terrain, edited(ground, edits));
    }
    commands.entity(event.entity).try_insert((
        adopted,
        Generations::default(),
        TerrainViews::default(),
        ShownAppearance::default(),
    ));
}

fn edited(ground: GroundQuery, edits: Option<&TerrainEdits>) -> GroundQuery {
    ground.with_edits(edits.map_or_else(Default::default, |edits| edits.log.edits()))
}

/// Takes the edits off a terrain that has lost them.
pub(crate) fn on_edits_removed(event: On<Remove, TerrainEdits>, mut terrains: Query<&mut Terrain>) {
    if let Ok(mut terrain) = terrains.get_mut(event.entity) {
        terrain.set_changed();
    }
}

/// Adopts changed settings and edits, if they are valid.
pub(crate) fn adopt(
    mut terrains: Query<
        (
            Entity,
            Ref<Terrain>,
            Option<&Seams>,
            Option<&TerrainEdits>,
            &mut AdoptedGround,
            &mut Generations,
        ),
        Or<(Changed<Terrain>, Changed<Seams>, Changed<TerrainEdits>)>,
    >,
    mut commands: Commands,
    mut stats: ResMut<TerrainStats>,
    mut problems: ResMut<TerrainProblems>,
) {
    for (entity, terrain, seams, edits, mut adopted, mut generations) in &mut terrains {
        let seams = seams.copied().unwrap_or_default();
        // If only the appearance has changed, no chunk needs to be rebuilt.
        let built = adopted.has_chunks_of(&terrain, seams);
        let ground = match (adopted.of(&terrain), adopted.newest()) {
            (Some(ground), _) => Ok(ground.clone()),
            (None, Some(ground)) if built => GroundQuery::of_beside(&terrain, ground),
            _ => GroundQuery::of(&terrain),
        };
        match ground {
            Ok(ground) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Terrain(_)));
                let ground = edited(ground, edits);
                // The ground that the newest chunks do not have yet.
                let touched = adopted.newest().filter(|_| built);
                let touched = touched.and_then(|old| ground.meshes_since(old));
                adopted.adopt(&terrain, seams, ground.clone());
                if touched.as_ref().is_some_and(Vec::is_empty) {
                    generations.set_newest_ground(ground);
                } else {
                    if let Some(regions) = touched.clone() {
                        commands.trigger(GroundEdited { terrain: entity, regions });
                    }
                    let (landscape, keep) = (ground.landscape().clone(), terrain.keep_meshes);
                    let builder = ChunkBuilder::new(landscape, *ground.layout(), seams, keep);
                    stats.cancelled += generations.wait(&mut commands, builder, ground, touched);
                }
            }
            // A preset provides the ground and reports a faulty file.
            Err(TerrainError::Loading) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Terrain(_)));
            }
            Err(error) => problems.report(Some(entity), TerrainProblem::Terrain(error)),
        }
    }
}
