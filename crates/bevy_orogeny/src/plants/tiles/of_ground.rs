//! The tiles of one ground, and those of another ground that replace them.

use std::time::Duration;

use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashMap;
use bevy_tasks::Task;
use orogeny::Region;
use orogeny::scatter::{Model, ScatterKind};

use super::bands::TileKey;
use super::tile::Tile;
use super::viewer::Viewer;
use crate::plants::library::Library;
use crate::plants::own::plant_model::{PlantModelState, PlantModels};
use crate::query::GroundQuery;

/// What a task has built.
pub struct Built {
    pub tile: Option<Tile>,
    pub time: Duration,
}

/// The state of a tile.
pub enum Slot {
    /// A task is building it.
    Building(Task<Built>),
    /// It is built; `None` if nothing stands there.
    Ready(Option<Placed>),
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

/// A tile that some viewer wants.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// The distance in metres at which it begins, for the nearest viewer.
    pub begin: f64,
    pub key: TileKey,
}

/// The tiles of a ground.
pub struct Tiles {
    pub ground: GroundQuery,
    /// The version of the models that they are built with.
    pub models: u64,
    pub slots: HashMap<TileKey, Slot>,
}

impl Tiles {
    pub fn new(ground: GroundQuery, models: u64) -> Self {
        Self { ground, models, slots: HashMap::default() }
    }

    /// The tiles of another ground: those that are built and do not change, for a start.
    pub fn of_changed(&self, ground: GroundQuery, models: u64) -> Self {
        if self.models != models && self.has_custom_models() {
            return Self::new(ground, models);
        }
        let changed = ground.scatter_since(&self.ground);
        let keeps = |key: &TileKey| {
            let square = key.square();
            changed.as_ref().is_some_and(|all| !all.iter().any(|region| region.meets(&square)))
        };
        let kept = self.slots.iter().filter_map(|(key, slot)| match slot {
            Slot::Ready(placed) if keeps(key) => Some((*key, Slot::Ready(*placed))),
            _ => None,
        });
        Self { slots: kept.collect(), ground, models }
    }

    /// Whether nothing stands on the ground anywhere.
    pub fn is_bare(&self) -> bool {
        self.ground.scatter().is_none_or(|placement| placement.kinds().len() == 0)
    }

    /// Whether a game provides the model of some kind.
    pub fn has_custom_models(&self) -> bool {
        let is_custom = |kind: &ScatterKind| matches!(kind.model, Model::Custom(_));
        self.ground.scatter().is_some_and(|placement| placement.kinds().any(is_custom))
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
        let placement = self.ground.scatter();
        placement.map_or_else(Vec::new, |placement| placement.kinds().filter_map(coming).collect())
    }

    /// The number of wanted tiles that a viewer would probably see, and that are not built.
    pub fn unready(&self, wanted: &[Wanted]) -> usize {
        if self.is_bare() {
            return 0;
        }
        let is_ready = |key| matches!(self.slots.get(&key), Some(Slot::Ready(_)));
        wanted.iter().filter(|tile| tile.begin.is_finite() && !is_ready(tile.key)).count()
    }

    /// The wanted tiles that are neither built nor being built.
    pub fn missing(&self, wanted: &[Wanted]) -> Vec<Wanted> {
        if self.is_bare() {
            return Vec::new();
        }
        let missing = wanted.iter().filter(|tile| !self.slots.contains_key(&tile.key));
        missing.copied().collect()
    }

    /// The tiles that tasks are building.
    pub fn building(&self) -> impl Iterator<Item = TileKey> {
        let is_building = |slot: &Slot| matches!(slot, Slot::Building(_));
        self.slots.iter().filter(move |(_, slot)| is_building(slot)).map(|(key, _)| *key)
    }

    /// The tiles whose tasks are done.
    pub fn finished(&self) -> impl Iterator<Item = TileKey> {
        let is_finished = |slot: &Slot| matches!(slot, Slot::Building(task) if task.is_finished());
        self.slots.iter().filter(move |(_, slot)| is_finished(slot)).map(|(key, _)| *key)
    }

    fn placed(&self, key: TileKey) -> Option<&Placed> {
        match self.slots.get(&key) {
            Some(Slot::Ready(placed)) => placed.as_ref(),
            _ => None,
        }
    }

    /// Whether it has this entity as a tile.
    pub fn has(&self, key: TileKey, entity: Entity) -> bool {
        self.placed(key).is_some_and(|placed| placed.entity == entity)
    }

    /// Despawns all tiles that others do not share.
    pub fn despawn(self, shared: impl Fn(TileKey, Entity) -> bool, commands: &mut Commands) {
        for (&key, slot) in &self.slots {
            if let Slot::Ready(Some(Placed { entity, .. })) = slot
                && !shared(key, *entity)
            {
                commands.entity(*entity).try_despawn();
            }
        }
    }

    /// Removes and despawns the tiles that are not to be kept.
    pub fn keep(&mut self, keeps: impl Fn(TileKey) -> bool, commands: &mut Commands) {
        self.slots.retain(|&key, slot| {
            let keeps = keeps(key);
            if let Slot::Ready(Some(placed)) = slot
                && !keeps
            {
                commands.entity(placed.entity).try_despawn();
            }
            keeps
        });
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
        for (&key, slot) in &mut self.slots {
            let Slot::Ready(Some(placed)) = slot else { continue };
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
        for (key, slot) in &mut self.slots {
            if let Slot::Ready(Some(placed)) = slot {
                placed.is_settled |= old.placed(*key).is_some_and(|old| old.is_settled);
            }
        }
    }
}
