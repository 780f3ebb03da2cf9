//! Changed settings are taken over.

use bevy_ecs::prelude::*;

use super::Streaming;
use super::generation::Source;
use crate::problems::{TerrainProblem, TerrainProblems};
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
    mut terrains: Query<(Entity, &Terrain, &mut Streaming), Changed<Terrain>>,
    mut problems: ResMut<TerrainProblems>,
) {
    for (entity, terrain, mut streaming) in &mut terrains {
        match source(terrain) {
            Ok(source) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Terrain(_)));
                // Touched, or put back after a change that was not valid: nothing to build.
                if streaming.adopted.as_ref() == Some(terrain) {
                    continue;
                }
                streaming.adopted = Some(terrain.clone());
                streaming.waiting = Some(source);
            }
            Err(error) => problems.report(Some(entity), TerrainProblem::Terrain(error)),
        }
    }
}

fn source(terrain: &Terrain) -> Result<Source, TerrainError> {
    Ok(Source { layout: terrain.layout()?, field: terrain.build()? })
}
