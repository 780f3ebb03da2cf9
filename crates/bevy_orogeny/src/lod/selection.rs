//! Selection: which chunks are wanted, given where the viewers are. A pure function.
//!
//! The wanted chunks are those of a quadtree. Its roots are the chunks of the coarsest level around
//! the viewers; a chunk is split into its four children, of level l, where a viewer is nearer than
//! one of the two ranges of that level:
//!
//! * far_l = e_(l+1) s, as the crow flies, where e_(l+1) is the error of the next coarser level and
//!   s the distance at which one metre spans as many pixels as an error may: beyond it, the coarser
//!   level is as good as asked;
//! * near_l = max(near_(l-1), far_(l-1)) + [`ROOM`] * size_l, by the larger of the distances along
//!   x, along z and up.
//!
//! The second one makes the tree balanced: chunks that touch differ by one level at most. (Say a
//! chunk A of level l, not split, touched one of level l - 2. The parent P of that one was split,
//! so a viewer is within max(near_(l-2), far_(l-2)) of P, measured in the second way, which never
//! exceeds the first; and within that plus size_(l-1) <= near_(l-1) of the point where P touches A.
//! So A was split.)
//!
//! A chunk of level l can touch finer ones only up to max(near_(l-1), far_(l-1)) + size_l, measured
//! in the second way, and coarser ones only beyond both ranges. In between it geomorphs.

use bevy_platform::collections::HashSet;

use crate::chunk::key::{ChunkKey, Layout, MAX_LOD};
use crate::lod::level_errors::LevelErrors;

/// How far, in widths of its chunks, a level reaches beyond the next finer one: 1 to stay balanced,
/// and the rest to geomorph in.
pub const ROOM: f64 = 1.25;

/// A level reaches no farther than this many widths of its chunks, whatever its error: some 3,000
/// chunks.
const FARTHEST: f64 = 32.0;

/// How much farther than a viewer's range roots are prepared, and kept, in widths of a root.
const AHEAD: [f64; 2] = [0.1, 0.2];

/// How much farther than a level's range its chunks are kept once they are there, in their widths.
const KEPT: f64 = 0.125;

/// How far a viewer may move, in widths of the finest chunks, until the selection follows.
pub(crate) const SLACK: f64 = 1.0 / 32.0;

/// A viewer as selection sees it. The numbers must keep their limits, as those of a
/// [`TerrainViewer`](crate::TerrainViewer) do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Its place (x, z) in metres from the origin of the terrain, within [`POSITION`](crate::POSITION).
    pub position: [f64; 2],
    /// Where it will be in a moment, if it goes on as it does.
    pub ahead: [f64; 2],
    /// Its height in metres above the origin of the terrain. What it is above the highest ground
    /// counts as distance.
    pub height: f64,
    /// The height of the ground below it, should that be higher than the ground is known to be.
    pub ground: f64,
    /// The distance up to which it needs terrain in metres, within
    /// [`VIEW_RANGE`](crate::VIEW_RANGE).
    pub range: f64,
    /// The distance in metres at which an error of one metre is as large as may be seen: pixels per
    /// radian over the pixel error.
    pub acuity: f64,
    /// Whether the proven errors of levels count instead of the measured ones.
    pub guarantee: bool,
    /// The one level that it needs, near and far; without it, levels follow the distance.
    pub uniform: Option<u8>,
    /// Where it looks, if only one way. It decides what is built first, not what is wanted.
    pub look: Option<Look>,
}

/// A sector of the plane that a view sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The middle of the sector, (x, z), of length 1.
    pub direction: [f64; 2],
    /// The angle from the middle to either side, in radians.
    pub half_angle: f64,
}

impl View {
    /// A viewer at rest on the ground.
    pub fn at(position: [f64; 2], range: f64, acuity: f64) -> Self {
        let (height, ground) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let (guarantee, uniform, look) = (false, None, None);
        Self { position, ahead: position, height, ground, range, acuity, guarantee, uniform, look }
    }

