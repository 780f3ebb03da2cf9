//! Selection: the chunks that are wanted for given viewers. A pure function.
//!
//! The wanted chunks form a quadtree. Its roots are the chunks of the coarsest level around the
//! viewers. A chunk is split into its four children, of level l, if a viewer is nearer than one of
//! two ranges of the chunk:
//!
//! * far = e s, measured as the straight distance. e is the error of the chunk, or a larger one of
//!   the chunks of level l that it consists of or touches, and of those below them, see
//!   [`ChunkErrors`]. s is the distance at which one metre spans the allowed error on the screen.
//!   Beyond far, the chunk is good enough.
//! * near = f + [`MORPH_MARGIN`] * (size_0 + ... + size_l), measured as the largest of the
//!   distances along x, along z and up, where f is the largest range far of the chunks of level l
//!   that it consists of or touches.
//!
//! near keeps the tree balanced: chunks that touch differ by one level at most. Proof: suppose that
//! a chunk A of level l + 1, not split, touches a chunk of level l - 1. The parent B of the latter,
//! of level l, was split, so a viewer is within max(near, far) of B, measured along the axes, which
//! never exceeds the straight distance. A touches B, so neither exceeds f + [`MORPH_MARGIN`] *
//! (size_0 + ... + size_(l-1)) with the f of A. The point where B touches A is farther by size_l at
//! most, so the viewer is within near of A, and A was split: a contradiction. Heights above the
//! ground count as distance, and A counts the ground as at least as high as B does.
//!
//! That holds for errors that are known. Estimates may differ between neighbours until the chunks
//! are built. Until then, what would touch chunks that are finer by two levels is split as well.
//!
//! At a corner of chunks of level l, those of one of these chunks may touch finer ones only within
//! f + size_l of a viewer along the axes, with the f of the corner: the largest range far of the
//! chunks of level l there. A coarser chunk there is beyond its near and its far. In between it
//! geomorphs, from the range of the corner's chunks to the least range of the coarser ones there.

use bevy_platform::collections::{HashMap, HashSet};

use crate::chunk::key::{ChunkKey, Layout, MAX_LOD};
use crate::chunk::relief::Relief;
use crate::lod::chunk_errors::{ChunkErrors, Reach};
pub use crate::lod::level_range::{LevelRange, MORPH_MARGIN};
pub use crate::lod::view::{Distance, View, ViewSector};

/// How much farther than a viewer's range roots are prepared, and kept, in widths of a root.
const AHEAD: [f64; 2] = [0.1, 0.2];

/// How much farther than a level's range its existing chunks are kept, in widths of those chunks.
pub(super) const KEPT: f64 = 0.125;

/// How far a viewer may move before selection runs again, in widths of the finest chunks.
pub(crate) const SLACK: f64 = 1.0 / 32.0;

/// The wanted chunks: a quadtree with several roots. Its buffers are reused by the next update.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The level of the roots.
    pub root_lod: u8,
    /// The roots. Those that a view needs now come first.
    pub roots: Vec<ChunkKey>,
    /// Those of the selection before.
    roots_before: Vec<ChunkKey>,
    /// The number of roots that a view needs now.
    pub needed: usize,
    /// The number of roots that a view needs now or soon. Later ones are kept if they exist.
    pub prepared: usize,
    /// All chunks whose four children are wanted.
    pub split: HashSet<ChunkKey>,
    split_before: HashSet<ChunkKey>,
    /// Chunks just too far away to be split. Their existing children are kept, so that a viewer who
    /// moves back and forth does not cause rebuilds.
    lingering: HashSet<ChunkKey>,
    lingering_before: HashSet<ChunkKey>,
    /// What the levels around each chunk depend on that was looked at.
    reaches: HashMap<ChunkKey, Reach>,
    /// The proven errors of the levels, and the height that no ground exceeds.
    proven: Vec<f64>,
    bound: f64,
    lod_scale: f64,
    open: Vec<(ChunkKey, Relief)>,
    /// The chunks of each level that are split.
    split_by_lod: Vec<Vec<ChunkKey>>,
}

