//! Changed settings are taken over.

use std::sync::Arc;

use bevy_ecs::prelude::*;

use super::Streaming;
use crate::mesh::{ChunkBuilder, Seams};
use crate::problems::{TerrainProblem, TerrainProblems};
use crate::query::GroundQuery;
use crate::terrain::{Terrain, TerrainError};

/// Gives new terrains what streaming keeps for them.
pub(crate) fn begin(
    mut commands: Commands,
    terrains: Query<Entity, (With<Terrain>, Without<Streaming>)>,
) {
    terrains.iter().for_each(|entity| {
        commands.entity(entity).try_insert(Streaming::default());
    });
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
