//! Properties of selections, for random viewers.

use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::relief::Relief;
use crate::lod::chunk_errors::ChunkErrors;
use crate::lod::level_range::FARTHEST;
use crate::lod::selection::*;
use bevy_platform::collections::HashSet;
use orogeny::Region;
use proptest::prelude::*;

pub(crate) const LAYOUT: Layout = Layout { cells: 16, spacing: 1.0 };

/// Ground with an error and a height.
fn of(error: f64, highest: f64) -> Relief {
    Relief { error, highest, ..Relief::default() }
}

/// Flat ground with errors proportional to the spacing of a level: `slope` metres for each metre.
fn even(slope: f64) -> impl Fn(ChunkKey) -> Relief + Copy {
    move |key| of(slope * LAYOUT.spacing(key.lod), 0.0)
}

/// Ground whose squares of 64 m are of different roughness and height.
#[derive(Clone, Copy, Debug)]
struct Patches {
    slope: f64,
    seed: u64,
}

impl Patches {
    const LOD: u8 = 2;

    /// The roughness, relative to `slope`, and the height of the roughest and highest square.
    fn patch(self, key: ChunkKey) -> [f64; 2] {
        // Wider chunks have squares of all kinds.
        if key.lod > Self::LOD + 3 {
            return [8.0, 300.0];
        }
        if key.lod > Self::LOD {
            let each = key.children().map(|child| self.patch(child));
            return each.into_iter().fold([0.0; 2], |[a, b], [c, d]| [a.max(c), b.max(d)]);
        }
        let ChunkKey { x, z, .. } = key.ancestor(Self::LOD);
        let bits = (x as u64 ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (z as u64).wrapping_mul(self.seed | 1);
        let bits = bits.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        [[0.0, 0.01, 1.0, 8.0][(bits >> 62) as usize], (bits >> 52 & 3) as f64 * 100.0]
    }

    fn relief(self, key: ChunkKey) -> Relief {
        let [roughness, highest] = self.patch(key);
        of(roughness * self.slope * LAYOUT.spacing(key.lod), highest)
    }
}

/// What views select once all chunks that they want are built.
fn settle(relief: impl Fn(ChunkKey) -> Relief, views: &[View]) -> Selection {
    let (mut errors, mut selection) = (ChunkErrors::default(), Selection::default());
    for _ in 0..100 {
        selection.update(&LAYOUT, &errors, views, 1.0);
        let wanted: Vec<_> = selection.wanted().collect();
        let new = wanted.into_iter().filter(|&key| errors.set(key, relief(key))).count();
        if new == 0 {
            return selection;
        }
    }
    panic!("the selection does not settle");
}

/// The selection on even ground.
pub(crate) fn selected(slope: f64, views: &[View]) -> Selection {
    settle(even(slope), views)
}

pub(crate) fn view() -> impl Strategy<Value = View> {
    let near = -3000.0..3000.0f64;
    let position = prop_oneof![
        [near.clone(), near.clone()],
        [near.clone(), near].prop_map(|[x, z]| [x + 1e12, z - 1e12]),
    ];
    let ahead = [-300.0..300.0f64, -300.0..300.0f64];
    let high = prop_oneof![Just(0.0), 0.0..2000.0f64];
    let uniform = prop_oneof![4 => Just(None), 1 => (0u8..5).prop_map(Some)];
    (position, ahead, 100.0..3000.0f64, 0.0..2000.0f64, high, uniform).prop_map(
        |(position, ahead, range, errors_per_radian, height, uniform)| View {
            ahead: [0, 1].map(|k| position[k] + ahead[k]),
            height,
            uniform,
            ..View::at(position, range, errors_per_radian)
        },
    )
}

/// Views, and ground for them.
fn situation(slopes: impl Strategy<Value = f64>) -> impl Strategy<Value = (Vec<View>, Patches)> {
    let ground = (slopes, any::<u64>()).prop_map(|(slope, seed)| Patches { slope, seed });
    (prop::collection::vec(view(), 1..3), ground)
}

/// Whether two chunks share a point.
pub(crate) fn touch(a: ChunkKey, b: ChunkKey) -> bool {
    let ([ax, az], [bx, bz]) = (LAYOUT.origin(a), LAYOUT.origin(b));
    let (sa, sb) = (LAYOUT.size(a.lod), LAYOUT.size(b.lod));
    ax <= bx + sb && bx <= ax + sa && az <= bz + sb && bz <= az + sa
}

/// Checks that chunks do not overlap, and touch only where their levels differ by at most one.
pub(crate) fn check_cut(cut: &[ChunkKey]) -> Result<(), TestCaseError> {
    let set: HashSet<_> = cut.iter().copied().collect();
    prop_assert_eq!(set.len(), cut.len(), "a chunk twice");
    let top = cut.iter().map(|key| key.lod).max().unwrap_or(0);
    for &key in cut {
        for lod in key.lod + 1..=top {
            prop_assert!(!set.contains(&key.ancestor(lod)), "{:?} overlaps", key);
        }
        // A coarser chunk that touches it has a neighbour of it as a part.
        for (dx, dz) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dz| (dx, dz))) {
            let neighbour = ChunkKey { x: key.x + dx, z: key.z + dz, ..key };
            for lod in key.lod + 2..=top {
                let coarse = neighbour.ancestor(lod);
                prop_assert!(!set.contains(&coarse), "{:?} touches {:?}", key, coarse);
            }
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
        (views, ground) in situation(prop_oneof![0.0..0.1f64, Just(1e-6)]),
        around in [-1.0..1.0f64, -1.0..1.0f64],
    ) {
        let selection = settle(|key| ground.relief(key), &views);
        let leaves = leaves(&selection);
        prop_assert_eq!(leaves.len(), selection.leaves());
        prop_assert_eq!(selection.wanted().count(), selection.len());
        check_cut(&leaves)?;
        for view in &views {
            let point = [0, 1].map(|k| view.position[k] + around[k] * view.range / 2f64.sqrt());
            let covers = |key: ChunkKey| LAYOUT.key_at(key.lod, point) == key;
            let covering = leaves.iter().filter(|&&key| covers(key)).count();
            prop_assert_eq!(covering, 1, "{:?}", point);
            if view.height == 0.0 {
                // The chunk under the viewer has the finest level.
                let finest = LAYOUT.key_at(view.uniform.unwrap_or(0), view.position);
                let within =
                    |key: &ChunkKey| key.lod <= finest.lod && key.ancestor(finest.lod) == finest;
                prop_assert!(leaves.iter().any(within));
            }
        }
        for &key in &selection.split {
            prop_assert!(selection.wants(key), "{:?}", key);
        }
    }

