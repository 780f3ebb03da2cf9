//! Changed settings are taken over.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use bevy_transform::helper::TransformHelper;

use super::Streaming;
use super::select::place;
use crate::mesh::ChunkBuilder;
use crate::problems::{TerrainProblem, TerrainProblems};
use crate::query::GroundQuery;
use crate::seams::Seams;
use crate::terrain::Terrain;

/// Gives a new terrain what streaming keeps for it.
pub(crate) fn on_terrain_added(
    event: On<Add, Terrain>,
    mut commands: Commands,
    terrains: Query<Ref<Terrain>>,
    transforms: TransformHelper,
) {
    let place = place(event.entity, &transforms);
    let mut streaming = Streaming { place, ..Streaming::default() };
    // What stands on it need not wait. What is wrong with it is said when it is taken over.
    if let Ok(terrain) = terrains.get(event.entity)
        && let Ok(ground) = GroundQuery::of(&terrain)
    {
        streaming.ground = Some((terrain.last_changed(), ground));
    }
    commands.entity(event.entity).try_insert(streaming);
}

/// Takes over changed settings, if they are valid.
pub(crate) fn adopt(
    mut terrains: Query<
        (Entity, Ref<Terrain>, Option<&Seams>, &mut Streaming),
        Or<(Changed<Terrain>, Changed<Seams>)>,
    >,
    mut problems: ResMut<TerrainProblems>,
) {
    for (entity, terrain, seams, mut streaming) in &mut terrains {
        let seams = seams.copied().unwrap_or_default();
        let ground = match streaming.ground(&terrain) {
            Some(ground) => Ok(ground.clone()),
            None => GroundQuery::of(&terrain),
        };
        match ground {
            Ok(ground) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Terrain(_)));
                streaming.ground = Some((terrain.last_changed(), ground.clone()));
                // Touched, or put back after a change that was not valid: nothing to build.
                let same =
                    |(old, old_seams): &(Terrain, Seams)| *old == *terrain && *old_seams == seams;
                if streaming.adopted.as_ref().is_some_and(same) {
                    continue;
                }
                streaming.adopted = Some(((*terrain).clone(), seams));
                let (field, layout) = (ground.height_field().clone(), *ground.layout());
                let builder = ChunkBuilder::new(field, layout, seams, terrain.keep_meshes);
                streaming.waiting = Some(Arc::new(builder));
            }
            Err(error) => problems.report(Some(entity), TerrainProblem::Terrain(error)),
        }
    }
}
