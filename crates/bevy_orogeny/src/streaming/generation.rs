//! The chunks of one revision of a terrain, and what streaming knows of them.

use std::sync::Arc;

use bevy_ecs::entity::Entity;
use bevy_platform::collections::HashMap;
use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, Task};

use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::morph::{Beside, Morph};
use crate::lod::display_cut::Cut;
use crate::lod::level_errors::LevelErrors;
use crate::lod::selection::{Selection, View};
use crate::terrain::Appearance;

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
    /// What lies beside it, while it is drawn.
    pub beside: [Beside; 4],
    /// The morph that its entity was given.
    pub morph: Morph,
}

impl Slot {
    pub fn new(entity: Entity, progress: Progress) -> Self {
        Self { entity, progress, beside: Default::default(), morph: Morph::default() }
    }
}

/// All chunks of one revision.
pub(crate) struct Generation {
    pub revision: u32,
    pub builder: Arc<ChunkBuilder>,
    pub look: Appearance,
    /// The errors of its levels, and the task that measures them at first.
    pub errors: LevelErrors,
    measuring: Option<Task<LevelErrors>>,
    pub selection: Selection,
    pub cut: Cut,
    pub chunks: HashMap<ChunkKey, Slot>,
    /// The wanted chunks that nobody has begun.
    pub missing: Vec<ChunkKey>,
    /// The number of wanted chunks that are not ready.
    pub unready: usize,
    /// The part of the views' acuity that is granted.
    pub sharpness: f64,
    /// Whether the selection or the readiness of a chunk has changed since the cut was made.
    pub changed: bool,
    /// Whether the cut has changed since chunks were shown and hidden after it.
    pub redraw: bool,
    /// Whether the field was finite in all chunks so far.
    pub finite: bool,
}

impl Generation {
    pub fn new(revision: u32, builder: Arc<ChunkBuilder>, look: Appearance) -> Self {
        let source = builder.clone();
        let measure = async move { LevelErrors::measure(&**source.field(), source.layout()) };
        Self {
            revision,
            builder,
            look,
            errors: LevelErrors::default(),
            measuring: Some(AsyncComputeTaskPool::get().spawn(measure)),
            selection: Selection::default(),
            cut: Cut::default(),
            chunks: HashMap::default(),
            missing: Vec::new(),
            unready: 0,
            sharpness: 1.0,
            changed: true,
            redraw: true,
            finite: true,
        }
    }

    pub fn layout(&self) -> &Layout {
        self.builder.layout()
    }

    /// Takes over the errors of the levels, once they are measured. Whether that is now.
    pub fn take_errors(&mut self) -> bool {
        let Some(errors) = self.measuring.as_mut().and_then(check_ready) else { return false };
        self.errors = errors;
        self.measuring = None;
        true
    }

    /// Whether the errors of the levels are known.
    pub fn is_measured(&self) -> bool {
        self.measuring.is_none()
    }

    /// Selects what views want, or what they would want if they saw less sharply, where that would
    /// be more than `most` chunks.
    pub fn select(&mut self, views: &[View], most: usize) {
        let Self { builder, errors, selection, sharpness, .. } = self;
        // Where it was too much, it is tried from time to time whether a little more is possible.
        if selection.len() < most / 2 {
            *sharpness = (*sharpness * 1.2).min(1.0);
        }
        loop {
            selection.update(builder.layout(), errors, views, *sharpness);
            // Balance alone asks for some hundred chunks, whatever the sharpness.
            if selection.len() <= most || *sharpness < 1e-3 {
                break;
            }
            *sharpness *= 0.7;
        }
        self.changed = true;
    }

    pub fn is_ready(&self, key: ChunkKey) -> bool {
        is_ready(&self.chunks, key)
    }

    /// A root that a view needs now and that is not ready.
    pub fn missing_root(&self) -> Option<ChunkKey> {
        let needed = &self.selection.roots[..self.selection.needed];
        needed.iter().copied().find(|&key| !self.is_ready(key))
    }

    /// Decides anew what is drawn and what is missing, if anything has changed.
    pub fn update(&mut self) {
        if !self.changed {
            return;
        }
        let Self { selection, cut, chunks, missing, .. } = self;
        cut.update(selection, |key| is_ready(chunks, key));
        missing.clear();
        missing.extend(selection.wanted().filter(|key| !chunks.contains_key(key)));
        self.unready = selection.wanted().filter(|&key| !is_ready(chunks, key)).count();
        self.changed = false;
        self.redraw = true;
    }

    pub fn count(&self, matches: impl Fn(Progress) -> bool) -> usize {
        self.chunks.values().filter(|slot| matches(slot.progress)).count()
    }
}

fn is_ready(chunks: &HashMap<ChunkKey, Slot>, key: ChunkKey) -> bool {
    chunks.get(&key).is_some_and(|slot| slot.progress != Progress::Building)
}