    /// Beyond the range of a level, coarser levels are within the pixel error.
    #[test]
    fn errors_are_no_larger_than_may_be_seen(
        view in view(), slope in 0.0..0.02f64, seed: u64,
    ) {
        let ground = Patches { slope, seed };
        let selection = settle(|key| ground.relief(key), &[view]);
        let coarse = |key: &ChunkKey| key.lod > 0 && view.uniform.is_none();
        for key in leaves(&selection).into_iter().filter(coarse) {
            let Relief { error, highest, .. } = ground.relief(key);
            let distance = view.distance(&LAYOUT, key, highest).straight;
            let pixels = error * view.errors_per_radian / distance;
            let capped = distance >= FARTHEST * LAYOUT.size(key.lod - 1);
            prop_assert!(pixels <= 1.0 || capped, "{:?}: {} pixel errors", key, pixels);
        }
    }

    /// While a viewer is within the slack of the selection, vertices at borders to coarser chunks
    /// have fully morphed, and those at borders to finer chunks not at all.
    #[test]
    fn levels_meet_in_the_same_shape(
        (views, ground) in situation(prop_oneof![0.0..0.05f64, Just(1e-6)]),
        moved in [-0.7..0.7f64, -0.7..0.7f64],
    ) {
        let selection = settle(|key| ground.relief(key), &views);
        let slack = SLACK * LAYOUT.size(0);
        let by = |position: [f64; 2]| [0, 1].map(|k| position[k] + moved[k] * slack);
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
                    let shared = (bx..=bx + sb).contains(&corner[0])
                        && (bz..=bz + sb).contains(&corner[1]);
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
        let selection = selected(0.01, &[view]);
        prop_assert!((1..=9).contains(&selection.needed));
        let still = View { ahead: view.position, ..view };
        prop_assert!(selected(0.01, &[still]).roots.len() <= 16);
    }

