//! Selection: the chunks that are wanted for given viewers. A pure function.
//!
//! The wanted chunks form a quadtree. Its roots are the chunks of the coarsest level around the
//! viewers. A chunk is split into its four children, of level l, if a viewer is nearer than one of
//! the two ranges of level l:
//!
//! * far_l = e_(l+1) s, measured as the straight distance. e_(l+1) is the error of the next coarser
//!   level, and s the distance at which one metre spans the allowed error on the screen. Beyond
//!   far_l, the coarser level is good enough.
//! * near_l = max(near_(l-1), far_(l-1)) + [`MORPH_MARGIN`] * size_l, measured as the largest of
//!   the distances along x, along z and up.
//!
//! near_l keeps the tree balanced: chunks that touch differ by one level at most. Proof: suppose
//! that a chunk A of level l, not split, touches a chunk of level l - 2. The parent P of the latter
//! was split, so a viewer is within max(near_(l-2), far_(l-2)) of P, measured along the axes, which
//! never exceeds the straight distance. The point where P touches A is farther by size_(l-1) at
//! most, so the viewer is within near_(l-1) of A, and A was split: a contradiction.
//!
//! Edits may be sharper than the ground around them. A focus is the region of such an edit. A chunk
//! is also split, into chunks of level l, if a viewer is so near to the region that the focus needs
//! level l, and the chunk is within near_l of the region, here the sum of [`MORPH_MARGIN`] * size_k
//! for k up to l. The proof holds with the distance from the region in place of that from a viewer:
//! a viewer who is near enough for a level is near enough for all coarser ones.
//!
//! A chunk of level l can touch finer ones only up to max(near_(l-1), far_(l-1)) + size_l, measured
//! along the axes, and coarser ones only beyond both ranges. In between it geomorphs.

use bevy_platform::collections::HashSet;

use crate::chunk::key::{ChunkKey, Layout, MAX_LOD};
pub use crate::lod::focus::Focus;
use crate::lod::level_errors::LevelErrors;
use crate::lod::level_range::LevelRanges;
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
    /// The number of roots that a view needs now.
    pub needed: usize,
    /// The number of roots that a view needs now or soon. Later ones are kept if they exist.
    pub prepared: usize,
    /// All chunks whose four children are wanted.
    pub split: HashSet<ChunkKey>,
    /// Chunks just too far away to be split. Their existing children are kept, so that a viewer who
    /// moves back and forth does not cause rebuilds.
    lingering: HashSet<ChunkKey>,
    /// The ranges of the levels for each view.
    ranges: Vec<LevelRanges>,
    focuses: Vec<Focus>,
    open: Vec<ChunkKey>,
}

impl Selection {
    /// Selects the chunks that `views` want, finer ones around `focuses`, if their errors per
    /// radian are multiplied by `lod_scale`; 1 selects all that they want. Without views there are
    /// none.
    pub fn update(
        &mut self,
        layout: &Layout,
        errors: &LevelErrors,
        views: &[View],
        focuses: &[Focus],
        lod_scale: f64,
    ) {
        self.update_roots(layout, views);
        self.focuses.clear();
        self.focuses.extend_from_slice(focuses);
        self.ranges.resize_with(views.len(), LevelRanges::default);
        for (view, ranges) in views.iter().zip(&mut self.ranges) {
            ranges.update(layout, errors, view, lod_scale, self.root_lod);
        }

        self.split.clear();
        self.lingering.clear();
        self.open.clear();
        self.open.extend(&self.roots);
        while let Some(key) = self.open.pop() {
            let Some(finer) = key.lod.checked_sub(1) else { continue };
            let margin = KEPT * layout.size(finer);
            let beyond = views.iter().zip(&self.ranges).map(|(view, ranges)| {
                let distance = view.distance(layout, key, ranges.highest);
                ranges.levels[usize::from(finer)].beyond(distance)
            });
            let beyond =
                beyond.fold(f64::INFINITY, f64::min).min(self.beyond(layout, views, key, finer));
            let soon = key.lod < self.root_lod || self.roots[..self.prepared].contains(&key);
            if beyond < 0.0 && soon {
                self.split.insert(key);
                self.open.extend(key.children());
            } else if beyond < margin {
                self.lingering.insert(key);
            }
        }
    }