impl Selection {
    /// Selects the chunks that `views` want if their errors per radian are multiplied by
    /// `lod_scale`; 1 selects all that they want. Without views there are none. Returns whether
    /// other chunks are wanted or kept than before.
    pub fn update(
        &mut self,
        layout: &Layout,
        errors: &ChunkErrors,
        views: &[View],
        lod_scale: f64,
    ) -> bool {
        let roots = self.update_roots(layout, views);
        self.lod_scale = lod_scale;
        self.proven.clear();
        self.proven.extend((0..=self.root_lod).map(|lod| errors.proven(lod)));
        self.bound = errors.bound();

        core::mem::swap(&mut self.split, &mut self.split_before);
        core::mem::swap(&mut self.lingering, &mut self.lingering_before);
        self.split.clear();
        self.lingering.clear();
        self.reaches.clear();
        self.split_by_lod.resize_with(usize::from(self.root_lod) + 1, Vec::new);
        self.split_by_lod.iter_mut().for_each(Vec::clear);
        self.open.clear();
        for &key in &self.roots {
            let (relief, reach) = errors.reach(key, None);
            self.reaches.insert(key, reach);
            self.open.push((key, relief));
        }
        while let Some((key, relief)) = self.open.pop() {
            let Some(finer) = key.lod.checked_sub(1) else { continue };
            let margin = KEPT * layout.size(finer);
            let reach = self.reaches[&key];
            let beyond = views.iter().map(|view| {
                let (distance, range) = self.range_of(layout, view, key, reach);
                range.beyond(distance)
            });
            let beyond = beyond.fold(f64::INFINITY, f64::min);
            let soon = key.lod < self.root_lod || self.roots[..self.prepared].contains(&key);
            if beyond < 0.0 && soon {
                self.divide(errors, key, relief);
            } else if beyond < margin {
                self.lingering.insert(key);
            }
        }
        self.balance(errors);
        roots || self.split != self.split_before || self.lingering != self.lingering_before
    }

    /// Splits a chunk with a relief.
    fn divide(&mut self, errors: &ChunkErrors, key: ChunkKey, relief: Relief) {
        self.split.insert(key);
        self.split_by_lod[usize::from(key.lod)].push(key);
        for child in key.children() {
            let (relief, reach) = errors.reach(child, Some(relief));
            self.reaches.insert(child, reach);
            self.open.push((child, relief));
        }
    }

    /// Splits what touches chunks that are finer by two levels.
    fn balance(&mut self, errors: &ChunkErrors) {
        for lod in 1..self.root_lod {
            let mut next = 0;
            while let Some(&key) = self.split_by_lod[usize::from(lod)].get(next) {
                next += 1;
                for coarser in key.neighbours().map(ChunkKey::parent) {
                    let root = || coarser.ancestor(self.root_lod);
                    if !self.split.contains(&coarser)
                        && self.roots[..self.prepared].contains(&root())
                    {
                        self.lingering.remove(&coarser);
                        let estimate = self.reaches.get(&coarser).map(|reach| reach.own);
                        let relief = errors.get(coarser).or(estimate).unwrap_or_default();
                        self.divide(errors, coarser, relief);
                    }
                }
            }
        }
        self.open.clear();
    }

    /// The distance of a chunk from a view, and the range of its children there.
    fn range_of(
        &self,
        layout: &Layout,
        view: &View,
        key: ChunkKey,
        reach: Reach,
    ) -> (Distance, LevelRange) {
        let distance = view.distance(layout, key, self.highest(view, reach.own.highest));
        (distance, self.range(layout, view, key.lod - 1, [reach.finer.error, reach.own.error]))
    }

    /// The range of a level in a view, for the errors of chunks of the level and of the next
    /// coarser one.
    fn range(&self, layout: &Layout, view: &View, lod: u8, errors: [f64; 2]) -> LevelRange {
        let proven = |lod: u8| self.proven.get(usize::from(lod)).copied().unwrap_or(f64::INFINITY);
        let errors = if view.guarantee { [proven(lod), proven(lod + 1)] } else { errors };
        LevelRange::new(layout, view, self.lod_scale, lod, errors)
    }

    /// The height from which on a view has a distance from ground of a height. The levels of a
    /// uniform view do not depend on it.
    fn highest(&self, view: &View, highest: f64) -> f64 {
        match view.uniform {
            Some(_) => f64::INFINITY,
            None if view.guarantee => self.bound,
            None => highest,
        }
    }

    /// Returns whether other roots are wanted or kept than before.
    fn update_roots(&mut self, layout: &Layout, views: &[View]) -> bool {
        let slack = SLACK * layout.size(0);
        let reach = views.iter().map(|view| view.range).fold(0.0, f64::max);
        // Roots are as wide as the longest range, so that a view touches at most nine of them. They
        // are no finer than a uniform view asks for.
        let coarsest = views.iter().filter_map(|view| view.uniform).max().unwrap_or(0).min(MAX_LOD);
        self.root_lod =
            (coarsest..MAX_LOD).find(|&lod| layout.size(lod) >= reach + slack).unwrap_or(MAX_LOD);
        let size = layout.size(self.root_lod);

        let before = [self.needed, self.prepared];
        core::mem::swap(&mut self.roots, &mut self.roots_before);
        self.roots.clear();
        let rings = [0.0, AHEAD[0] * size, AHEAD[1] * size];
        [self.needed, self.prepared, _] = rings.map(|ahead| {
            for view in views {
                let reach = view.range + slack + ahead;
                self.add_roots(layout, view.position, reach);
                if ahead > 0.0 && view.ahead != view.position {
                    self.add_roots(layout, view.ahead, reach);
                }
            }
            self.roots.len()
        });
        self.roots != self.roots_before || [self.needed, self.prepared] != before
    }