    /// Chunks that are wanted for one viewer position are kept for nearby positions, so that a
    /// viewer who moves back and forth causes no rebuilds.
    #[test]
    fn what_is_wanted_is_kept_nearby(view in view(), way in [-0.7..0.7f64, -0.7..0.7f64]) {
        let here = selected(0.01, &[view]);
        let margin = KEPT * LAYOUT.size(0);
        let by = |position: [f64; 2]| [0, 1].map(|k| position[k] + way[k] * margin);
        let moved = View { position: by(view.position), ahead: by(view.ahead), ..view };
        let there = selected(0.01, &[moved]);
        for key in here.wanted() {
            let parent_stays = key.lod == here.root_lod || there.wants(key.parent());
            prop_assert!(there.keeps(key) || !parent_stays, "{:?}", key);
        }
    }
}

#[test]
fn what_is_near_coarse_and_in_view_is_urgent() {
    let sector = Some(ViewSector { direction: [1.0, 0.0], half_angle: 0.6 });
    let view = View { sector, ..View::at([8.0, 8.0], 2000.0, 1000.0) };
    let selection = selected(0.01, &[view]);
    let urgency = |key| selection.urgency(&LAYOUT, &[view], key);
    for key in selection.wanted().filter(|key| key.lod + 1 < selection.root_lod) {
        assert!(urgency(key) <= urgency(key.parent()), "{key:?}");
        assert_eq!(urgency(key), urgency(key.parent().children()[0]));
    }
    let at = |x| urgency(LAYOUT.key_at(1, [x, 8.0]));
    assert!(at(200.0) > at(400.0) && at(200.0) > 3.0 * at(-200.0));
}

#[test]
fn detail_refines() {
    let at = |errors_per_radian| {
        selected(0.1, &[View::at([0.0, 0.0], 2000.0, errors_per_radian)]).leaves()
    };
    assert!(at(0.0) < at(1000.0) && at(1000.0) < at(2000.0));
    assert!(selected(0.01, &[]).is_empty());
}

#[test]
fn the_view_from_above_is_coarser() {
    let at = |height| {
        let view = View { height, ..View::at([0.0, 0.0], 2000.0, 1000.0) };
        selected(0.01, &[view]).leaves()
    };
    assert!(at(0.0) > at(100.0) && at(100.0) > at(1000.0));
}

#[test]
fn a_uniform_view_has_one_level_within_its_range() {
    let view = View { uniform: Some(2), ..View::at([10.0, 20.0], 600.0, 1000.0) };
    let selection = selected(0.01, &[view]);
    for key in leaves(&selection) {
        assert!(key.lod >= 2);
        assert!(key.lod == 2 || view.distance(&LAYOUT, key, 0.0).straight > view.range);
        // And its shape is that of its level.
        for corner in LAYOUT.corners(key) {
            let within = view.distance_to(corner, 0.0).straight < view.range;
            assert!(!within || selection.morph(&LAYOUT, &[view], 2, corner) == 0.0);
        }
    }
}

/// A pad on smooth ground is seen from afar, at the level that its edge needs. Going there, no
/// level appears before its weight is 1, so nothing pops.
#[test]
fn what_is_rough_is_refined_without_popping() {
    let region = Region::around([600.0, 40.0], [12.0; 2]);
    let relief = |key: ChunkKey| {
        let spacing = LAYOUT.spacing(key.lod);
        let pad =
            if region.meets(&LAYOUT.square(key)) { 0.3 * spacing * spacing / 8.0 } else { 0.0 };
        of(pad.max(1e-6 * spacing), 0.0)
    };
    let pad = [600.0, 40.0];
    let mut levels = HashSet::new();
    let mut finest = u8::MAX;
    for step in 0..4000 {
        let view = View::at([pad[0] - 2000.0 + 0.5 * f64::from(step), 0.0], 4000.0, 500.0);
        let selection = settle(relief, &[view]);
        let leaf = leaves(&selection).into_iter().find(|key| LAYOUT.key_at(key.lod, pad) == *key);
        let leaf = leaf.unwrap();
        let level = leaf.lod;
        levels.insert(level);
        let distance = (region.min[0] - view.position[0]).max(0.0).hypot(28.0);
        // The error of the level in pixels.
        let pixels = relief(leaf).error * view.errors_per_radian / distance;
        assert!(pixels <= 1.0 || level == 0, "level {level}, {distance} m away: {pixels} pixels");
        if level < finest {
            for corner in LAYOUT.corners(leaf) {
                let weight = selection.morph(&LAYOUT, &[view], level, corner);
                assert!(step == 0 || weight > 0.95, "level {level} appears with weight {weight}");
            }
            finest = level;
        }
    }
    assert!((0..3).all(|level| levels.contains(&level)), "{levels:?}");
}

