//! The chunks of a generation, the state of each, and the number of chunks in each state.

use bevy_ecs::entity::Entity;
use bevy_platform::collections::HashMap;

use crate::chunk::key::ChunkKey;
use crate::chunk::morph::{Morph, Neighbours};

/// The state of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// A task is building its mesh.
    Building,
    /// It has its mesh and is hidden.
    Hidden,
    /// It has its mesh and is drawn.
    Drawn,
}

/// A chunk's entity and its state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub entity: Entity,
    pub progress: Progress,
    /// Its neighbours, while it is drawn.
    pub neighbours: Neighbours,
    /// The morph that its `MeshTag` contains.
    pub morph: Morph,
}

impl Slot {
    pub fn new(entity: Entity, progress: Progress) -> Self {
        Self { entity, progress, neighbours: Default::default(), morph: Morph::default() }
    }
}

/// The number of chunks in each state.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Counts {
    pub building: usize,
    pub hidden: usize,
    /// Drawn chunks of each level, the finest first.
    pub drawn_by_lod: Vec<usize>,
}

impl Counts {
    /// The number of drawn chunks.
    pub fn drawn(&self) -> usize {
        self.drawn_by_lod.iter().sum()
    }

    fn of(&mut self, lod: u8, progress: Progress) -> &mut usize {
        let lod = usize::from(lod);
        match progress {
            Progress::Building => &mut self.building,
            Progress::Hidden => &mut self.hidden,
            Progress::Drawn => {
                let levels = self.drawn_by_lod.len().max(lod + 1);
                self.drawn_by_lod.resize(levels, 0);
                &mut self.drawn_by_lod[lod]
            }
        }
    }
}

/// The chunks of a generation. It updates its counts as chunks are added and removed, so that no
/// system needs to visit all chunks for a count.
#[derive(Default)]
pub(super) struct ChunkTable {
    slots: HashMap<ChunkKey, Slot>,
    counts: Counts,
}

impl ChunkTable {
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    pub fn contains(&self, key: ChunkKey) -> bool {
        self.slots.contains_key(&key)
    }

    pub fn get(&self, key: ChunkKey) -> Option<&Slot> {
        self.slots.get(&key)
    }

    /// Whether a chunk has its mesh.
    pub fn is_ready(&self, key: ChunkKey) -> bool {
        self.get(key).is_some_and(|slot| slot.progress != Progress::Building)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&ChunkKey, &Slot)> {
        self.slots.iter()
    }

    /// Adds a chunk. Returns the one that previously had its key.
    pub fn insert(&mut self, key: ChunkKey, slot: Slot) -> Option<Slot> {
        *self.counts.of(key.lod, slot.progress) += 1;
        let old = self.slots.insert(key, slot);
        if let Some(old) = &old {
            *self.counts.of(key.lod, old.progress) -= 1;
        }
        old
    }

    pub fn remove(&mut self, key: ChunkKey) {
        if let Some(old) = self.slots.remove(&key) {
            *self.counts.of(key.lod, old.progress) -= 1;
        }
    }

    /// Changes every chunk.
    pub fn update(&mut self, mut change: impl FnMut(ChunkKey, &mut Slot)) {
        for (&key, slot) in &mut self.slots {
            let old = slot.progress;
            change(key, slot);
            if slot.progress != old {
                *self.counts.of(key.lod, old) -= 1;
                *self.counts.of(key.lod, slot.progress) += 1;
            }
        }
    }

    /// Keeps the chunks for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(ChunkKey, &Slot) -> bool) {
        let Self { slots, counts } = self;
        slots.retain(|&key, slot| {
            let kept = keep(key, slot);
            if !kept {
                *counts.of(key.lod, slot.progress) -= 1;
            }
            kept
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// After any sequence of changes, the counts equal those of a visit to all chunks.
        #[test]
        fn counts_match_the_chunks(
            changes in prop::collection::vec((0u8..4, 0i64..5, 0u8..5), 1..60),
        ) {
            let mut table = ChunkTable::default();
            let all = [Progress::Building, Progress::Hidden, Progress::Drawn];
            let progress = |n| all[usize::from(n % 3)];
            for (lod, x, change) in changes {
                let key = ChunkKey { lod, x, z: 0 };
                match change {
                    0..=2 => {
                        table.insert(key, Slot::new(Entity::PLACEHOLDER, progress(change)));
                    }
                    3 => table.remove(key),
                    _ if x == 0 => table.retain(|key, _| key.lod != lod),
                    _ => table.update(|key, slot| {
                        if key.lod == lod {
                            slot.progress = progress(x as u8);
                        }
                    }),
                }
                let mut counted = Counts::default();
                for (key, slot) in &table.slots {
                    *counted.of(key.lod, slot.progress) += 1;
                }
                counted.drawn_by_lod.resize(table.counts.drawn_by_lod.len(), 0);
                prop_assert_eq!(&counted, table.counts());
            }
        }
    }
}
