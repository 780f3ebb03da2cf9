//! Current problems: each is logged once, and listed for panels.

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use bevy_log::{error, info, warn};
use bevy_platform::collections::HashMap;
use orogeny::limits::OutOfLimits;

use crate::base::query_error::QueryError;
use crate::terrain::TerrainError;

/// A reason why terrain is not as requested. None of these is fatal: the chunks that are drawn
/// stay.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TerrainProblem {
    /// There is a terrain, but no [`TerrainViewer`](crate::TerrainViewer), so no chunks are built.
    /// Existing chunks stay. An app without a camera, such as a server, may not need a viewer.
    #[error("{}", if *camera {
        "no entity has a TerrainViewer, so no chunks are built: insert one on the camera"
    } else {
        "no entity has a TerrainViewer, so no chunks are built; queries and colliders need none"
    })]
    NoViewer {
        /// Whether there is a camera that could be a viewer. Without a camera, this is logged as
        /// information, not as a warning.
        camera: bool,
    },
    /// A viewer's range, detail or position is outside its limits. The viewer is ignored.
    #[error("a TerrainViewer is ignored: {0}")]
    Viewer(OutOfLimits),
    /// A collider source's radius or position is outside its limits. It gets no colliders.
    #[error("a TerrainColliderSource is ignored: {0}")]
    Source(OutOfLimits),
    /// An entity cannot be put on the ground. It waits until its settings or the terrain change.
    #[error("a SpawnOnGround is waiting: {0}")]
    SpawnOnGround(SpawnOnGroundError),
    /// The terrain is rotated, scaled or farther away than [`POSITION`](crate::advanced::POSITION)
    /// allows, by its own `Transform` or a parent's. Its chunks are hidden until that is corrected.
    #[error(
        "a Terrain is rotated, scaled, or not within 1e15 m, by its own Transform or a parent's: \
         it is hidden, because terrain can only be translated"
    )]
    Transformed,
    /// The origin cannot follow the viewers, because moving one would move the terrain with it.
    #[error("the origin cannot move, because a TerrainViewer and a Terrain share a parent")]
    OriginStuck,
    /// The terrain's settings are not valid. The last valid ones stay in use.
    #[error("a Terrain is not valid and keeps its last valid settings: {0}")]
    Terrain(TerrainError),
    /// The field returns heights that are infinite, or slopes that are infinite or NaN where it has
    /// a height. A height of NaN is no problem: it makes a hole.
    #[error(
        "the field of a Terrain is not finite everywhere: where its height is infinite, the ground \
         has a hole; where its slope is not finite, the normal points up"
    )]
    NotFinite,
    /// A preset file could not be loaded. The terrain stays as it was. Bevy's asset server logs the
    /// error; it is not logged again.
    #[error("{path}: {error}")]
    Preset {
        /// The file.
        path: String,
        /// The error, with the path inside the recipe.
        error: String,
    },
    /// A texture of the ground cannot be used. The ground keeps the one that it had.
    #[error("a ground texture cannot be used: {error}")]
    GroundTexture {
        /// The kind of ground, the image, and what is wrong with it.
        error: String,
    },
    /// A model that a game provides cannot be used. Its kind keeps the one that it had, if any.
    #[error("a plant model cannot be used: {error}")]
    PlantModel {
        /// The name of the model, and what is wrong with it.
        error: String,
    },
    /// A model that a game provides is drawn, but its files leave open how, or have something that
    /// is not drawn.
    #[error("a model of plants may not look as it should: {note}")]
    PlantModelNote {
        /// The name of the model, and what was guessed or left out.
        note: String,
    },
    /// A terrain has a material of a type without `TerrainMaterialPlugin`. Its chunks get another
    /// one.
    #[error(
        "a Terrain has a {material} that its chunks cannot use, so they get another material: \
         add TerrainMaterialPlugin::<M> for it"
    )]
    UnknownMaterial {
        /// The component, such as `MeshMaterial3d<Contours>`.
        material: String,
    },
    /// The device lacks compute shaders, storage buffers or indirect draws with a first instance,
    /// so trees, grass and rocks are not drawn.
    #[error(
        "trees, grass and rocks are not drawn: this graphics device lacks compute shaders, storage \
         buffers or indirect draws with a first instance"
    )]
    NoPlants,
    /// There is no `AssetPlugin`, so no meshes can be made. The plugin does nothing.
    #[error("TerrainPlugins needs Bevy's AssetPlugin: add DefaultPlugins or AssetPlugin before it")]
    NoAssets,
    /// `TerrainStreamingPlugin` was added before Bevy's `PbrPlugin`. Terrain streams, but nothing
    /// of it is drawn.
    #[error("terrain is not drawn: add DefaultPlugins or PbrPlugin before TerrainPlugins")]
    NotDrawn,
    /// A part was added without `TerrainStreamingPlugin`, or before it. It does nothing.
    #[error("{part} needs TerrainStreamingPlugin: add TerrainPlugins before it")]
    WithoutStreaming {
        /// The part.
        part: &'static str,
    },
    /// `TerrainStreamingPlugin` was added more than once.
    #[error("TerrainPlugins was added twice: the second time has no effect")]
    AddedTwice,
}

