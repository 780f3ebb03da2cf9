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
use crate::terrain::{Terrain, TerrainError};

/// Gives a new terrain what streaming keeps for it.
pub(crate) fn on_terrain_added(
    event: On<Add, Terrain>,
    mut commands: Commands,
    transforms: TransformHelper,
) {
    let place = place(event.entity, &transforms);
    commands.entity(event.entity).try_insert(Streaming { place, ..Streaming::default() });
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
        match builder(&terrain, seams) {
            Ok((builder, ground)) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Terrain(_)));
                streaming.ground = Some((terrain.last_changed(), ground));
                // Touched, or put back after a change that was not valid: nothing to build.
                let same =
                    |(old, old_seams): &(Terrain, Seams)| *old == *terrain && *old_seams == seams;
                if streaming.adopted.as_ref().is_some_and(same) {
                    continue;
                }
                streaming.adopted = Some(((*terrain).clone(), seams));
                streaming.waiting = Some(Arc::new(builder));
            }
            Err(error) => problems.report(Some(entity), TerrainProblem::Terrain(error)),
        }
    }
}

fn builder(terrain: &Terrain, seams: Seams) -> Result<(ChunkBuilder, GroundQuery), TerrainError> {
    let ground = GroundQuery::of(terrain)?;
    let (field, layout) = (ground.shared_field(), *ground.layout());
    Ok((ChunkBuilder::new(field, layout, seams, terrain.keep_meshes), ground))
}
