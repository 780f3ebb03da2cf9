//! Kinds that keep away from roads and pads, and kinds that line them.

use crate::Region;
use crate::edits::{Area, Crater, Disc, Edit, EditLog, Flatten, Hole, Paint, Path, Rectangle};
use crate::scatter::{Instance, KindId, Placement, ScatterKind};
use crate::tests::edits::edited;
use crate::tests::scatter::{distance, on_level_ground, scatter};

fn disc(center: [f64; 2], radius: f64) -> Area {
    Area::Disc(Disc { center, radius, falloff: 5.0 })
}

/// A winding road that begins at a place.
fn road([x, z]: [f64; 2]) -> Path {
    let points = [[0.0, 0.0], [60.0, 25.0], [120.0, -15.0], [180.0, 10.0]];
    let points = points.map(|p| [x + p[0], z + p[1], 5.0]).into();
    Path { points, width: 7.0, falloff: 4.0, ..Path::default() }
}

/// An edit, and a plain search for the distance from its core.
type Case = (Edit, Box<dyn Fn([f64; 2]) -> f64>);

fn cases() -> Vec<Case> {
    let rectangle =
        Rectangle { center: [-40.0, 30.0], length: 40.0, width: 12.0, angle: 30.0, falloff: 3.0 };
    // All points inside it, 0.1 m apart.
    let (sin, cos) = 30f64.to_radians().sin_cos();
    let inside: Vec<[f64; 2]> = (0..401 * 121)
        .map(|i| [f64::from(i % 401) * 0.1 - 20.0, f64::from(i / 401) * 0.1 - 6.0])
        .map(|[x, z]| [-40.0 + cos * x - sin * z, 30.0 + sin * x + cos * z])
        .collect();
    let line = road([0.0, -60.0]).line(0.0, 2000).unwrap();
    let near = move |p: [f64; 2]| {
        let distances = line.iter().map(|q| distance(p, [q[0], q[1]]));
        (distances.fold(f64::MAX, f64::min) - 3.5).max(0.0)
    };
    let crater = Crater { center: [90.0, 80.0], radius: 9.0, ..Crater::default() };
    vec![
        (
            Flatten { area: disc([30.0, 10.0], 12.0), height: 5.0, ..Flatten::default() }.into(),
            Box::new(move |p| (distance(p, [30.0, 10.0]) - 12.0).max(0.0)),
        ),
        (
            Hole { area: disc([-70.0, -70.0], 3.0) }.into(),
            Box::new(move |p| (distance(p, [-70.0, -70.0]) - 3.0).max(0.0)),
        ),
        (crater.into(), Box::new(move |p| (distance(p, [90.0, 80.0]) - 9.0).max(0.0))),
        (
            Flatten { area: Area::Rectangle(rectangle), height: 5.0, ..Flatten::default() }.into(),
            Box::new(move |p| inside.iter().map(|&q| distance(p, q)).fold(f64::MAX, f64::min)),
        ),
        (road([0.0, -60.0]).into(), Box::new(near)),
        // This one does not count.
        (
            Paint { area: disc([20.0, 90.0], 30.0), ..Paint::default() }.into(),
            Box::new(|_| f64::MAX),
        ),
    ]
}

#[test]
fn distances_from_edits_match_a_search() {
    let cases = cases();
    let edits = edited(cases.iter().map(|(edit, _)| edit.clone()));
    let mut found = 0;
    for i in 0..2500 {
        let p = [f64::from(i % 50) * 7.3 - 180.0, f64::from(i / 50) * 6.1 - 160.0];
        let expected = cases.iter().map(|(_, distance)| distance(p)).fold(f64::MAX, f64::min);
        for within in [8.0, 40.0, 1000.0] {
            let distance = edits.disturbed_distance(p, within);
            // The rectangle is searched in steps of 0.1 m.
            if distance < within {
                let error = (distance - expected).abs();
                assert!(error < 0.08 + 0.005 * expected, "{distance}, {expected} at {p:?}");
                found += 1;
            } else {
                assert_eq!(distance, f64::INFINITY);
                assert!(expected > 0.99 * within - 0.08, "{expected} within {within} at {p:?}");
            }
        }
    }
    assert!(found > 3000, "{found}");
    assert_eq!(EditLog::new().edits().disturbed_distance([0.0; 2], 1e3), f64::INFINITY);
}

fn kind(seed: u64) -> ScatterKind {
    ScatterKind {
        seed,
        radius: 2.0,
        grass: 1.0,
        depth: ScatterKind::DEPTH.below(0.0),
        ..ScatterKind::default()
    }
}

