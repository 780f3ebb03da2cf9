//! The state that streaming stores on each terrain: one component for each of its readers.
//!
//! [`AdoptedGround`](crate::query::adopted_ground::AdoptedGround), which other modules read too, is
//! in the module `query`.

use std::sync::Arc;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::system::Commands;
use orogeny::{Appearance, Region};

use super::generation::{Generation, Waits};
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
pub(crate) struct Generations {
    /// The number of generations that were started.
    count: u32,
    /// The newest settings, while an earlier change is being built.
    pub(super) waiting: Option<Waiting>,
    /// The chunks being shown.
    pub(super) shown: Option<Generation>,
    /// The chunks that will replace them.
    pub(super) next: Option<Generation>,
    /// Hidden chunks of replaced generations, until they are despawned.
    pub(super) retired: Vec<Entity>,
    /// Whether all chunks that the viewers want were ready in the last frame.
    pub(super) complete: bool,
    /// What new generations wait for.
    waits: Waits,
    /// How often a generation has replaced another one.
    pub(crate) replaced: u32,
}

/// Settings whose chunks are not being built yet.
pub(super) struct Waiting {
    builder: Arc<ChunkBuilder>,
    ground: GroundQuery,
    /// The ground that differs from that of the newest generation; `None` if all of it does.
    touched: Option<Vec<Region>>,
}

/// The appearance of the chunks being shown, which materials follow.
#[derive(Component, Default, PartialEq)]
pub(crate) struct ShownAppearance(pub Option<Appearance>);

impl Generations {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Generation> {
        self.shown.iter().chain(&self.next)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Generation> {
        self.shown.iter_mut().chain(&mut self.next)
    }

    /// The generation that new chunks are built for. While a next generation is being built, the
    /// current one gets no new chunks.
    pub(super) fn target(&self) -> Option<&Generation> {
        self.next.as_ref().or(self.shown.as_ref())
    }

    /// The generation that new chunks are built for, mutably.
    pub(super) fn target_mut(&mut self) -> Option<&mut Generation> {
        self.next.as_mut().or(self.shown.as_mut())
    }

    /// Starts the generation of the waiting settings, unless another one is being built.
    pub(super) fn start_waiting(&mut self) {
        if self.next.is_some() {
            return;
        }
        let Some(Waiting { builder, ground, touched }) = self.waiting.take() else { return };
        let waits = self.waits;
        match (&self.shown, touched) {
            (Some(shown), Some(touched)) => {
                self.next = Some(shown.edited(builder, ground, &touched));
            }
            (shown, _) => {
                self.count += 1;
                let is_first = shown.is_none();
                let generation = Generation::new(self.count, builder, ground);
                let place = if is_first { &mut self.shown } else { &mut self.next };
                *place = Some(generation);
            }
        }
        // Until a system finds out what is ready.
        self.next.iter_mut().for_each(|next| next.waits = waits);
    }

    /// The ground of the chunks being shown.
    pub(crate) fn shown_ground(&self) -> Option<&GroundQuery> {
        self.shown.as_ref().map(|generation| &generation.ground)
    }

    /// Whether the ground that is drawn at a point is far coarser than it will soon be.
    #[cfg(feature = "plants")]
    pub(crate) fn is_coarse_at(&self, point: [f64; 2]) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.is_coarse_at(point))
    }

    /// The ground of the chunks that will replace them.
    pub(crate) fn next_ground(&self) -> Option<&GroundQuery> {
        self.next.as_ref().map(|generation| &generation.ground)
    }

    /// Whether the next generation waits for something besides its chunks.
    pub(super) fn is_held(&self) -> bool {
        self.next.as_ref().is_some_and(|next| next.waits.any())
    }

    /// Says whether the next generation must wait for plants. Later ones do until it is said again.
    #[cfg(feature = "plants")]
    pub(crate) fn wait_for_plants(&mut self, waits: bool) {
        self.waits.plants = true;
        self.next.iter_mut().for_each(|next| next.waits.plants = waits);
    }

    /// No generation waits for plants any more.
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

    /// No generation waits for the entities of instances any more.
    pub(crate) fn forget_entities(&mut self) {
        self.waits.entities = false;
        self.next.iter_mut().for_each(|next| next.waits.entities = false);
    }

    /// Replaces the waiting settings. `touched` is the ground that differs from that of the
    /// settings before; `None` if all of it does. A next generation with other seams is dropped,
    /// and a shown one with other seams gets no more chunks, since they do not fit the terrain's
    /// material any more. Returns the number of cancelled tasks.
    pub(super) fn wait(
        &mut self,
        commands: &mut Commands,
        builder: ChunkBuilder,
        ground: GroundQuery,
        touched: Option<Vec<Region>>,
    ) -> u64 {
        let seams = builder.seams();
        let unfit = self.next.take_if(|next| next.builder.seams() != seams);
        let earlier = self.waiting.take().map_or(Some(Vec::new()), |waiting| waiting.touched);
        let touched = earlier.zip(touched.filter(|_| unfit.is_none()));
        let touched = touched.map(|(earlier, new)| [earlier, new].concat());
        self.waiting = Some(Waiting { builder: Arc::new(builder), ground, touched });
        let Some(shown) = &mut self.shown else { return 0 };
        let cancelled = unfit.map_or(0, |next| next.retire(commands, &mut self.retired, shown));
        // New chunks get the terrain's material.
        let fits = shown.builder.seams() == seams;
        cancelled + if fits { 0 } else { shown.cancel() }
    }

    /// Changes the ground of the newest settings to one with the same chunks, whether they are
    /// shown, being built or waiting.
    pub(super) fn set_newest_ground(&mut self, new: GroundQuery) {
        if let Some(waiting) = &mut self.waiting {
            waiting.ground = new;
        } else if let Some(generation) = self.target_mut() {
            generation.ground = new;
        }
    }
}