    /// Whether it may see a part of the chunk.
    fn sees(&self, layout: &Layout, key: ChunkKey) -> bool {
        let Some(Look { direction, half_angle }) = self.look else { return true };
        let half = layout.size(key.lod) / 2.0;
        let [x, z] = [0, 1].map(|k| layout.origin(key)[k] + half - self.position[k]);
        let (distance, radius) = (x.hypot(z), half * core::f64::consts::SQRT_2);
        if distance <= radius {
            return true;
        }
        let off = ((x * direction[0] + z * direction[1]) / distance).clamp(-1.0, 1.0).acos();
        off <= half_angle + (radius / distance).asin()
    }

    /// The distance to a point of the ground, for ground that is nowhere higher than `highest`.
    pub fn distance_to(&self, point: [f64; 2], highest: f64) -> Distance {
        let to = |place: [f64; 2]| [0, 1].map(|k| (point[k] - place[k]).abs());
        self.nearer(to, highest)
    }

    /// The distance to the nearest point of a chunk, for ground that is nowhere higher than
    /// `highest`.
    pub fn distance(&self, layout: &Layout, key: ChunkKey, highest: f64) -> Distance {
        self.nearer(|place| layout.offset(key, place), highest)
    }

    /// From where the viewer is or will be in a moment, whichever is nearer.
    fn nearer(&self, to: impl Fn([f64; 2]) -> [f64; 2], highest: f64) -> Distance {
        let up = self.clearance(highest);
        let [here, ahead] = [self.position, self.ahead].map(|place| {
            let [x, z] = to(place);
            Distance { straight: x.hypot(z).hypot(up), along_axes: x.max(z).max(up) }
        });
        Distance {
            straight: here.straight.min(ahead.straight),
            along_axes: here.along_axes.min(ahead.along_axes),
        }
    }

    /// How far above the highest ground it is.
    fn clearance(&self, highest: f64) -> f64 {
        (self.height - highest.max(self.ground)).max(0.0)
    }

    /// Whether no distance is off by more than `slack` from those of `old`, and nothing else is
    /// different.
    pub fn is_near(&self, old: &View, slack: f64) -> bool {
        // Along the ground and up.
        let slack = slack * core::f64::consts::FRAC_1_SQRT_2;
        let near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) <= slack;
        let View { position, ahead, height, ground, look, .. } = *old;
        near(self.position, position)
            && near(self.ahead, ahead)
            && (self.height - height).abs() <= slack
            && View { position, ahead, height, ground, look, ..*self } == *old
    }
}

/// How far something is from a viewer, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// As the crow flies.
    pub straight: f64,
    /// The largest of the distances along x, along z and up.
    pub along_axes: f64,
}

/// Where a level ends, in metres from a viewer. It serves up to the farther of both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// What balance asks for, by the distance along the axes: how far finer chunks may touch, and
    /// the end.
    pub near: [f64; 2],
    /// What the error asks for, by the straight distance: from where on the shape may change, and
    /// the end.
    pub far: [f64; 2],
}

impl Range {
    /// How far something is beyond the level's end; negative within it.
    fn beyond(&self, distance: Distance) -> f64 {
        (distance.along_axes - self.near[1]).min(distance.straight - self.far[1])
    }

    /// How far a vertex at a distance has turned into the next coarser level, from 0 to 1.
    ///
    /// It is 0 and 1 some `slack` earlier than it must, since the selection follows viewers only
    /// after such a way.
    pub fn weight(&self, distance: Distance, slack: f64) -> f64 {
        let part = |[start, end]: [f64; 2], distance: f64| {
            ((distance - start - slack) / (end - start - 2.0 * slack)).clamp(0.0, 1.0)
        };
        if self.near[1] == 0.0 {
            // The view has no use for the level: others decide.
            return 1.0;
        }
        let near = part(self.near, distance.along_axes);
        // Where the error asks for less than balance does, its end does not count.
        let counts = self.far[1] > self.near[1];
        if counts { near.min(part(self.far, distance.straight)) } else { near }
    }
}

/// What a view asks of the levels.
#[derive(Clone, Debug, Default)]
struct Ask {
    /// The ranges of the levels below the roots', the finest first.
    ranges: Vec<Range>,
    /// The height that no ground exceeds.
    highest: f64,
}

