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
use crate::lod::display_cut::Cut;
use crate::lod::focus::{self, Focus};
use crate::lod::level_errors::LevelErrors;
use crate::lod::selection::Selection;
use crate::lod::view::View;
use crate::query::GroundQuery;
use crate::slices;
use crate::stream::TileStream;

/// How far a viewer may move before focuses are searched again, in widths of the finest chunks.
const FOCUS_SLACK: f64 = 0.5;

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
    /// The errors of its levels. They are 0 until a task has measured them.
    pub errors: LevelErrors,
    measuring: Option<Task<LevelErrors>>,
    /// The edits that need finer levels than the ground around them.
    focuses: Vec<Focus>,
    /// The views for which they were searched, and the search while it runs.
    searched: Vec<View>,
    searching: Option<Task<Vec<Focus>>>,
    pub selection: Selection,
    pub lod_scale: LodScale,
    pub cut: Cut,
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
    /// A set without chunks, whose levels are being measured.
    pub fn new(revision: u32, builder: Arc<ChunkBuilder>, ground: GroundQuery) -> Self {
        let source = builder.clone();
        let measure =
            async move { LevelErrors::measure_in_turns(source.ground(), source.layout()).await };
        let measuring = Some(slices::spawn(measure));
        Self { measuring, ..Self::measured(revision, builder, ground) }
    }

    /// A set without chunks.
    fn measured(revision: u32, builder: Arc<ChunkBuilder>, ground: GroundQuery) -> Self {
        Self {
            revision,
            builder,
            ground,
            waits: Waits::default(),
            errors: LevelErrors::default(),
            measuring: None,
            focuses: Vec::new(),
            searched: Vec::new(),
            searching: None,
            selection: Selection::default(),
            lod_scale: LodScale::default(),
            cut: Cut::default(),
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
        let mut edited = if self.is_measured() {
            // Levels have the errors of the ground as a whole. Measuring them again would occupy a
            // thread for longer than building what is touched.
            let errors = self.errors.clone();
            Self { errors, ..Self::measured(self.revision, builder, ground) }
        } else {
            Self::new(self.revision, builder, ground)
        };
        (edited.lod_scale, edited.selection) = (self.lod_scale, self.selection.clone());
        // They stay until others are found, as the selection does.
        edited.focuses.clone_from(&self.focuses);
        let layout = *self.layout();
        edited.chunks = self.chunks.share(|key| {
            let square = layout.square(key);
            !touched.iter().any(|region| region.meets(&square))
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
        self.redraw = true;
        self.sweep = true;
    }

    pub fn layout(&self) -> &Layout {
        self.builder.layout()
    }

    /// Takes over the errors of the levels once they are measured. Returns true in that moment.
    pub fn take_errors(&mut self) -> bool {
        let Some(errors) = self.measuring.as_mut().and_then(check_ready) else { return false };
        self.errors = errors;
        self.measuring = None;
        true
    }

    /// Whether the errors of the levels have been measured.
    pub fn is_measured(&self) -> bool {
        self.measuring.is_none()
    }

    /// Searches in the background for the edits that `views` need in finer levels. Returns true
    /// when other ones were found.
    pub fn focus(&mut self, views: &[View]) -> bool {
        if self.ground.edits().is_empty() {
            let had_some = !self.focuses.is_empty();
            self.focuses.clear();
            return had_some;
        }
        let found = self.searching.as_mut().and_then(check_ready);
        if found.is_some() {
            self.searching = None;
        }
        let slack = FOCUS_SLACK * self.layout().size(0);
        let is_new = self.searched.len() != views.len()
            || !views.iter().zip(&self.searched).all(|(now, old)| now.is_near(old, slack));
        if is_new && self.searching.is_none() && self.is_measured() {
            self.searched = views.to_vec();
            let (ground, layout) = (self.ground.landscape().clone(), *self.layout());
            let (errors, views) = (self.errors.clone(), self.searched.clone());
            let search = async move { focus::find(&ground, &layout, &errors, &views) };
            self.searching = Some(slices::spawn(search));
        }
        let Some(found) = found.filter(|found| *found != self.focuses) else { return false };
        self.focuses = found;
        true
    }

    /// Whether all that decides about the levels is known.
    pub fn knows_levels(&self) -> bool {
        self.is_measured() && self.searching.is_none()
    }

    /// Selects the chunks that `views` want, at most `max`. `new` is whether the views, the errors
    /// or the budget have changed since the last call.
    pub fn select(&mut self, views: &[View], max: usize, new: bool) {
        let Self { builder, errors, selection, lod_scale, focuses, .. } = self;
        let update = |lod_scale| {
            selection.update(builder.layout(), errors, views, focuses, lod_scale);
            selection.len()
        };
        if new {
            lod_scale.fit(max, update);
        } else if !lod_scale.recover(max, update) {
            return;
        }
        self.changed = true;
        self.sweep = true;
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
        !self.is_measured()
            || drawn.is_some_and(|lod| lod > 0 && is_split(lod) && is_split(lod - 1))
    }

    /// Updates the cut, if anything has changed.
    pub fn update(&mut self) {
        if !self.changed {
            return;
        }
        let Self { selection, cut, chunks, .. } = self;
        let is_ready = |key| chunks.get(key).is_some();
        cut.update(selection, is_ready);
        self.unready = selection.wanted().filter(|&key| !is_ready(key)).count();
        self.changed = false;
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
        let Self { selection, chunks, sweep, .. } = self;
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
        (building - chunks.building().len()) as u64
    }

    /// Places the chunk of a finished task.
    pub fn receive(&mut self, key: ChunkKey, place: impl FnOnce(BuiltChunk) -> PlacedChunk) {
        let Self { chunks, finite, changed, .. } = self;
        chunks.receive(key, |built, _| {
            *finite &= built.chunk.finite;
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
        self.selection.urgency(self.layout(), &self.errors, now, key)
    }
}
