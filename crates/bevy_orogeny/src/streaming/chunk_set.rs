//! The chunks of one revision of a terrain, with their selection and display cut.

use std::sync::Arc;

use bevy_camera::visibility::Visibility;
use bevy_ecs::entity::Entity;
use bevy_ecs::system::Commands;
use bevy_tasks::Task;
use bevy_tasks::futures::check_ready;
use orogeny::Region;

use super::chunk_entity::{BuiltChunk, Home, PlacedChunk};
use super::lod_scale::LodScale;
use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::seams::Seams;
use crate::lod::chunk_errors::ChunkErrors;
use crate::lod::display_cut::Cut;
use crate::lod::morph_weights::MorphWeights;
use crate::lod::selection::Selection;
use crate::lod::slope_variance::SlopeVariances;
use crate::lod::view::View;
use crate::query::GroundQuery;
use crate::slices::{self, Pace};
use crate::stream::TileStream;

/// What a set waits for, in addition to its chunks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waits {
    pub plants: bool,
    pub entities: bool,
}

impl Waits {
    pub fn any(self) -> bool {
        self.plants || self.entities
    }
}

/// All chunks of one revision.
pub(super) struct ChunkSet {
    pub revision: u32,
    pub builder: Arc<ChunkBuilder>,
    /// The ground that it shows. Its appearance may be newer than that of the builder.
    pub ground: GroundQuery,
    /// What else is built for it and not ready.
    pub waits: Waits,
    /// The errors of its chunks. Those of an earlier set are estimates until theirs are built.
    errors: ChunkErrors,
    /// Whether the errors have changed since the last selection.
    learnt: bool,
    /// The slopes that its normals leave out, and the measurement while it runs.
    pub slopes: Option<SlopeVariances>,
    measuring: Option<Task<SlopeVariances>>,
    pub selection: Selection,
    pub lod_scale: LodScale,
    pub cut: Cut,
    pub weights: MorphWeights,
    /// Whether the selection has changed by more than the motion of viewers since the weights did.
    pub jolted: bool,
    /// Whether the weights are still on their way to those of the selection.
    pub glides: bool,
    /// Whether the first picture after a jump is not complete yet, so that weights jump, too.
    pub settles: bool,
    pub chunks: TileStream<ChunkKey, BuiltChunk, PlacedChunk>,
    /// The number of wanted chunks without a mesh.
    pub unready: usize,
    /// Whether the selection or a chunk's readiness has changed since the last [`update`].
    ///
    /// [`update`]: Self::update
    pub changed: bool,
    /// Whether the cut has changed since the entities were shown and hidden.
    pub redraw: bool,
    /// Whether other chunks are wanted, or some may be removable.
    pub sweep: bool,
    /// Whether the field was finite in all chunks built so far.
    pub finite: bool,
}

impl ChunkSet {
    /// A set without chunks. Until they are built, their errors are those of `earlier` ones.
    pub fn new(
        revision: u32,
        builder: Arc<ChunkBuilder>,
        ground: GroundQuery,
        earlier: Option<&Self>,
    ) -> Self {
        let mut errors = ChunkErrors::new(&builder);
        if let Some(earlier) = earlier.filter(|earlier| earlier.layout() == builder.layout()) {
            errors.take_estimates(&earlier.errors);
        }
        Self {
            revision,
            builder,
            ground,
            waits: Waits::default(),
            errors,
            learnt: false,
            slopes: None,
            measuring: None,
            selection: Selection::default(),
            lod_scale: LodScale::default(),
            cut: Cut::default(),
            weights: MorphWeights::default(),
            jolted: false,
            glides: false,
            settles: true,
            chunks: TileStream::default(),
            unready: 0,
            changed: true,
            redraw: true,
            sweep: true,
            finite: true,
        }
    }

    /// The same chunks after edits of the `touched` ground. It shares the entities of all chunks
    /// that have meshes and are not touched, until one set drops them.
    pub fn edited(
        &self,
        builder: Arc<ChunkBuilder>,
        ground: GroundQuery,
        touched: &[Region],
    ) -> Self {
        let mut edited = Self::new(self.revision, builder, ground, Some(self));
        (edited.lod_scale, edited.selection) = (self.lod_scale, self.selection.clone());
        // What has become known in this frame is not selected yet, nor what edits prove.
        edited.learnt = true;
        // Edits are a small part of the ground.
        edited.slopes.clone_from(&self.slopes);
        edited.chunks = self.chunks.share(|key| {
            let below = self.builder.ground_below(key);
            !touched.iter().any(|region| region.meets(&below))
        });
        edited
    }

