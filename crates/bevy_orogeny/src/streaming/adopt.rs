//! Changed settings are taken over.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use bevy_transform::helper::TransformHelper;

use super::Streaming;
use super::select::place;
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::seams::Seams;
use crate::query::GroundQuery;
use crate::streaming::problems::{TerrainProblem, TerrainProblems};
use crate::terrain::{Appearance, Terrain, TerrainError};

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
        let look = terrain.ground.appearance();
        // Only what it looks like has changed, if anything: there is nothing to build.
        let same_shape =
            |(old, old_seams): &(Terrain, Seams)| old.has_shape_of(&terrain) && *old_seams == seams;
        let built = streaming.adopted.as_ref().is_some_and(same_shape);
        let ground = match (streaming.ground(&terrain), streaming.last_ground()) {
            (Some(ground), _) => Ok(ground.clone()),
            (None, Some(ground)) if built => {
                look.check().map(|()| ground.with_look(look.clone())).map_err(TerrainError::from)
            }
            _ => GroundQuery::of(&terrain),
        };
        match ground {
            Ok(ground) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Terrain(_)));
                streaming.ground = Some((terrain.last_changed(), ground.clone()));
                streaming.adopted = Some(((*terrain).clone(), seams));
                if built {
                    streaming.newest_look(look);
                    continue;
                }
                let (field, layout) = (ground.height_field().clone(), *ground.layout());
                let builder = ChunkBuilder::new(field, layout, seams, terrain.keep_meshes);
                streaming.waiting = Some((Arc::new(builder), look));
            }
            // A preset brings it; a faulty file is reported there.
            Err(TerrainError::Loading) => {
                problems.clear(Some(entity), |p| matches!(p, TerrainProblem::Terrain(_)));
            }
            Err(error) => problems.report(Some(entity), TerrainProblem::Terrain(error)),
        }
    }
}

impl Streaming {
    /// Changes what the newest chunks look like, on show or on their way.
    fn newest_look(&mut self, new: Appearance) {
        let Self { waiting, next, shown, .. } = self;
        if let Some((_, look)) = waiting {
            *look = new;
        } else if let Some(generation) = next.as_mut().or(shown.as_mut()) {
            generation.look = new;
        }
    }
}