/// Before anything is built, and while only some chunks are, the cut is balanced, too.
#[test]
fn estimates_keep_the_balance() {
    let view = View::at([100.0, -30.0], 3000.0, 500.0);
    for seed in 0..4 {
        let ground = Patches { slope: 0.05, seed };
        let (mut errors, mut selection) = (ChunkErrors::default(), Selection::default());
        for round in 0..40 {
            selection.update(&LAYOUT, &errors, &[view], 1.0);
            check_cut(&leaves(&selection)).unwrap();
            let mut wanted: Vec<_> = selection.wanted().collect();
            wanted.sort_unstable_by_key(|key| {
                core::cmp::Reverse((key.lod, (key.x ^ key.z << 3).wrapping_mul(0x9e37_79b9) & 0xff))
            });
            let missing: Vec<_> =
                wanted.into_iter().filter(|&key| errors.get(key).is_none()).take(50).collect();
            missing.into_iter().for_each(|key| _ = errors.set(key, ground.relief(key)));
            if round % 7 == 6 {
                errors.retain(|key| key.x % 3 != 0);
            }
        }
    }
}

#[test]
fn what_is_not_built_is_what_its_parent_expects() {
    let parent = ChunkKey { lod: 5, x: 3, z: -4 };
    for (shrinking, expected) in [(0.25, [2.0, 0.5]), (0.5, [4.0, 2.0]), (1.0, [8.0, 4.0])] {
        let mut errors = ChunkErrors::default();
        errors.set(parent, Relief { shrinking, ..of(8.0, 100.0) });
        let (known, _) = errors.reach(parent, None);
        let (own, reach) = errors.reach(parent.children()[2], Some(known));
        assert_eq!([own.error, reach.finer.error], expected);
        assert_eq!([own.highest, reach.own.highest], [100.0; 2]);
    }
}

/// What is listed again for others to build is only what differs.
#[test]
fn a_selection_says_whether_it_differs() {
    let view = View::at([100.0, -30.0], 3000.0, 500.0);
    let (mut errors, mut selection) = (ChunkErrors::default(), Selection::default());
    let relief = even(0.05);
    let mut differs = [0, 0];
    for _ in 0..10 {
        let before: HashSet<_> = selection.wanted().collect();
        let said = selection.update(&LAYOUT, &errors, &[view], 1.0);
        let is_other = before != selection.wanted().collect();
        assert!(said || !is_other);
        differs[usize::from(said)] += 1;
        let wanted: Vec<_> = selection.wanted().collect();
        wanted.into_iter().for_each(|key| _ = errors.set(key, relief(key)));
    }
    assert!(differs[0] > 1 && differs[1] > 1, "{differs:?}");
    assert!(selection.update(&LAYOUT, &errors, &[View::at([900.0, 0.0], 3000.0, 500.0)], 1.0));
    // Farther roots, but the same levels.
    let far = View { ahead: [3000.0, 0.0], ..View::at([900.0, 0.0], 3000.0, 500.0) };
    assert!(selection.update(&LAYOUT, &errors, &[far], 1.0));
    assert!(!selection.update(&LAYOUT, &errors, &[far], 1.0));
}

/// What is learnt in any order, and forgotten, makes no difference.
#[test]
fn errors_depend_on_the_chunks_that_are_known_alone() {
    let ground = Patches { slope: 0.05, seed: 5 };
    let all: Vec<_> = (0..6u8)
        .flat_map(|lod| (0..64 >> lod).flat_map(move |z| (0..64 >> lod).map(move |x| (lod, x, z))))
        .map(|(lod, x, z)| ChunkKey { lod, x, z })
        .collect();
    let (mut one, mut other) = (ChunkErrors::default(), ChunkErrors::default());
    all.iter().for_each(|&key| _ = one.set(key, ground.relief(key)));
    let odd = |key: ChunkKey| (key.x ^ key.z) & 1 == 1;
    one.retain(|key| key.lod == 5 || odd(key));
    for &key in all.iter().rev().filter(|key| key.lod == 5 || odd(**key)) {
        other.set(key, of(1e9, 1e9));
        other.set(key, ground.relief(key));
    }
    for &key in &all {
        assert_eq!(one.reach(key, None), other.reach(key, None), "{key:?}");
    }
}
