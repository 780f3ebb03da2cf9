//! Properties of selections, for random viewers.

use crate::chunk::key::{ChunkKey, Layout};
use crate::lod::level_errors::LevelErrors;
use crate::lod::level_range::FARTHEST;
use crate::lod::selection::*;
use bevy_platform::collections::HashSet;
use orogeny::Region;
use orogeny::edits::EditDetail;
use proptest::prelude::*;

pub(crate) const LAYOUT: Layout = Layout { cells: 16, spacing: 1.0 };

/// Errors proportional to the spacing of a level: `slope` metres for each metre of spacing.
pub(crate) fn errors(slope: f64) -> LevelErrors {
    LevelErrors::growing(slope * LAYOUT.spacing)
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

/// Up to three edits around the first view, of all sizes.
fn focuses(views: &[View]) -> impl Strategy<Value = Vec<Focus>> + use<> {
    let middle = views[0].position;
    let edit = ([-900.0..900.0f64, -900.0..900.0f64], [1.0..200.0f64, 1.0..200.0f64]);
    let focus =
        (edit, 0.1..50.0f64, 0.001..10.0f64).prop_map(move |((offset, reach), height, second)| {
            let region = Region::around([0, 1].map(|k| middle[k] + offset[k]), reach);
            Focus::new(&LAYOUT, region, &EditDetail { height, second })
        });
    prop::collection::vec(focus, 0..4)
}

/// Views, and edits in them.
fn situation() -> impl Strategy<Value = (Vec<View>, Vec<Focus>)> {
    prop::collection::vec(view(), 1..3).prop_flat_map(|views| {
        let focuses = focuses(&views);
        (Just(views), focuses)
    })
}

fn select_around(errors: &LevelErrors, views: &[View], focuses: &[Focus]) -> Selection {
    let mut selection = Selection::default();
    selection.update(&LAYOUT, errors, views, focuses, 1.0);
    selection
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
        (views, focuses) in situation(), around in [-1.0..1.0f64, -1.0..1.0f64],
        slope in prop_oneof![0.0..0.5f64, Just(1e-6)],
    ) {
        let selection = select_around(&errors(slope), &views, &focuses);
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
    fn errors_are_no_larger_than_may_be_seen(view in view(), slope in 0.0..0.02f64) {
        let errors = errors(slope);
        let selection = select(&LAYOUT, &errors, &[view]);
        let coarse = |key: &ChunkKey| key.lod > 0 && view.uniform.is_none();
        for key in leaves(&selection).into_iter().filter(coarse) {
            let distance = view.distance(&LAYOUT, key, 0.0).straight;
            let pixels = errors.measured(key.lod) * view.errors_per_radian / distance;
            let capped = distance >= FARTHEST * LAYOUT.size(key.lod - 1);
            prop_assert!(pixels <= 1.0 || capped, "{:?}: {} pixel errors", key, pixels);
        }
    }

    /// While a viewer is within the slack of the selection, vertices at borders to coarser chunks
    /// have fully morphed, and those at borders to finer chunks not at all.
    #[test]
    fn levels_meet_in_the_same_shape(
        (views, focuses) in situation(), slope in prop_oneof![0.0..0.1f64, Just(1e-6)],
        moved in [-0.7..0.7f64, -0.7..0.7f64],
    ) {
        let selection = select_around(&errors(slope), &views, &focuses);
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
        let selection = select(&LAYOUT, &errors(0.01), &[view]);
        prop_assert!((1..=9).contains(&selection.needed));
        let still = View { ahead: view.position, ..view };
        prop_assert!(select(&LAYOUT, &errors(0.01), &[still]).roots.len() <= 16);
    }

    /// Chunks that are wanted for one viewer position are kept for nearby positions, so that a
    /// viewer who moves back and forth causes no rebuilds.
    #[test]
    fn what_is_wanted_is_kept_nearby(view in view(), way in [-0.7..0.7f64, -0.7..0.7f64]) {
        let here = select(&LAYOUT, &errors(0.01), &[view]);
        let margin = KEPT * LAYOUT.size(0);
        let by = |position: [f64; 2]| [0, 1].map(|k| position[k] + way[k] * margin);
        let moved = View { position: by(view.position), ahead: by(view.ahead), ..view };
        let there = select(&LAYOUT, &errors(0.01), &[moved]);
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
    let at = |errors_per_radian| {
        select(&LAYOUT, &errors(0.1), &[View::at([0.0, 0.0], 2000.0, errors_per_radian)]).leaves()
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
fn edits_are_refined_without_popping() {
    let errors = errors(1e-6);
    let pad = [600.0, 40.0];
    let detail = EditDetail { height: 3.0, second: 0.3 };
    let region = Region::around(pad, [12.0; 2]);
    let focuses = [Focus::new(&LAYOUT, region, &detail)];
    let mut levels = HashSet::new();
    let mut finest = u8::MAX;
    for step in 0..4000 {
        let view = View::at([pad[0] - 2000.0 + 0.5 * f64::from(step), 0.0], 4000.0, 500.0);
        let selection = select_around(&errors, &[view], &focuses);
        let leaf = leaves(&selection).into_iter().find(|key| LAYOUT.key_at(key.lod, pad) == *key);
        let level = leaf.unwrap().lod;
        levels.insert(level);
        let distance = (region.min[0] - view.position[0]).max(0.0).hypot(28.0);
        // The error of the level in pixels.
        let pixels = detail.error(LAYOUT.spacing(level)) * view.errors_per_radian / distance;
        assert!(pixels <= 1.0 || level == 0, "level {level}, {distance} m away: {pixels} pixels");
        if level < finest {
            let weight = selection.morph(&LAYOUT, &[view], level, pad);
            assert!(step == 0 || weight > 0.95, "level {level} appears with weight {weight}");
            finest = level;
        }
    }
    assert!((0..3).all(|level| levels.contains(&level)), "{levels:?}");
}
