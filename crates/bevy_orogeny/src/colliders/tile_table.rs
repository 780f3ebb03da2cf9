//! Which tiles exist, and which of them are needed.

use bevy_ecs::entity::Entity;
use bevy_platform::collections::HashMap;

use crate::chunk::key::ChunkKey;

/// A tile's terrain and its square.
pub(super) type TileId = (Entity, ChunkKey);

/// All tiles that exist or are being built. Collected again before each step.
#[derive(Default)]
pub(super) struct TileTable {
    tiles: HashMap<TileId, Slot>,
    building: usize,
}

/// A tile's entity.
struct Slot {
    entity: Entity,
    /// Whether it has its collider, or gets it before the step.
    built: bool,
    /// Whether a source needs it.
    needed: bool,
}

impl TileTable {
    /// Removes all tiles from the table.
    pub fn clear(&mut self) {
        self.tiles.clear();
        self.building = 0;
    }

    /// The number of tiles that tasks are building.
    pub fn building(&self) -> usize {
        self.building
    }

    /// Adds a tile that exists or is being built.
    pub fn insert(&mut self, id: TileId, entity: Entity, built: bool, needed: bool) {
        self.building += usize::from(!built);
        self.tiles.insert(id, Slot { entity, built, needed });
    }

    /// Marks a tile as needed if it exists. Returns whether it does.
    pub fn need(&mut self, id: TileId) -> bool {
        let slot = self.tiles.get_mut(&id);
        slot.map(|slot| slot.needed = true).is_some()
    }

    /// Marks a tile as needed if it has its collider. Returns whether it has.
    pub fn need_built(&mut self, id: TileId) -> bool {
        let slot = self.tiles.get_mut(&id).filter(|slot| slot.built);
        slot.map(|slot| slot.needed = true).is_some()
    }

    /// Removes a tile from the table if a task is building it.
    pub fn take_building(&mut self, id: TileId) -> Option<Entity> {
        let entity = self.tiles.get(&id).filter(|slot| !slot.built)?.entity;
        self.tiles.remove(&id);
        self.building -= 1;
        Some(entity)
    }

    /// The tiles that no source needs.
    pub fn unneeded(&self) -> impl Iterator<Item = Entity> {
        self.tiles.values().filter(|slot| !slot.needed).map(|slot| slot.entity)
    }
}
