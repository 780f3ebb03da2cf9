//! Placement on level ground, again, in the simplest way.

use crate::scatter::{Instance, InstanceId};
use crate::tests::scatter::{kinds, on_level_ground, scatter, sorted, square};

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

fn distance(p: [f64; 2], q: [f64; 2]) -> f64 {
    ((p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2)).sqrt()
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
