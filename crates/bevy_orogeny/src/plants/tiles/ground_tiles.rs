//! The tiles of one ground, and those of another ground that replace them.

use std::time::Duration;

use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use orogeny::Region;
use orogeny::scatter::{Model, ScatterKind};

use super::rings::{TileKey, Viewer};
use super::tile::Tile;
use crate::plants::library::Library;
use crate::plants::own::plant_model::{PlantModelState, PlantModels};
use crate::query::GroundQuery;
use crate::stream::TileStream;

/// How far a viewer moves, in metres along an axis, before other tiles are wanted.
pub const SLACK: f64 = 4.0;
/// Tiles are removed when they are this much farther away than where they are wanted, in metres.
const KEPT: f64 = 16.0;

/// What a task has built.
pub struct Built {
    pub tile: Option<Tile>,
    pub time: Duration,
}

/// The entity of a tile.
#[derive(Clone, Copy)]
pub struct Placed {
    pub entity: Entity,
    /// The heights between which its instances stand, in metres above the terrain's origin.
    pub heights: [f64; 2],
    pub is_drawn: bool,
    /// Whether the ground below it was fine enough since it is in sight.
    pub is_settled: bool,
}

/// The tiles of a ground.
pub struct GroundTiles {
    pub ground: GroundQuery,
    /// The version of the models that they are built with.
    pub models: u64,
    /// What is kept of a tile is `None` if nothing stands there.
    pub stream: TileStream<TileKey, Built, Option<Placed>>,
}

impl GroundTiles {
    pub fn new(ground: GroundQuery, models: u64) -> Self {
        Self { ground, models, stream: TileStream::default() }
    }

    /// The tiles of another ground: those that are built and do not change, for a start.
    pub fn of_changed(&self, ground: GroundQuery, models: u64) -> Self {
        let has_same_models = self.models == models || !self.has_custom_models();
        let changed = ground.scatter_since(&self.ground).filter(|_| has_same_models);
        let stream = self.stream.share(|key| {
            let square = key.square();
            changed.as_ref().is_some_and(|all| !all.iter().any(|region| region.meets(&square)))
        });
        Self { ground, models, stream }
    }

    /// Wants the tiles around viewers, if anything grows on the ground, and despawns all others.
    pub fn want(&mut self, viewers: &[Viewer], commands: &mut Commands) {
        let viewers: &[Viewer] = if self.is_bare() { &[] } else { viewers };
        let mut wanted = Vec::new();
        for viewer in viewers {
            viewer.wanted(SLACK, |key| wanted.push((key, viewer.begin(key))));
        }
        let stays =
            |key, _: Option<&_>, _| viewers.iter().any(|viewer| viewer.wants(key, SLACK + KEPT));
        for placed in self.stream.want(wanted, stays).into_iter().filter_map(|(_, placed)| placed) {
            commands.entity(placed.entity).try_despawn();
        }
    }

    /// Whether nothing stands on the ground anywhere.
    fn is_bare(&self) -> bool {
        self.ground.placement().kinds().len() == 0
    }

    /// Whether a game provides the model of some kind.
    pub fn has_custom_models(&self) -> bool {
        let is_custom = |kind: &ScatterKind| matches!(kind.model, Model::Custom(_));
        self.ground.placement().kinds().any(is_custom)
    }

    /// The names of the models of a game that are being loaded or prepared for the first time. One
    /// that changes is drawn as it was.
    pub fn coming_models(&self, library: &Library, models: &PlantModels) -> Vec<String> {
        let coming = |kind: &ScatterKind| match &kind.model {
            Model::Custom(name) => {
                let is_loading = models.state(name) == Some(PlantModelState::Loading);
                (is_loading && library.class_of(kind).is_none()).then(|| name.clone())
            }
            _ => None,
        };
        self.ground.placement().kinds().filter_map(coming).collect()
    }

    /// The number of tiles that a viewer would probably see, and that are not built.
    pub fn unready(&self) -> usize {
        let unready = self.stream.missing().chain(self.stream.building());
        unready.filter(|key| self.stream.distance(*key).is_finite()).count()
    }

    /// Whether it has this entity as a tile.
    pub fn has(&self, key: TileKey, entity: Entity) -> bool {
        self.stream.get(key).copied().flatten().is_some_and(|placed| placed.entity == entity)
    }

    /// Despawns all tiles that others do not share.
    pub fn despawn(self, others: &[&Self], commands: &mut Commands) {
        for (key, placed) in self.stream.ready() {
            if let Some(Placed { entity, .. }) = placed
                && !others.iter().any(|other| other.has(key, *entity))
            {
                commands.entity(*entity).try_despawn();
            }
        }
    }

    /// Shows the tiles that are within the range of their tier from some viewer, up to `slack`
    /// metres, and hides all others. At the start and after a teleport they wait for the ground,
    /// which is coarse at first: trees would stand in the air.
    pub fn show(
        &mut self,
        viewers: &[Viewer],
        slack: f64,
        is_coarse_at: impl Fn([f64; 2]) -> bool,
        commands: &mut Commands,
    ) {
        for (key, placed) in self.stream.ready_mut() {
            let Some(placed) = placed else { continue };
            let draws = |viewer: &Viewer| viewer.draws(key, placed.heights, slack);
            let Region { min: [x0, z0], max: [x1, z1] } = key.square();
            let middle = [0.5 * (x0 + x1), 0.5 * (z0 + z1)];
            let points = [[x0, z0], [x1, z0], [x0, z1], [x1, z1], middle];
            placed.is_settled = viewers.iter().any(draws)
                && (placed.is_settled || !points.into_iter().any(&is_coarse_at));
            if placed.is_drawn != placed.is_settled {
                placed.is_drawn = placed.is_settled;
                let visibility =
                    if placed.is_drawn { Visibility::Inherited } else { Visibility::Hidden };
                commands.entity(placed.entity).try_insert(visibility);
            }
        }
    }

    /// Does not wait for ground on which older tiles were drawn.
    pub fn settle_as(&mut self, old: &Self) {
        for (key, placed) in self.stream.ready_mut() {
            if let (Some(placed), Some(Some(old))) = (placed, old.stream.get(key)) {
                placed.is_settled |= old.is_settled;
            }
        }
    }
}