impl Ask {
    fn update(&mut self, layout: &Layout, errors: &LevelErrors, view: &View, root_lod: u8) {
        self.highest = errors.highest(view.guarantee);
        let clearance = view.clearance(self.highest);
        let (mut finer, mut finer_far) = (0f64, 0f64);
        self.ranges.clear();
        self.ranges.extend((0..root_lod).map(|lod| {
            let size = layout.size(lod);
            let needed = match view.uniform {
                Some(level) if level == lod => view.range.hypot(clearance) + 2.0 * size,
                Some(_) => 0.0,
                None => errors.of(lod + 1, view.guarantee) * view.acuity,
            };
            let far = needed.min(FARTHEST * size);
            // Levels finer than the uniform one have no range.
            let unused = view.uniform.is_some_and(|level| lod < level);
            let touch = finer + size;
            let near = if unused { [0.0; 2] } else { [touch, finer + ROOM * size] };
            // Not before the finer level ends, whose error would come on top; and a uniform level
            // keeps its shape within the range.
            let begin = match view.uniform {
                Some(_) => far - size,
                None => (0.7 * far).max(finer_far.min(0.9 * far)),
            };
            (finer, finer_far) = (near[1].max(far), far);
            Range { near, far: [begin, far] }
        }));
    }
}

/// The wanted chunks: a quadtree with several roots. Its buffers are used again from one update to
/// the next.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The level of the roots.
    pub root_lod: u8,
    /// The roots, those that a view needs now first.
    pub roots: Vec<ChunkKey>,
    /// How many of the roots a view needs now.
    pub needed: usize,
    /// How many a view needs now or soon; those after them are kept if they are there.
    pub prepared: usize,
    /// Every chunk whose four children are wanted too.
    pub split: HashSet<ChunkKey>,
    /// Chunks just too far to be split: children that are there already are not taken away, so that
    /// a viewer who rocks to and fro does not have them built again and again.
    lingering: HashSet<ChunkKey>,
    /// What each view asks.
    asks: Vec<Ask>,
    open: Vec<ChunkKey>,
}

impl Selection {
    /// Selects the chunks that `views` want if they see only that part of what they see: 1 for all.
    /// Without views there are none.
    pub fn update(
        &mut self,
        layout: &Layout,
        errors: &LevelErrors,
        views: &[View],
        sharpness: f64,
    ) {
        let slack = SLACK * layout.size(0);
        let reach = views.iter().map(|view| view.range).fold(0.0, f64::max);
        // Roots as wide as the longest range, so that no view meets more than nine, and no finer
        // than a view asks.
        let coarsest = views.iter().filter_map(|view| view.uniform).max().unwrap_or(0).min(MAX_LOD);
        let root_lod =
            (coarsest..MAX_LOD).find(|&lod| layout.size(lod) >= reach + slack).unwrap_or(MAX_LOD);
        let size = layout.size(root_lod);
        self.root_lod = root_lod;

        self.roots.clear();
        let rings = [0.0, AHEAD[0] * size, AHEAD[1] * size];
        [self.needed, self.prepared, _] = rings.map(|ahead| {
            for view in views {
                let reach = view.range + slack + ahead;
                add_roots(layout, root_lod, view.position, reach, &mut self.roots);
                if ahead > 0.0 && view.ahead != view.position {
                    add_roots(layout, root_lod, view.ahead, reach, &mut self.roots);
                }
            }
            self.roots.len()
        });

        self.asks.resize_with(views.len(), Ask::default);
        for (view, ask) in views.iter().zip(&mut self.asks) {
            let view = View { acuity: sharpness * view.acuity, ..*view };
            ask.update(layout, errors, &view, root_lod);
        }

        self.split.clear();
        self.lingering.clear();
        self.open.clear();
        self.open.extend(&self.roots);
        while let Some(key) = self.open.pop() {
            let Some(finer) = key.lod.checked_sub(1) else { continue };
            let room = KEPT * layout.size(finer);
            let beyond = views.iter().zip(&self.asks).map(|(view, ask)| {
                ask.ranges[usize::from(finer)].beyond(view.distance(layout, key, ask.highest))
            });
            let beyond = beyond.fold(f64::INFINITY, f64::min);
            let soon = key.lod < root_lod || self.roots[..self.prepared].contains(&key);
            if beyond < 0.0 && soon {
                self.split.insert(key);
                self.open.extend(key.children());
            } else if beyond < room {
                self.lingering.insert(key);
            }
        }
    }

