//! The state that streaming stores on each terrain: one component for each of its readers.
//!
//! [`AdoptedGround`](crate::query::adopted_ground::AdoptedGround), which other modules read too, is
//! in the module `query`.

use std::sync::Arc;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::system::Commands;
use orogeny::{Appearance, Region};

use super::chunk_set::{ChunkSet, Waits};
use crate::chunk::mesh::ChunkBuilder;
use crate::lod::view::View;
use crate::query::GroundQuery;

/// The viewers in a terrain's own coordinates. Selection and urgency depend on them.
#[derive(Component, Default)]
pub(crate) struct TerrainViews {
    /// The viewers of the last frame that had any.
    pub(crate) now: Vec<View>,
    /// Whether they differ from those of the frame before.
    pub(super) moved: bool,
    /// The viewers of the current selection. It follows once they have moved far enough.
    pub(super) selected: Vec<View>,
    /// The chunk budget of the current selection.
    pub(super) budget: usize,
}

/// The chunks of a terrain: those being shown, and those that will replace them.
#[derive(Component, Default)]
pub(crate) struct ChunkSets {
    /// The number of sets that were started.
    count: u32,
    /// The newest settings, while an earlier change is being built.
    pub(super) pending: Option<PendingChange>,
    /// The chunks being shown.
    pub(super) shown: Option<ChunkSet>,
    /// The chunks that will replace them.
    pub(super) next: Option<ChunkSet>,
    /// Hidden chunks of replaced sets, until they are despawned.
    pub(super) retired: Vec<Entity>,
    /// Whether all chunks that the viewers want were ready in the last frame.
    pub(super) complete: bool,
    /// What new sets wait for.
    waits: Waits,
    /// How often a set has replaced another one.
    pub(crate) replaced: u32,
}

/// Settings whose chunks are not being built yet.
pub(super) struct PendingChange {
    builder: Arc<ChunkBuilder>,
    ground: GroundQuery,
    /// The ground that differs from that of the newest set; `None` if all of it does.
    touched: Option<Vec<Region>>,
}

/// The appearance of the chunks being shown, which materials follow.
#[derive(Component, Default, PartialEq)]
pub(crate) struct ShownAppearance(pub Option<Appearance>);

impl ChunkSets {
    /// The set that is shown, then the next one. While that is being built, it alone gets new
    /// chunks.
    pub(super) fn iter(&self) -> impl Iterator<Item = &ChunkSet> {
        self.shown.iter().chain(&self.next)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut ChunkSet> {
        self.shown.iter_mut().chain(&mut self.next)
    }

    /// Starts the set of the pending settings, unless another one is being built.
    pub(super) fn start_pending(&mut self) {
        if self.next.is_some() {
            return;
        }
        let Some(PendingChange { builder, ground, touched }) = self.pending.take() else { return };
        let waits = self.waits;
        match (&self.shown, touched) {
            (Some(shown), Some(touched)) => {
                self.next = Some(shown.edited(builder, ground, &touched));
            }
            (shown, _) => {
                self.count += 1;
                let is_first = shown.is_none();
                let set = ChunkSet::new(self.count, builder, ground, shown.as_ref());
                let place = if is_first { &mut self.shown } else { &mut self.next };
                *place = Some(set);
            }
        }
        // Until a system finds out what is ready.
        self.next.iter_mut().for_each(|next| next.waits = waits);
    }

    /// The ground of the chunks being shown.
    pub(crate) fn shown_ground(&self) -> Option<&GroundQuery> {
        self.shown.as_ref().map(|set| &set.ground)
    }

    /// Whether the ground that is drawn at a point is far coarser than it will soon be.
    #[cfg(feature = "plants")]
    pub(crate) fn is_coarse_at(&self, point: [f64; 2]) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.is_coarse_at(point))
    }

    /// The ground of the chunks that will replace them.
    pub(crate) fn next_ground(&self) -> Option<&GroundQuery> {
        self.next.as_ref().map(|set| &set.ground)
    }

    /// Whether the next set waits for more than its chunks.
    pub(super) fn is_held(&self) -> bool {
        self.next.as_ref().is_some_and(|next| next.waits.any())
    }

    /// Says whether the next set must wait for plants. Later sets do until it is said again.
    #[cfg(feature = "plants")]
    pub(crate) fn wait_for_plants(&mut self, waits: bool) {
        self.waits.plants = true;
        self.next.iter_mut().for_each(|next| next.waits.plants = waits);
    }

    /// No set waits for plants any more.
    #[cfg(feature = "plants")]
    pub(crate) fn forget_plants(&mut self) {
        self.waits.plants = false;
        self.next.iter_mut().for_each(|next| next.waits.plants = false);
    }

    /// The same for the entities of instances.
    pub(crate) fn wait_for_entities(&mut self, waits: bool) {
        self.waits.entities = true;
        self.next.iter_mut().for_each(|next| next.waits.entities = waits);
    }

    /// No set waits for the entities of instances any more.
    pub(crate) fn forget_entities(&mut self) {
        self.waits.entities = false;
        self.next.iter_mut().for_each(|next| next.waits.entities = false);
    }

    /// Replaces the pending settings. `touched` is the ground that differs from that of the
    /// settings before; `None` if all of it does. A next set with other seams is dropped,
    /// and a shown one with other seams gets no more chunks, since they do not fit the terrain's
    /// material any more. Returns the number of cancelled tasks.
    pub(super) fn set_pending(
        &mut self,
        commands: &mut Commands,
        builder: ChunkBuilder,
        ground: GroundQuery,
        touched: Option<Vec<Region>>,
    ) -> u64 {
        let seams = builder.seams();
        let unfit = self.next.take_if(|next| next.builder.seams() != seams);
        let earlier = self.pending.take().map_or(Some(Vec::new()), |pending| pending.touched);
        let touched = earlier.zip(touched.filter(|_| unfit.is_none()));
        let touched = touched.map(|(earlier, new)| [earlier, new].concat());
        self.pending = Some(PendingChange { builder: Arc::new(builder), ground, touched });
        let Some(shown) = &mut self.shown else { return 0 };
        let cancelled = unfit.map_or(0, |next| next.retire(commands, &mut self.retired, shown));
        // New chunks get the terrain's material.
        let fits = shown.builder.seams() == seams;
        cancelled + if fits { 0 } else { shown.cancel() }
    }

    /// Changes the ground of the newest settings to one with the same chunks, whether they are
    /// shown, being built or pending.
    pub(super) fn set_newest_ground(&mut self, new: GroundQuery) {
        if let Some(pending) = &mut self.pending {
            pending.ground = new;
        } else if let Some(set) = self.iter_mut().last() {
            set.ground = new;
        }
    }
}