    /// Whether it has this entity as the chunk of a key.
    pub fn has(&self, key: ChunkKey, entity: Entity) -> bool {
        self.chunks.get(key).is_some_and(|chunk| chunk.entity == entity)
    }

    /// The number of its chunks with meshes that another set does not share.
    pub fn unshared(&self, other: &Self) -> usize {
        self.chunks.ready().filter(|(key, chunk)| !other.has(*key, chunk.entity)).count()
    }

    /// Takes over what is drawn of the chunks that it shares with the set shown so far.
    pub fn follow(&mut self, shown: &Self) {
        for (key, chunk) in self.chunks.ready_mut() {
            let shared = shown.chunks.get(key).filter(|old| old.entity == chunk.entity);
            *chunk = shared.copied().unwrap_or(PlacedChunk { is_drawn: false, ..*chunk });
        }
        if self.revision == shown.revision {
            // An edit: what is drawn goes on as it was.
            self.weights.clone_from(&shown.weights);
            self.cut.clone_from(&shown.cut);
            (self.glides, self.settles) = (shown.glides, shown.settles);
            self.changed = true;
        }
        self.redraw = true;
        self.sweep = true;
    }

    pub fn layout(&self) -> &Layout {
        self.builder.layout()
    }

    /// Measures the slopes that normals leave out, around the first view.
    pub fn measure_slopes(&mut self, views: &[View]) {
        if let Some(slopes) = self.measuring.as_mut().and_then(check_ready) {
            (self.slopes, self.measuring) = (Some(slopes), None);
            self.redraw = true;
        }
        if let (None, None, Some(view)) = (&self.slopes, &self.measuring, views.first()) {
            let (source, around) = (self.builder.clone(), view.position);
            let measure = async move {
                let (ground, layout) = (source.ground(), source.layout());
                SlopeVariances::measure(ground, layout, around, Pace::InTurns).await
            };
            self.measuring = Some(slices::spawn(measure));
        }
    }

    /// Whether the selection knows the errors of all chunks that were built.
    pub fn is_selected(&self) -> bool {
        !self.learnt
    }

    /// Whether all that decides about the levels, and about how they look, is known.
    pub fn knows_levels(&self) -> bool {
        self.is_selected() && self.measuring.is_none()
    }

    /// Selects the chunks that `views` want, at most `max`. `new` is whether the views or the
    /// budget have changed since the last call.
    pub fn select(&mut self, views: &[View], max: usize, new: bool) {
        let learnt = core::mem::take(&mut self.learnt);
        let new = learnt || new;
        let Self { builder, errors, selection, lod_scale, .. } = self;
        let mut differs = false;
        let update = |lod_scale| {
            differs |= selection.update(builder.layout(), errors, views, lod_scale);
            selection.len()
        };
        let scale = *lod_scale;
        if new {
            lod_scale.fit(max, update);
        } else {
            lod_scale.recover(max, update);
        }
        self.jolted |= learnt || *lod_scale != scale;
        self.changed |= differs;
        self.sweep |= differs;
        // The weights follow the errors also where the levels stay.
        self.redraw = true;
    }

    /// The roots without meshes that a view needs now.
    pub fn missing_roots(&self) -> impl Iterator<Item = ChunkKey> {
        let needed = &self.selection.roots[..self.selection.needed];
        needed.iter().copied().filter(|&key| self.chunks.get(key).is_none())
    }

    /// Whether the ground that is drawn at a point is far coarser than some view wants it: by more
    /// than a level, or by an unknown number of them.
    #[cfg(feature = "plants")]
    pub fn is_coarse_at(&self, point: [f64; 2]) -> bool {
        let key = |lod| self.layout().key_at(lod, point);
        let is_split = |lod: u8| self.selection.split.contains(&key(lod));
        let drawn = (0..=self.selection.root_lod).find(|&lod| self.cut.contains(key(lod)));
        !self.is_selected()
            || drawn.is_some_and(|lod| lod > 0 && is_split(lod) && is_split(lod - 1))
    }