    /// How much too far all focuses are from a chunk, to split it into chunks of a level.
    fn beyond(&self, layout: &Layout, views: &[View], key: ChunkKey, level: u8) -> f64 {
        let each = self.focuses.iter().map(|focus| {
            let around = focus.beyond(layout, key, level);
            if around >= KEPT * layout.size(level) {
                return around;
            }
            let far = self.scaled(views);
            let far = far.map(|(view, highest)| focus.too_far(&view, highest, level));
            around.max(far.fold(f64::INFINITY, f64::min))
        });
        each.fold(f64::INFINITY, f64::min)
    }

    /// The views at the scale of the selection, and the height that no ground exceeds.
    fn scaled(&self, views: &[View]) -> impl Iterator<Item = (View, f64)> {
        let with_ranges = views.iter().zip(&self.ranges);
        with_ranges.map(|(view, ranges)| {
            (View { errors_per_radian: ranges.errors_per_radian, ..*view }, ranges.highest)
        })
    }

    fn update_roots(&mut self, layout: &Layout, views: &[View]) {
        let slack = SLACK * layout.size(0);
        let reach = views.iter().map(|view| view.range).fold(0.0, f64::max);
        // Roots are as wide as the longest range, so that a view touches at most nine of them. They
        // are no finer than a uniform view asks for.
        let coarsest = views.iter().filter_map(|view| view.uniform).max().unwrap_or(0).min(MAX_LOD);
        self.root_lod =
            (coarsest..MAX_LOD).find(|&lod| layout.size(lod) >= reach + slack).unwrap_or(MAX_LOD);
        let size = layout.size(self.root_lod);

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
    pub fn urgency(
        &self,
        layout: &Layout,
        errors: &LevelErrors,
        views: &[View],
        key: ChunkKey,
    ) -> f64 {
        if key.lod >= self.root_lod {
            return f64::INFINITY;
        }
        let parent = key.parent();
        let each = views.iter().zip(&self.ranges).map(|(view, ranges)| {
            // Before anything is measured, and on flat ground, the nearest chunks come first.
            let error =
                errors.of(parent.lod, view.guarantee).clamp(1e-3 * layout.spacing(parent.lod), 1e9);
            let distance = view.distance(layout, parent, ranges.highest).straight;
            let pixels = error * view.errors_per_radian / distance.max(layout.size(0));
            if view.sees(layout, parent) { pixels } else { pixels / 4.0 }
        });
        each.fold(0.0, f64::max)
    }

    /// The morph weight at `point` of a vertex of a level for viewers at `views`: 0 for its own
    /// level's shape, 1 for that of the next coarser level.
    pub fn morph(&self, layout: &Layout, views: &[View], lod: u8, point: [f64; 2]) -> f64 {
        let slack = SLACK * layout.size(0);
        let each = views.iter().zip(&self.ranges).map(|(view, ranges)| {
            match ranges.levels.get(usize::from(lod)) {
                Some(range) => range.weight(view.distance_to(point, ranges.highest), slack),
                // Roots have no coarser level.
                None => 0.0,
            }
        });
        let focused = self.focuses.iter().map(|focus| {
            if lod >= self.root_lod {
                return 1.0;
            }
            focus.weight(layout, self.scaled(views), lod, point, slack)
        });
        each.chain(focused).fold(1.0, f64::min)
    }
}

/// The chunks that `views` want. Without views there are none.
pub fn select(layout: &Layout, errors: &LevelErrors, views: &[View]) -> Selection {
    let mut selection = Selection::default();
    selection.update(layout, errors, views, &[], 1.0);
    selection
}
