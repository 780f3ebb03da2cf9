//! Step `Adopt`: valid settings become the terrain's ground, and wait for their chunks to be built.

use bevy_ecs::prelude::*;
use bevy_transform::helper::TransformHelper;

use super::components::{Generations, ShownAppearance, TerrainViews};
use super::locate::position;
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::seams::Seams;
use crate::query::GroundQuery;
use crate::query::adopted_ground::AdoptedGround;
use crate::streaming::budget::TerrainStats;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::terrain::{Terrain, TerrainError};

/// Gives a new terrain the components of streaming.
pub(crate) fn on_terrain_added(
    event: On<Add, Terrain>,
    mut commands: Commands,
    terrains: Query<Ref<Terrain>>,
    transforms: TransformHelper,
) {
    let mut adopted = AdoptedGround::at(position(event.entity, &transforms));
    // Queries need not wait for the next frame. Errors are reported when the settings are adopted.
    if let Ok(terrain) = terrains.get(event.entity)
        && let Ok(ground) = GroundQuery::of(&terrain)
    {
        adopted.prepare(&terrain, ground);
    }
    commands.entity(event.entity).try_insert((
        adopted,
        Generations::default(),
        TerrainViews::default(),
        ShownAppearance::default(),
    ));
}

/// Adopts changed settings, if they are valid.
pub(crate) fn adopt(
    mut terrains: Query<
        (Entity, Ref<Terrain>, Option<&Seams>, &mut AdoptedGround, &mut Generations),
        Or<(Changed<Terrain>, Changed<Seams>)>,
    >,
    mut commands: Commands,
    mut stats: ResMut<TerrainStats>,
    mut problems: ResMut<TerrainProblems>,
) {
    for (entity, terrain, seams, mut adopted, mut generations) in &mut terrains {
        let seams = seams.copied().unwrap_or_default();
        let appearance = terrain.ground.appearance();
        // If only the appearance has changed, no chunk needs to be rebuilt.
        let built = adopted.has_chunks_of(&terrain, seams);
        let ground = match (adopted.of(&terrain), adopted.newest()) {
            (Some(ground), _) => Ok(ground.clone()),
            (None, Some(ground)) if built => appearance
                .check()
                .map(|()| ground.with_appearance(appearance.clone()))
                .map_err(TerrainError::from),
            _ => GroundQuery::of(&terrain),
        };
        match ground {
            Ok(ground) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Terrain(_)));
                let (field, layout) = (ground.height_field().clone(), *ground.layout());
                adopted.adopt(&terrain, seams, ground);
                if built {
                    generations.set_newest_appearance(appearance);
                } else {
                    let builder = ChunkBuilder::new(field, layout, seams, terrain.keep_meshes);
                    stats.cancelled += generations.wait(&mut commands, builder, appearance);
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
