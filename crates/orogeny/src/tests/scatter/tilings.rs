//! Placement on level ground, again, in the simplest way; and in any tiles.

use std::thread;

use crate::Region;
use crate::edits::Edits;
use crate::limits::POSITION;
use crate::scatter::{Instance, InstanceId, Placement, ScatterKind};
use crate::tests::edits::random;
use crate::tests::random::Random;
use crate::tests::scatter::{
    distance, kinds, on_level_ground, placed, rivers, scatter, sorted, square,
};

/// The position, the priority and the threshold of a candidate, from its documentation.
type Candidate = ([f64; 2], (u32, i64, i64), f32);

/// All candidates of a kind in a square of cells around the origin.
fn candidates(seed: u64, width: f64, reach: i64) -> Vec<([i64; 2], Candidate)> {
    let cells = crate::scatter::candidates::Cells::new(9, seed, width);
    let all = (-reach..reach).flat_map(|z| (-reach..reach).map(move |x| [x, z]));
    all.map(|cell| {
        let candidate = cells.candidate(cells.row(cell[1]), cell);
        let priority = (candidate.priority(), cell[1], cell[0]);
        (cell, (candidate.position, priority, candidate.threshold()))
    })
    .collect()
}

#[test]
fn placement_matches_a_search_over_all_pairs() {
    let half = 40.0;
    // Far enough for all that the instances in the middle depend on.
    let wide = 60.0;
    let kinds = kinds();
    let mut kept: Vec<(usize, [i64; 2], [f64; 2])> = Vec::new();
    for (index, kind) in kinds.iter().enumerate() {
        let all = candidates(kind.seed, kind.radius, (wide / kind.radius).ceil() as i64);
        let before = kept.clone();
        for (cell, (position, priority, threshold)) in &all {
            let wins = !all.iter().any(|(_, (other, rival, _))| {
                distance(*position, *other) < kind.radius && rival > priority
            });
            let is_free = before.iter().all(|(other, _, at)| {
                distance(*position, *at) >= kind.radius.min(kinds[*other].radius)
            });
            if wins && is_free && *threshold < kind.density {
                kept.push((index, *cell, *position));
            }
        }
    }
    let inside = |p: &[f64; 2]| p.iter().all(|x| (-half..half).contains(x));
    let expected = kept.into_iter().filter(|(.., p)| inside(p));
    let of = |(index, cell, position): (usize, _, _)| (kinds[index].id(), cell, position);
    let mut expected: Vec<_> = expected.map(of).collect();
    expected.sort_by_key(|(kind, cell, _)| (*kind, *cell));
    let placement = on_level_ground(&scatter(kinds));
    let found = sorted(placement.in_region(square(-half, half), |_| true).unwrap());
    assert!(found.len() > 3000, "{}", found.len());
    let found: Vec<_> = found
        .iter()
        .map(|instance: &Instance| match instance.id {
            InstanceId::Natural { cell, .. } => (instance.kind, cell, instance.position),
            InstanceId::Planted(_) => panic!("nobody planted anything"),
        })
        .collect();
    assert_eq!(found, expected);
}

/// Cuts a region into parts at random.
fn cut(r: &mut Random, region: Region, parts: &mut Vec<Region>) {
    let axis = r.below(2);
    if region.max[axis] - region.min[axis] < 40.0 {
        return parts.push(region);
    }
    let at = r.within(region.min[axis], region.max[axis]);
    let [mut low, mut high] = [region; 2];
    (low.max[axis], high.min[axis]) = (at, at);
    cut(r, low, parts);
    cut(r, high, parts);
}

fn check(placement: &Placement, r: &mut Random, min: [f64; 2]) -> usize {
    let region = Region { min, max: min.map(|x| x + 150.0) };
    let whole = sorted(placement.in_region(region, |_| true).unwrap());
    let mut parts = Vec::new();
    cut(r, region, &mut parts);
    parts.reverse();
    // In any order, on any thread, and some kinds at a time.
    let found = thread::scope(|scope| {
        let tasks: Vec<_> = parts
            .chunks(parts.len().div_ceil(3))
            .map(|parts| {
                scope.spawn(move || {
                    let mut found = Vec::new();
                    for part in parts {
                        let of = |odd| move |kind: &ScatterKind| kind.seed % 2 == odd;
                        found.extend(placement.in_region(*part, of(0)).unwrap());
                        found.extend(placement.in_region(*part, of(1)).unwrap());
                    }
                    found
                })
            })
            .collect();
        tasks.into_iter().flat_map(|task| task.join().unwrap()).collect()
    });
    assert_eq!(sorted(found), whole, "{min:?}");
    whole.len()
}

#[test]
fn any_tiling_has_the_same_instances() {
    let mut r = Random::new(1);
    let level = on_level_ground(&scatter(kinds()));
    for far in [0.0, -3e3, 1e6, -1e9, 1e12] {
        let min = [far + r.within(-50.0, 50.0), r.within(-1.0, 1.0) * far];
        assert!(check(&level, &mut r, min) > 2000);
    }
    let recipe = rivers();
    let log = random::log(&mut r, [700.0, -300.0], 30, true);
    let mut count = 0;
    for (edits, far) in [(log.edits(), 0.0), (Edits::default(), -2e5), (Edits::default(), 1e8)] {
        let placement = placed(&recipe, edits);
        count += check(&placement, &mut r, [far + 640.0, -far - 390.0]);
    }
    assert!(count > 3000, "{count}");
}