/// Trees keep 6 m away from a road, and a hedge stands beside it.
#[test]
fn roads_are_lined_and_kept_free() {
    for start in [[0.0, 0.0], [-3e9, 2e9]] {
        let tree = ScatterKind { edit: ScatterKind::EDIT.above(6.0), ..kind(1) };
        let hedge = ScatterKind {
            radius: 0.8,
            edit: ScatterKind::EDIT.above(1.0).below(3.0),
            disturbed: 1.0,
            ..kind(2)
        };
        let placement = on_level_ground(&scatter(vec![tree, hedge]));
        let [min, max] =
            [[-60.0, -70.0], [240.0, 80.0]].map(|p| [start[0] + p[0], start[1] + p[1]]);
        let region = Region { min, max };
        let all = |placement: &Placement| placement.in_region(region, |_| true).unwrap();
        let before = all(&placement);
        assert!(before.len() > 3000 && before.iter().all(|instance| instance.kind == KindId(1)));

        let after = placement.with_edits(edited([road(start)]));
        let line = road(start).line(0.0, 3000).unwrap();
        let beside = |instance: &Instance| {
            let distances = line.iter().map(|q| distance(instance.position, [q[0], q[1]]));
            distances.fold(f64::MAX, f64::min) - 3.5
        };
        let found = all(&after);
        let (trees, hedges): (Vec<&Instance>, Vec<&Instance>) =
            found.iter().partition(|tree| tree.kind == KindId(1));
        assert!(trees.iter().all(|tree| beside(tree) > 5.98));
        let sides: Vec<f64> = hedges.iter().map(|hedge| beside(hedge)).collect();
        assert!(sides.len() > 300, "{} in the hedges", sides.len());
        assert!(sides.iter().all(|side| (0.98..3.02).contains(side)));
        // All other trees stand where they did.
        let expected: Vec<_> = before.iter().filter(|tree| beside(tree) > 6.02).collect();
        assert!(expected.iter().all(|tree| trees.contains(tree)));
        assert!(trees.len() - expected.len() < 5 && expected.len() < before.len() - 200);
        // The regions of differences contain all that changed.
        let regions = after.differences(&Default::default());
        let differs = |p| regions.iter().any(|region| region.contains(p));
        let mut changed = before.iter().filter(|tree| !found.contains(tree)).chain(hedges);
        assert!(changed.all(|instance| differs(instance.position)));
        // Maps of the density agree.
        let at = |kind: u64, list: &[&Instance]| {
            let places: Vec<_> = list.iter().map(|instance| instance.position).collect();
            after.densities(KindId(kind), &places).unwrap()
        };
        assert!(at(2, &expected).iter().all(|&density| density == 0.0));
        assert!(at(1, &expected).iter().all(|&density| density > 0.0));
    }
}

/// A distance of 0 means the carriageway itself.
#[test]
fn what_grows_on_roads_stays_on_them() {
    let moss =
        ScatterKind { radius: 0.7, edit: ScatterKind::EDIT.below(0.0), disturbed: 1.0, ..kind(1) };
    let placement = on_level_ground(&scatter(vec![moss]));
    let region = Region { min: [-60.0, -70.0], max: [240.0, 80.0] };
    let found =
        placement.with_edits(edited([road([0.0, 0.0])])).in_region(region, |_| true).unwrap();
    let line = road([0.0, 0.0]).line(0.0, 3000).unwrap();
    assert!(found.len() > 500, "{}", found.len());
    for instance in &found {
        let distances = line.iter().map(|q| distance(instance.position, [q[0], q[1]]));
        assert!(distances.fold(f64::MAX, f64::min) < 3.52, "{instance:?}");
    }
}

/// Only edits that disturb the ground change what is far from them.
#[test]
fn edits_that_do_not_disturb_change_little_around_them() {
    let tree = ScatterKind { edit: ScatterKind::EDIT.above(500.0), ..kind(1) };
    let placement = on_level_ground(&scatter(vec![tree]));
    let widest = |edit: Edit| {
        let regions = placement.with_edits(edited([edit])).differences(&Default::default());
        regions.iter().map(|region| region.max[0] - region.min[0]).fold(0.0, f64::max)
    };
    assert!(widest(Paint { area: disc([0.0; 2], 3.0), ..Paint::default() }.into()) < 60.0);
    assert!(widest(Hole { area: disc([0.0; 2], 3.0) }.into()) > 1000.0);
}

#[test]
fn distances_have_an_order() {
    let kind = ScatterKind { edit: ScatterKind::EDIT.above(5.0).below(2.0), ..kind(1) };
    let error = scatter(vec![kind]).check().unwrap_err();
    assert_eq!(error.path, "scatter.kinds[0].edit.max");
}
