//! The chunks of one revision of a terrain, and what streaming knows of them.

use std::sync::Arc;

use bevy_ecs::entity::Entity;
use bevy_platform::collections::{HashMap, HashSet};

use crate::chunk::{ChunkKey, Layout};
use crate::display::display;
use crate::mesh::HeightField;
use crate::select::{Selection, View, select};

/// What the chunks of a revision are built from.
#[derive(Clone)]
pub(crate) struct Source {
    pub field: Arc<dyn HeightField>,
    pub layout: Layout,
}

/// How far a chunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Its task is on the way.
    Building,
    /// It has its mesh and is hidden.
    Ready,
    /// It is drawn.
    Drawn,
}

/// A chunk's entity and its progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub entity: Entity,
    pub progress: Progress,
}

/// All chunks of one revision.
pub(crate) struct Generation {
    pub revision: u32,
    pub source: Source,
    pub selection: Selection,
    pub chunks: HashMap<ChunkKey, Slot>,
    /// Whether the field was finite in all chunks so far.
    pub finite: bool,
}

impl Generation {
    pub fn new(revision: u32, source: Source) -> Self {
        let (selection, chunks) = Default::default();
        Self { revision, source, selection, chunks, finite: true }
    }

    pub fn select(&mut self, views: &[View]) {
        self.selection = select(&self.source.layout, views);
    }

    fn is_ready(&self, key: ChunkKey) -> bool {
        self.chunks.get(&key).is_some_and(|slot| slot.progress != Progress::Building)
    }

    /// The roots that a view needs now and that are not ready.
    pub fn missing_roots(&self) -> Vec<ChunkKey> {
        let needed = &self.selection.roots[..self.selection.needed];
        needed.iter().copied().filter(|&key| !self.is_ready(key)).collect()
    }

    /// The wanted chunks that nobody has begun.
    pub fn missing(&self) -> impl Iterator<Item = ChunkKey> {
        self.selection.wanted().filter(|key| !self.chunks.contains_key(key))
    }

    /// The chunks to draw with what is ready.
    pub fn cut(&self) -> HashSet<ChunkKey> {
        display(&self.selection, |key| self.is_ready(key))
    }

    /// The number of wanted chunks that are not ready.
    pub fn unready(&self) -> usize {
        self.selection.wanted().filter(|&key| !self.is_ready(key)).count()
    }

    pub fn count(&self, matches: impl Fn(Progress) -> bool) -> usize {
        self.chunks.values().filter(|slot| matches(slot.progress)).count()
    }
}