    /// Updates the cut, if anything has changed.
    pub fn update(&mut self) {
        if !self.changed {
            return;
        }
        let Self { selection, cut, chunks, weights, .. } = self;
        let is_ready = |key| chunks.get(key).is_some();
        let glide = !self.settles && self.builder.seams() == Seams::Morph;
        let is_morphed = |key| glide && weights.of(key).iter().any(|&weight| weight > 0.0);
        let waits = cut.update(selection, is_ready, is_morphed);
        self.unready = selection.wanted().filter(|&key| !is_ready(key)).count();
        self.changed = waits;
        self.redraw = true;
    }

    /// Hides the chunks that `other` does not share, and lists them in `retired` to be despawned.
    /// Returns the number of cancelled tasks.
    pub fn retire(self, commands: &mut Commands, retired: &mut Vec<Entity>, other: &Self) -> u64 {
        for (key, &PlacedChunk { entity, .. }) in self.chunks.ready() {
            if !other.has(key, entity) {
                commands.entity(entity).try_insert(Visibility::Hidden);
                retired.push(entity);
            }
        }
        self.chunks.building().len() as u64
    }

    /// Wants the selected chunks, and cancels tasks of others. Despawns up to `left` of those that
    /// are not drawn, unless the other set shares them. Returns the number of cancelled tasks.
    pub fn sweep(
        &mut self,
        commands: &mut Commands,
        other: Option<&Self>,
        left: &mut usize,
    ) -> u64 {
        if !core::mem::take(&mut self.sweep) {
            return 0;
        }
        let Self { selection, chunks, errors, sweep, .. } = self;
        let is_shared =
            |key, chunk: &PlacedChunk| other.is_some_and(|other| other.has(key, chunk.entity));
        let building = chunks.building().len();
        // Their urgency changes with the viewers in each frame.
        let wanted = selection.wanted().map(|key| (key, 0.0));
        let gone = chunks.want(wanted, |key, chunk, _| {
            if selection.keeps(key) {
                return true;
            }
            let Some(chunk) = chunk else { return false };
            if chunk.is_drawn || is_shared(key, chunk) {
                return chunk.is_drawn;
            }
            if *left == 0 {
                // It is removed in the next frame.
                *sweep = true;
                return true;
            }
            *left -= 1;
            false
        });
        for (key, chunk) in gone {
            if !is_shared(key, &chunk) {
                commands.entity(chunk.entity).try_despawn();
            }
        }
        // An edited set still estimates some that are not built.
        errors.retain(|key| chunks.get(key).is_some() || selection.keeps(key));
        (building - chunks.building().len()) as u64
    }

    /// Places the chunk of a finished task.
    pub fn receive(&mut self, key: ChunkKey, place: impl FnOnce(BuiltChunk) -> PlacedChunk) {
        let Self { chunks, errors, learnt, finite, changed, .. } = self;
        chunks.receive(key, |built, _| {
            *finite &= built.chunk.finite;
            *learnt |= errors.set(key, built.chunk.relief);
            *changed = true;
            place(built)
        });
    }

    /// Places a chunk that was built without a task.
    pub fn put(
        &mut self,
        key: ChunkKey,
        built: BuiltChunk,
        place: impl FnOnce(BuiltChunk) -> PlacedChunk,
    ) {
        self.finite &= built.chunk.finite;
        self.learnt |= self.errors.set(key, built.chunk.relief);
        self.changed = true;
        self.chunks.put(key, place(built));
    }

    /// Cancels all tasks. Returns their number.
    pub fn cancel(&mut self) -> u64 {
        let building = self.chunks.building().len();
        self.chunks = self.chunks.share(|_| true);
        building as u64
    }

    /// Where its chunks are spawned.
    pub fn home(&self, terrain: Entity, position: Option<[f64; 3]>) -> Home {
        Home {
            terrain,
            position: position.unwrap_or_default(),
            layout: *self.layout(),
            seams: self.builder.seams(),
            revision: self.revision,
        }
    }

    /// The urgency of building a chunk for viewers at `now`.
    pub fn urgency(&self, now: &[View], key: ChunkKey) -> f64 {
        self.selection.urgency(self.layout(), now, key)
    }
}