    /// Whether the chunk is wanted, as a leaf or as an ancestor of leaves.
    pub fn wants(&self, key: ChunkKey) -> bool {
        self.holds(key, self.prepared, |parent| self.split.contains(&parent))
    }

    /// Whether the chunk is wanted, or nearly so: one that is there already is worth keeping.
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

    /// Every wanted chunk: the roots, and the children of all that are split.
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

    /// The number of chunks of the finest wanted cover.
    pub fn leaves(&self) -> usize {
        // Each split replaces one chunk by four.
        self.prepared + 3 * self.split.len()
    }

    /// How urgent it is to build a chunk: the largest error on the screen, over the one allowed,
    /// that its absence makes; what is out of view counts a quarter. The four children of a chunk
    /// are equally urgent, and no more so than the chunk.
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
        let each = views.iter().zip(&self.asks).map(|(view, ask)| {
            // While nothing is measured yet, or the ground is flat, the nearest come first.
            let error =
                errors.of(parent.lod, view.guarantee).clamp(1e-3 * layout.spacing(parent.lod), 1e9);
            let pixels = error * view.acuity
                / view.distance(layout, parent, ask.highest).straight.max(layout.size(0));
            if view.sees(layout, parent) { pixels } else { pixels / 4.0 }
        });
        each.fold(0.0, f64::max)
    }

    /// How far a vertex of a level at `point` has turned into the next coarser level, for viewers
    /// who are at `views` now.
    pub fn morph(&self, layout: &Layout, views: &[View], lod: u8, point: [f64; 2]) -> f64 {
        let slack = SLACK * layout.size(0);
        let each = views.iter().zip(&self.asks).map(|(view, ask)| {
            match ask.ranges.get(usize::from(lod)) {
                Some(range) => range.weight(view.distance_to(point, ask.highest), slack),
                // Roots have nothing coarser to turn into.
                None => 0.0,
            }
        });
        each.fold(1.0, f64::min)
    }
}

/// Adds the roots that a circle meets, each once.
fn add_roots(layout: &Layout, lod: u8, place: [f64; 2], reach: f64, roots: &mut Vec<ChunkKey>) {
    let [low, high] =
        [-reach, reach].map(|d| layout.key_at(lod, place.map(|coordinate| coordinate + d)));
    for z in low.z..=high.z {
        for x in low.x..=high.x {
            let key = ChunkKey { lod, x, z };
            if layout.distance(key, place) <= reach && !roots.contains(&key) {
                roots.push(key);
            }
        }
    }
}