    /// Adds the roots that a circle touches, each once.
    fn add_roots(&mut self, layout: &Layout, centre: [f64; 2], reach: f64) {
        let [low, high] = [-reach, reach]
            .map(|d| layout.key_at(self.root_lod, centre.map(|coordinate| coordinate + d)));
        for z in low.z..=high.z {
            for x in low.x..=high.x {
                let key = ChunkKey { lod: self.root_lod, x, z };
                if layout.distance(key, centre) <= reach && !self.roots.contains(&key) {
                    self.roots.push(key);
                }
            }
        }
    }

    /// Whether the chunk is wanted, as a leaf or as an ancestor of leaves.
    pub fn wants(&self, key: ChunkKey) -> bool {
        self.holds(key, self.prepared, |parent| self.split.contains(&parent))
    }

    /// Whether the chunk is wanted or nearly so. Existing chunks like that are kept.
    pub fn keeps(&self, key: ChunkKey) -> bool {
        let near = |parent| self.split.contains(&parent) || self.lingering.contains(&parent);
        self.holds(key, self.roots.len(), near)
    }

    fn holds(&self, key: ChunkKey, roots: usize, divides: impl Fn(ChunkKey) -> bool) -> bool {
        match key.lod.cmp(&self.root_lod) {
            core::cmp::Ordering::Less => divides(key.parent()),
            core::cmp::Ordering::Equal => self.roots[..roots].contains(&key),
            core::cmp::Ordering::Greater => false,
        }
    }

    /// All wanted chunks: the roots, and the children of chunks that are split.
    pub fn wanted(&self) -> impl Iterator<Item = ChunkKey> {
        let children = self.split.iter().flat_map(|key| key.children());
        self.roots[..self.prepared].iter().copied().chain(children)
    }

    /// The number of wanted chunks.
    pub fn len(&self) -> usize {
        self.prepared + 4 * self.split.len()
    }

    /// Whether nothing is wanted.
    pub fn is_empty(&self) -> bool {
        self.prepared == 0
    }

    /// The number of wanted leaves.
    pub fn leaves(&self) -> usize {
        // Each split replaces one chunk by four.
        self.prepared + 3 * self.split.len()
    }

    /// The urgency of building a chunk: the largest error on the screen that its absence causes,
    /// divided by the allowed one. Outside the sector of a view, a quarter of that. The four
    /// children of a chunk are equally urgent, and at most as urgent as the chunk.
    pub fn urgency(&self, layout: &Layout, views: &[View], key: ChunkKey) -> f64 {
        if key.lod >= self.root_lod {
            return f64::INFINITY;
        }
        let parent = key.parent();
        let Relief { error, highest, .. } =
            self.reaches.get(&parent).copied().unwrap_or_default().own;
        let each = views.iter().map(|view| {
            let error = if view.guarantee { self.proven[usize::from(parent.lod)] } else { error };
            // On flat ground, the nearest chunks come first.
            let error = error.clamp(1e-3 * layout.spacing(parent.lod), 1e9);
            let distance = view.distance(layout, parent, self.highest(view, highest)).straight;
            let pixels = error * view.errors_per_radian / distance.max(layout.size(0));
            if view.sees(layout, parent) { pixels } else { pixels / 4.0 }
        });
        each.fold(0.0, f64::max)
    }

    /// The morph weight at `point`, a corner of chunks of a level, for viewers at `views`: 0 for
    /// the level's own shape, 1 for that of the next coarser level. 0 where a chunk of the level is
    /// split.
    pub fn morph(&self, layout: &Layout, views: &[View], lod: u8, point: [f64; 2]) -> f64 {
        if lod >= self.root_lod {
            // Roots have no coarser level.
            return 0.0;
        }
        let slack = SLACK * layout.size(0);
        let corner = point.map(|coordinate| (coordinate / layout.size(lod)).round() as i64);
        let before = corner.map(|index| index - 1);
        let around = |lod, [low, high]: [[i64; 2]; 2]| {
            [[low[0], low[1]], [high[0], low[1]], [low[0], high[1]], [high[0], high[1]]]
                .map(|[x, z]| ChunkKey { lod, x, z })
        };
        let reach = |key| self.reaches.get(&key).copied();
        let here = around(lod, [before, corner]);
        if here.iter().any(|key| self.split.contains(key)) {
            return 0.0;
        }
        let here = here.into_iter().filter_map(reach);
        let Relief { error: own, highest, .. } =
            here.map(|reach| reach.own).fold(Relief::default(), Relief::max);
        let parents = [before, corner].map(|indices| indices.map(|index| index >> 1));
        let coarser = around(lod + 1, parents).into_iter().filter_map(reach);
        let coarser = coarser.map(|reach| reach.own.error).fold(f64::INFINITY, f64::min);
        let each = views.iter().map(|view| {
            let range = self.range(layout, view, lod, [own, coarser]);
            range.weight(view.distance_to(point, self.highest(view, highest)), slack)
        });
        each.fold(1.0, f64::min)
    }
}

/// The chunks that `views` want. Without views there are none.
pub fn select(layout: &Layout, errors: &ChunkErrors, views: &[View]) -> Selection {
    let mut selection = Selection::default();
    selection.update(layout, errors, views, 1.0);
    selection
}
