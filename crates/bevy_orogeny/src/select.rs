//! Selection: which chunks are wanted, given where the viewers are. A pure function.
//!
//! The wanted chunks are those of a quadtree. Its roots are the chunks of the coarsest level around the viewers; a
//! chunk is split into its four children where a viewer is nearer than the range of the children's level,
//!
//! r_l = max(detail * [`RANGE`] * size_l, r_(l-1) + diagonal_l).
//!
//! The second term makes the tree balanced: chunks that touch differ by one level at most. (Say a chunk A of level l, not
//! split, touched one of level l - 2. The parent P of that one was split, so a viewer is within r_(l-2) of P, and
//! within r_(l-2) + diagonal_(l-1) <= r_(l-1) of the point where P touches A. So A was split.)

use bevy_platform::collections::HashSet;

use crate::chunk::{ChunkKey, Layout, MAX_LOD};

/// The range of a level in widths of its chunks, at detail 1.
pub const RANGE: f64 = 4.0;

/// How much farther than a viewer's range roots are prepared, in widths of a root.
const AHEAD: f64 = 0.25;

/// A viewer as selection sees it. The numbers must keep their limits, as those of a [`TerrainViewer`](crate::TerrainViewer) do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Its place (x, z) in metres from the origin of the terrain, within [`PLACE`](crate::PLACE).
    pub position: [f64; 2],
    /// The distance up to which it needs terrain in metres, within [`VIEW_RANGE`](crate::VIEW_RANGE).
    pub range: f64,
    /// Scales the ranges of all levels.
    pub detail: f64,
}

/// The wanted chunks: a quadtree with several roots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// The level of the roots.
    pub root_lod: u8,
    /// The roots, those that a view needs now first.
    pub roots: Vec<ChunkKey>,
    /// How many of the roots a view needs now; the others are about to be.
    pub needed: usize,
    /// Every chunk whose four children are wanted too.
    pub split: HashSet<ChunkKey>,
}

impl Selection {
    /// Whether the chunk is wanted, as a leaf or as an ancestor of leaves.
    pub fn wants(&self, key: ChunkKey) -> bool {
        match key.lod.cmp(&self.root_lod) {
            core::cmp::Ordering::Less => self.split.contains(&key.parent()),
            core::cmp::Ordering::Equal => self.roots.contains(&key),
            core::cmp::Ordering::Greater => false,
        }
    }

    /// Every wanted chunk: the roots, and the children of all that are split.
    pub fn wanted(&self) -> impl Iterator<Item = ChunkKey> {
        let children = self.split.iter().flat_map(|key| key.children());
        self.roots.iter().copied().chain(children)
    }

    /// The number of chunks of the finest wanted cover.
    pub fn leaves(&self) -> usize {
        // Each split replaces one chunk by four.
        self.roots.len() + 3 * self.split.len()
    }
}

/// The ranges of the levels below `root_lod`: `ranges[l]` is the distance within which level l is wanted.
fn ranges(layout: &Layout, detail: f64, root_lod: u8) -> Vec<f64> {
    let mut range = 0.0;
    (0..root_lod)
        .map(|lod| {
            let size = layout.size(lod);
            range = (detail * RANGE * size).max(range + size * core::f64::consts::SQRT_2);
            range
        })
        .collect()
}

/// The chunks that `views` want. Without views there are none.
pub fn select(layout: &Layout, views: &[View]) -> Selection {
    let reach = views.iter().map(|view| view.range).fold(0.0, f64::max);
    // Roots as wide as the longest range: no view meets more than nine.
    let root_lod = (0..MAX_LOD).find(|&lod| layout.size(lod) >= reach).unwrap_or(MAX_LOD);
    let size = layout.size(root_lod);

    let mut selection = Selection { root_lod, ..Selection::default() };
    let mut ahead = Vec::new();
    for view in views {
        let around = |reach: f64| {
            let [low, high] = [-reach, reach]
                .map(|d| layout.key_at(root_lod, view.position.map(|coordinate| coordinate + d)));
            (low.z..=high.z)
                .flat_map(move |z| (low.x..=high.x).map(move |x| ChunkKey { lod: root_lod, x, z }))
                .filter(move |&key| layout.distance(key, view.position) <= reach)
        };
        selection.roots.extend(around(view.range));
        ahead.extend(around(view.range + AHEAD * size));
    }
    sort_dedup(&mut selection.roots);
    sort_dedup(&mut ahead);
    ahead.retain(|key| !selection.roots.contains(key));
    selection.needed = selection.roots.len();
    selection.roots.extend(ahead);

    let views: Vec<_> =
        views.iter().map(|view| (view, ranges(layout, view.detail, root_lod))).collect();
    let mut open = selection.roots.clone();
    while let Some(key) = open.pop() {
        let near = |(view, ranges): &(&View, Vec<f64>)| {
            layout.distance(key, view.position) < ranges[key.lod as usize - 1]
        };
        if key.lod > 0 && views.iter().any(near) {
            selection.split.insert(key);
            open.extend(key.children());
        }
    }
    selection
}

fn sort_dedup(keys: &mut Vec<ChunkKey>) {
    keys.sort_unstable();
    keys.dedup();
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(crate) const LAYOUT: Layout = Layout { cells: 16, spacing: 1.0 };

    pub(crate) fn view() -> impl Strategy<Value = View> {
        let near = -3000.0..3000.0f64;
        let place = prop_oneof![
            [near.clone(), near.clone()],
            [near.clone(), near].prop_map(|[x, z]| [x + 1e12, z - 1e12]),
        ];
        (place, 100.0..3000.0f64, 0.0..2.0f64).prop_map(|(position, range, detail)| View {
            position,
            range,
            detail,
        })
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn the_leaves_are_a_balanced_cut_that_covers_every_view(
            views in prop::collection::vec(view(), 1..3), around in [-1.0..1.0f64, -1.0..1.0f64],
        ) {
            let selection = select(&LAYOUT, &views);
            let leaves: Vec<_> =
                selection.wanted().filter(|key| !selection.split.contains(key)).collect();
            prop_assert_eq!(leaves.len(), selection.leaves());
            check_cut(&leaves)?;
            for view in &views {
                let point = [0, 1].map(|k| view.position[k] + around[k] * view.range / 2f64.sqrt());
                let covering = leaves.iter().filter(|&&key| LAYOUT.key_at(key.lod, point) == key).count();
                prop_assert_eq!(covering, 1, "{:?}", point);
                // The finest level is where the viewer is.
                prop_assert!(leaves.contains(&LAYOUT.key_at(0, view.position)));
            }
            for &key in &selection.split {
                prop_assert!(selection.wants(key), "{:?}", key);
            }
        }

        #[test]
        fn one_view_needs_nine_roots_at_most(view in view()) {
            let selection = select(&LAYOUT, &[view]);
            prop_assert!((1..=9).contains(&selection.needed));
            prop_assert!(selection.roots.len() <= 16);
        }
    }

    #[test]
    fn detail_refines() {
        let at = |detail| {
            select(&LAYOUT, &[View { position: [0.0, 0.0], range: 2000.0, detail }]).leaves()
        };
        assert!(at(0.0) < at(1.0) && at(1.0) < at(2.0));
        assert_eq!(select(&LAYOUT, &[]), Selection::default());
    }
}