/// Why an entity was not put on the ground.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpawnOnGroundError {
    /// A number is outside its limits.
    #[error("{0}")]
    OutOfLimits(#[from] OutOfLimits),
    /// The ground has no answer at the position.
    #[error("{0}")]
    Query(#[from] QueryError),
    /// All ground within the search radius is too steep, too low or under too deep water, or there
    /// is none.
    #[error("all ground within its search radius is too steep, too low, under water, or missing")]
    Unsuited,
}

/// Identifies the problems of which an entity can have one at a time.
type Slot = (Option<Entity>, core::mem::Discriminant<TerrainProblem>);

/// All current problems. Each is logged once when it appears, by Bevy if that finds it, and is
/// removed from this list when it ends.
#[derive(Resource, Debug, Default)]
pub struct TerrainProblems {
    current: HashMap<Slot, TerrainProblem>,
}

impl TerrainProblems {
    /// The current problems, each with its entity.
    pub fn iter(&self) -> impl Iterator<Item = (Option<Entity>, &TerrainProblem)> {
        self.current.iter().map(|((entity, _), problem)| (*entity, problem))
    }

    /// Adds a problem, and logs it unless it is listed already.
    pub(crate) fn report(&mut self, entity: Option<Entity>, problem: TerrainProblem) {
        if self.add(entity, problem.clone()) {
            match &problem {
                TerrainProblem::Terrain(_)
                | TerrainProblem::UnknownMaterial { .. }
                | TerrainProblem::NoAssets
                | TerrainProblem::NotDrawn
                | TerrainProblem::WithoutStreaming { .. } => error!("{problem}"),
                TerrainProblem::NoViewer { camera: false } => info!("{problem}"),
                TerrainProblem::Preset { .. } => {}
                _ => warn!("{problem}"),
            }
        }
    }

    /// Adds a problem. Returns whether it was not listed before.
    fn add(&mut self, entity: Option<Entity>, problem: TerrainProblem) -> bool {
        // Compared as text: NaN differs from itself.
        let text = problem.to_string();
        let slot = (entity, core::mem::discriminant(&problem));
        self.current.insert(slot, problem).is_none_or(|old| old.to_string() != text)
    }

    /// Removes the problems of an entity that `matches`.
    pub(crate) fn clear(
        &mut self,
        entity: Option<Entity>,
        matches: impl Fn(&TerrainProblem) -> bool,
    ) {
        self.current.retain(|(owner, _), problem| {
            let ended = *owner == entity && matches(problem);
            if ended {
                info!("resolved: {problem}");
            }
            !ended
        });
    }

    /// Removes the problems of entities that no longer exist.
    pub(crate) fn retain_entities(&mut self, exists: impl Fn(Entity) -> bool) {
        self.current.retain(|(entity, _), _| entity.is_none_or(&exists));
    }
}

/// Reports a part without the streaming that it needs.
pub(crate) fn report_missing(world: &mut World, part: &'static str) {
    let mut problems = world.get_resource_or_init::<TerrainProblems>();
    problems.report(None, TerrainProblem::WithoutStreaming { part });
}

#[cfg(test)]
mod tests {
    use super::*;
    use orogeny::limits;

    /// Each problem is logged once for as long as it lasts, even with NaN in it, and again when it
    /// recurs.
    #[test]
    fn a_problem_is_said_once() {
        let mut problems = TerrainProblems::default();
        let nan = || TerrainProblem::Viewer(limits::HEIGHT.check(f64::NAN).unwrap_err());
        let said: Vec<bool> = (0..3).map(|_| problems.add(None, nan())).collect();
        assert_eq!(said, [true, false, false]);
        assert!(problems.add(None, TerrainProblem::NoViewer { camera: true }));
        assert_eq!(problems.iter().count(), 2);
        problems.clear(None, |problem| matches!(problem, TerrainProblem::Viewer(_)));
        assert_eq!(problems.iter().count(), 1);
        assert!(problems.add(None, nan()));
    }
}