/// The chunks that `views` want. Without views there are none.
pub fn select(layout: &Layout, errors: &LevelErrors, views: &[View]) -> Selection {
    let mut selection = Selection::default();
    selection.update(layout, errors, views, 1.0);
    selection
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(crate) const LAYOUT: Layout = Layout { cells: 16, spacing: 1.0 };

    /// Errors that grow with the spacing of a level: `slope` metres for each metre of it.
    pub(crate) fn errors(slope: f64) -> LevelErrors {
        LevelErrors::growing(slope * LAYOUT.spacing)
    }

    pub(crate) fn view() -> impl Strategy<Value = View> {
        let near = -3000.0..3000.0f64;
        let place = prop_oneof![
            [near.clone(), near.clone()],
            [near.clone(), near].prop_map(|[x, z]| [x + 1e12, z - 1e12]),
        ];
        let ahead = [-300.0..300.0f64, -300.0..300.0f64];
        let high = prop_oneof![Just(0.0), 0.0..2000.0f64];
        let uniform = prop_oneof![4 => Just(None), 1 => (0u8..5).prop_map(Some)];
        (place, ahead, 100.0..3000.0f64, 0.0..2000.0f64, high, uniform).prop_map(
            |(position, ahead, range, acuity, height, uniform)| View {
                ahead: [0, 1].map(|k| position[k] + ahead[k]),
                height,
                uniform,
                ..View::at(position, range, acuity)
            },
        )
    }

    /// Whether two chunks share a point.
    pub(crate) fn touch(a: ChunkKey, b: ChunkKey) -> bool {
        let ([ax, az], [bx, bz]) = (LAYOUT.origin(a), LAYOUT.origin(b));
        let (sa, sb) = (LAYOUT.size(a.lod), LAYOUT.size(b.lod));
        ax <= bx + sb && bx <= ax + sa && az <= bz + sb && bz <= az + sa
    }

    /// Whether the chunks overlap nowhere and touch only where their levels differ by one at most.
    pub(crate) fn check_cut(cut: &[ChunkKey]) -> Result<(), TestCaseError> {
        let set: HashSet<_> = cut.iter().copied().collect();
        prop_assert_eq!(set.len(), cut.len(), "a chunk twice");
        let top = cut.iter().map(|key| key.lod).max().unwrap_or(0);
        for &key in cut {
            for lod in key.lod + 1..=top {
                prop_assert!(!set.contains(&key.ancestor(lod)), "{:?} overlaps", key);
            }
        }
        for &a in cut {
            for &b in cut {
                prop_assert!(a.lod.abs_diff(b.lod) < 2 || !touch(a, b), "{:?} {:?}", a, b);
            }
        }
        Ok(())
    }

    pub(crate) fn leaves(selection: &Selection) -> Vec<ChunkKey> {
        selection.wanted().filter(|key| !selection.split.contains(key)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn the_leaves_are_a_balanced_cut_that_covers_every_view(
            views in prop::collection::vec(view(), 1..3), around in [-1.0..1.0f64, -1.0..1.0f64], slope in 0.0..0.5f64,
        ) {
            let selection = select(&LAYOUT, &errors(slope), &views);
            let leaves = leaves(&selection);
            prop_assert_eq!(leaves.len(), selection.leaves());
            prop_assert_eq!(selection.wanted().count(), selection.len());
            check_cut(&leaves)?;
            for view in &views {
                let point = [0, 1].map(|k| view.position[k] + around[k] * view.range / 2f64.sqrt());
                let covering = leaves.iter().filter(|&&key| LAYOUT.key_at(key.lod, point) == key).count();
                prop_assert_eq!(covering, 1, "{:?}", point);
                if view.height == 0.0 {
                    // The finest level is where the viewer is.
                    let finest = LAYOUT.key_at(view.uniform.unwrap_or(0), view.position);
                    prop_assert!(leaves.iter().any(|key| key.lod <= finest.lod && key.ancestor(finest.lod) == finest));
                }
            }
            for &key in &selection.split {
                prop_assert!(selection.wants(key), "{:?}", key);
            }
        }

        /// What lies beyond the range of a level is good enough: the promise of the pixel error.
        #[test]
        fn errors_are_no_larger_than_may_be_seen(view in view(), slope in 0.0..0.02f64) {
            let errors = errors(slope);
            let selection = select(&LAYOUT, &errors, &[view]);
            for key in leaves(&selection).into_iter().filter(|key| key.lod > 0 && view.uniform.is_none()) {
                let distance = view.distance(&LAYOUT, key, 0.0).straight;
                let pixels = errors.measured(key.lod) * view.acuity / distance;
                let capped = distance >= FARTHEST * LAYOUT.size(key.lod - 1);
                prop_assert!(pixels <= 1.0 || capped, "{:?}: {} pixel errors", key, pixels);
            }
        }

        /// Wherever a viewer is within the slack of the selection, vertices at borders to coarser
        /// chunks have wholly turned into those, and at borders to finer ones not at all.
        #[test]
        fn levels_meet_in_the_same_shape(
            views in prop::collection::vec(view(), 1..3), slope in 0.0..0.1f64, moved in [-0.7..0.7f64, -0.7..0.7f64],
        ) {
            let selection = select(&LAYOUT, &errors(slope), &views);
            let slack = SLACK * LAYOUT.size(0);
            let by = |place: [f64; 2]| [0, 1].map(|k| place[k] + moved[k] * slack);
            let now: Vec<View> = views
                .iter()
                .map(|view| View { position: by(view.position), ahead: by(view.ahead), ..*view })
                .collect();
            let cut = leaves(&selection);
            for &a in &cut {
                for &b in cut.iter().filter(|b| b.lod == a.lod + 1 && touch(a, **b)) {
                    let ([ax, az], [bx, bz]) = (LAYOUT.origin(a), LAYOUT.origin(b));
                    // The corners of the finer chunk that the coarser one touches.
                    let (sa, sb) = (LAYOUT.size(a.lod), LAYOUT.size(b.lod));
                    for corner in [[ax, az], [ax + sa, az], [ax, az + sa], [ax + sa, az + sa]] {
                        let shared = (bx..=bx + sb).contains(&corner[0]) && (bz..=bz + sb).contains(&corner[1]);
                        if shared {
                            prop_assert_eq!(selection.morph(&LAYOUT, &now, a.lod, corner), 1.0);
                            prop_assert_eq!(selection.morph(&LAYOUT, &now, b.lod, corner), 0.0);
                        }
                    }
                }
            }
        }

        #[test]
        fn one_view_needs_nine_roots_at_most(view in view()) {
            let selection = select(&LAYOUT, &errors(0.01), &[view]);
            prop_assert!((1..=9).contains(&selection.needed));
            let still = View { ahead: view.position, ..view };
            prop_assert!(select(&LAYOUT, &errors(0.01), &[still]).roots.len() <= 16);
        }

        /// What is wanted at one place is kept at any place nearby, so that rocking to and fro
        /// builds nothing anew.
        #[test]
        fn what_is_wanted_is_kept_nearby(view in view(), way in [-0.7..0.7f64, -0.7..0.7f64]) {
            let here = select(&LAYOUT, &errors(0.01), &[view]);
            let room = KEPT * LAYOUT.size(0);
            let by = |place: [f64; 2]| [0, 1].map(|k| place[k] + way[k] * room);
            let there = select(&LAYOUT, &errors(0.01), &[View { position: by(view.position), ahead: by(view.ahead), ..view }]);
            for key in here.wanted() {
                let parent_stays = key.lod == here.root_lod || there.wants(key.parent());
                prop_assert!(there.keeps(key) || !parent_stays, "{:?}", key);
            }
        }
    }

    #[test]
    fn what_is_near_coarse_and_in_view_is_urgent() {
        let look = Some(Look { direction: [1.0, 0.0], half_angle: 0.6 });
        let view = View { look, ..View::at([8.0, 8.0], 2000.0, 1000.0) };
        let errors = errors(0.01);
        let selection = select(&LAYOUT, &errors, &[view]);
        let urgency = |key| selection.urgency(&LAYOUT, &errors, &[view], key);
        for key in selection.wanted().filter(|key| key.lod + 1 < selection.root_lod) {
            assert!(urgency(key) <= urgency(key.parent()), "{key:?}");
            assert_eq!(urgency(key), urgency(key.parent().children()[0]));
        }
        let at = |x| urgency(LAYOUT.key_at(1, [x, 8.0]));
        assert!(at(200.0) > at(400.0) && at(200.0) > 3.0 * at(-200.0));
    }

    #[test]
    fn detail_refines() {
        let at = |acuity| {
            select(&LAYOUT, &errors(0.1), &[View::at([0.0, 0.0], 2000.0, acuity)]).leaves()
        };
        assert!(at(0.0) < at(1000.0) && at(1000.0) < at(2000.0));
        assert!(select(&LAYOUT, &errors(0.01), &[]).is_empty());
    }

    #[test]
    fn the_view_from_above_is_coarser() {
        let at = |height| {
            let view = View { height, ..View::at([0.0, 0.0], 2000.0, 1000.0) };
            select(&LAYOUT, &errors(0.01), &[view]).leaves()
        };
        assert!(at(0.0) > at(100.0) && at(100.0) > at(1000.0));
    }

    #[test]
    fn a_uniform_view_has_one_level_within_its_range() {
        let view = View { uniform: Some(2), ..View::at([10.0, 20.0], 600.0, 1000.0) };
        let selection = select(&LAYOUT, &errors(0.01), &[view]);
        for key in leaves(&selection) {
            assert!(key.lod >= 2);
            assert!(key.lod == 2 || view.distance(&LAYOUT, key, 0.0).straight > view.range);
            // And it has the shape of its level there.
            for corner in LAYOUT.corners(key) {
                let within = view.distance_to(corner, 0.0).straight < view.range;
                assert!(!within || selection.morph(&LAYOUT, &[view], 2, corner) == 0.0);
            }
        }
    }
}