#[test]
fn instances_keep_their_distance_across_tiles() {
    let placement = on_level_ground(&scatter(kinds()));
    let radius = |kind| placement.kind(kind).unwrap().radius;
    for far in [0.0, 1e12] {
        let min = [far, -far];
        let mut all = Vec::new();
        for (i, j) in (0..4).flat_map(|j| (0..4).map(move |i| (i, j))) {
            let low = [min[0] + 24.0 * f64::from(i), min[1] + 24.0 * f64::from(j)];
            let region = Region { min: low, max: low.map(|x| x + 24.0) };
            all.extend(placement.in_region(region, |_| true).unwrap());
        }
        all.sort_by(|a, b| a.position[0].total_cmp(&b.position[0]));
        for (i, a) in all.iter().enumerate() {
            let reach = |b: &&crate::scatter::Instance| b.position[0] - a.position[0] < 7.0;
            for b in all[i + 1..].iter().take_while(reach) {
                let apart = radius(a.kind).min(radius(b.kind));
                let [x, z] = [0, 1].map(|k| a.position[k] - b.position[k]);
                assert!(x * x + z * z >= apart * apart, "{a:?} {b:?}");
            }
        }
        assert!(all.len() > 2000);
    }
}

#[test]
fn regions_outside_the_world_are_refused_and_empty_ones_are_empty() {
    let placement = on_level_ground(&scatter(kinds()));
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    for [a, b] in [[0.0, 0.0], [5.0, -5.0], [1e15, -1e15], [1e15, 1e15], [inf, -inf]] {
        assert_eq!(placement.in_region(square(a, b), |_| true), Ok(Vec::new()));
        let region = Region { min: [0.0, a], max: [1.0, b] };
        assert_eq!(placement.in_region(region, |_| true), Ok(Vec::new()));
    }
    for [a, b] in [[nan, 1.0], [0.0, nan], [1.5e15, 2e15], [-inf, -2e15]] {
        let region = Region { min: [0.0, a], max: [1.0, b] };
        for region in [square(a, b), region] {
            let error = placement.in_region(region, |_| true).unwrap_err();
            assert_eq!(error.limit, POSITION);
        }
    }
    for (center, radius) in [([nan; 2], 5.0), ([0.0; 2], nan), ([1.1e15; 2], inf)] {
        let error = placement.nearest(center, radius, |_| true).unwrap_err();
        assert_eq!(error.limit, POSITION);
        let error = placement.in_circle(center, radius, |_| true).unwrap_err();
        assert_eq!(error.limit, POSITION);
    }
    // Beyond the world there is nothing.
    assert!(placement.nearest([0.0; 2], inf, |_| true).unwrap().is_some());
    let nothing = on_level_ground(&scatter(Vec::new()));
    assert_eq!(nothing.in_region(square(-inf, inf), |_| true), Ok(Vec::new()));
    assert_eq!(nothing.in_circle([1e15; 2], inf, |_| true), Ok(Vec::new()));
    assert_eq!(placement.in_circle([0.0; 2], -1.0, |_| true), Ok(Vec::new()));
    assert_eq!(placement.nearest([0.0; 2], -1.0, |_| true), Ok(None));
}

/// What is kept of the ground is that of the ground without edits, where there are none.
#[test]
fn what_is_kept_does_not_outlive_edits() {
    let mut r = Random::new(4);
    let recipe = rivers();
    let region = Region { min: [600.0, -400.0], max: [800.0, -200.0] };
    let all = |placement: &Placement| sorted(placement.in_region(region, |_| true).unwrap());
    let mut placement = placed(&recipe, Edits::default());
    let bare = all(&placement);
    for count in [12, 40, 1] {
        let edits = random::log(&mut r, [700.0, -300.0], count, true).edits();
        placement = placement.with_edits(edits.clone());
        let changed = all(&placement);
        assert_eq!(changed, all(&placed(&recipe, edits)));
        assert!(changed.len() > 500 && changed != bare);
    }
    assert_eq!(all(&placement.with_edits(Edits::default())), bare);
}

/// Large boxes do not use what is kept.
#[test]
fn large_boxes_have_the_instances_of_small_ones() {
    let placement = placed(&rivers(), Edits::default());
    let whole = Region { min: [-250.0, 3.0], max: [250.0, 460.0] };
    let trees = |region| placement.in_region(region, |kind| kind.seed < 4).unwrap();
    let mut parts = Vec::new();
    cut(&mut Random::new(7), whole, &mut parts);
    let parts = parts.into_iter().flat_map(trees).collect();
    assert!(trees(whole).len() > 1000);
    assert_eq!(sorted(trees(whole)), sorted(parts));
}
