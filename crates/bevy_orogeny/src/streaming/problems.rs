//! What is wrong at the moment: said once in the log, and kept for panels.

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_log::{error, info, warn};
use bevy_platform::collections::HashMap;
use orogeny::limits::OutOfLimits;

use crate::standing::spawn_on_ground::NoPlace;
use crate::terrain::TerrainError;

/// Something that keeps a terrain from being as asked. None of these is fatal: what was drawn
/// stays.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TerrainProblem {
    /// There is a terrain, and nobody to see it. It appears with the first viewer; what is there
    /// already stays.
    #[error("no entity has a TerrainViewer: put one on the camera")]
    NoViewer,
    /// A viewer's range, detail or place is outside its limits; the viewer is ignored.
    #[error("a TerrainViewer is ignored: {0}")]
    Viewer(OutOfLimits),
    /// A collider source's radius or place is outside its limits; it gets no ground.
    #[error("a TerrainColliderSource is ignored: {0}")]
    Source(OutOfLimits),
    /// An entity cannot be put on the ground; it stays where it is until that or the terrain
    /// changes.
    #[error("a SpawnOnGround waits: {0}")]
    NoPlace(NoPlace),
    /// The terrain is rotated, scaled or farther away than [`PLACE`](crate::PLACE), by its own
    /// `Transform` or one above; it is taken down until that ends.
    #[error(
        "a Terrain can be moved, by up to 1e15 m, but not rotated or scaled: mend its Transform or its parents'"
    )]
    Transformed,
    /// The origin cannot follow the viewers, since one shares a parent with a terrain, which must
    /// not be moved.
    #[error("the origin stays: a TerrainViewer and a Terrain share a parent")]
    OriginStuck,
    /// The terrain's settings are not valid; the one before them stays up.
    #[error("the terrain is not valid: {0}")]
    Terrain(TerrainError),
    /// The field returns infinite heights or NaN, where the ground lies at height 0, or such
    /// slopes, where its normal is straight up.
    #[error(
        "the field of a Terrain is not finite everywhere: the ground lies at height 0, or its normal points up, there"
    )]
    NotFinite,
    /// A preset file could not be loaded; the terrain stays as it was.
    #[error("{path}: {error}")]
    Preset {
        /// The file.
        path: String,
        /// What is wrong with it, with the path inside of it.
        error: String,
    },
    /// There are no assets to make meshes of; the plugin does nothing.
    #[error("TerrainPlugin needs Bevy's AssetPlugin: add it after DefaultPlugins")]
    NoAssets,
    /// `TerrainPlugin` was added more than once; once is enough.
    #[error("TerrainPlugin was added twice: the second one does nothing")]
    AddedTwice,
}

/// The kinds of problem an entity can have one of at a time.
type Slot = (Option<Entity>, core::mem::Discriminant<TerrainProblem>);

/// All problems of the moment. Each is logged once when it appears, and leaves this list when it
/// ends.
#[derive(Resource, Debug, Default)]
pub struct TerrainProblems {
    current: HashMap<Slot, TerrainProblem>,
}

impl TerrainProblems {
    /// The problems of the moment, with the entity each belongs to.
    pub fn iter(&self) -> impl Iterator<Item = (Option<Entity>, &TerrainProblem)> {
        self.current.iter().map(|((entity, _), problem)| (*entity, problem))
    }

    /// Adds a problem, and logs it unless it stood there already.
    pub(crate) fn report(&mut self, entity: Option<Entity>, problem: TerrainProblem) {
        if self.add(entity, problem.clone()) {
            match &problem {
                TerrainProblem::Terrain(_)
                | TerrainProblem::Preset { .. }
                | TerrainProblem::NoAssets => error!("{problem}"),
                _ => warn!("{problem}"),
            }
        }
    }

    /// Adds a problem. Whether it did not stand there already.
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
                info!("no longer: {problem}");
            }
            !ended
        });
    }

    /// Removes the problems of entities that are gone.
    pub(crate) fn retain_entities(&mut self, exists: impl Fn(Entity) -> bool) {
        self.current.retain(|(entity, _), _| entity.is_none_or(&exists));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orogeny::limits;

    /// Each is said once for as long as it lasts, NaN in it or not, and again when it comes back.
    #[test]
    fn a_problem_is_said_once() {
        let mut problems = TerrainProblems::default();
        let nan = || TerrainProblem::Viewer(limits::HEIGHT.check(f64::NAN).unwrap_err());
        let said: Vec<bool> = (0..3).map(|_| problems.add(None, nan())).collect();
        assert_eq!(said, [true, false, false]);
        assert!(problems.add(None, TerrainProblem::NoViewer));
        assert_eq!(problems.iter().count(), 2);
        problems.clear(None, |problem| matches!(problem, TerrainProblem::Viewer(_)));
        assert_eq!(problems.iter().count(), 1);
        assert!(problems.add(None, nan()));
    }
}
