//! What edits have planted: found by its index, however far away, and solid to rays.

use crate::edits::{Area, Clear, Disc, Edit, EditLog, Hole, Plant};
use crate::ray::Ray;
use crate::scatter::{Instance, InstanceId, KindId, Placement, ScatterKind};
use crate::tests::random::Random;
use crate::tests::scatter::{kinds, on_level_ground, scatter, square};

/// The same scatter on level ground with these edits.
fn with(placement: &Placement, edits: impl IntoIterator<Item = Edit>) -> Placement {
    let mut log = EditLog::new();
    edits.into_iter().for_each(|edit| drop(log.add(1, edit).unwrap()));
    placement.with_edits(log.edits())
}

fn plant(center: [f64; 2], kind: u64, size: f32) -> Edit {
    Plant { center, kind: KindId(kind), size, turn: 0.0 }.into()
}

/// A kind that grows nowhere by itself.
fn tree() -> ScatterKind {
    let tree = ScatterKind { seed: 1, radius: 2.0, ..ScatterKind::default() };
    ScatterKind { solid_radius: 1.0, solid_height: 10.0, ..tree }
}

/// Each search takes microseconds, where it once took minutes.
#[test]
fn lone_trees_are_found_at_once() {
    let forest = on_level_ground(&scatter(vec![tree()]));
    for far in [1e4, 1e6, 1e12] {
        let placement = with(&forest, [plant([far, 0.0], 1, 1.0)]);
        let nearest = placement.nearest([0.0; 2], 4.0 * far, |_| true).unwrap().unwrap();
        assert_eq!(nearest.position, [far, 0.0]);
        assert_eq!(placement.nearest([0.0; 2], far, |_| true).unwrap(), Some(nearest));
        assert_eq!(placement.nearest([0.0; 2], far - 1.0, |_| true).unwrap(), None);
        assert_eq!(placement.nearest([0.0; 2], 4.0 * far, |kind| kind.seed == 2).unwrap(), None);
        assert_eq!(placement.in_circle([0.0; 2], 4.0 * far, |_| true).unwrap(), [nearest]);
        assert_eq!(placement.in_circle([0.0; 2], far - 1.0, |_| true).unwrap(), []);
        let all = placement.in_region(square(-2.0 * far, 2.0 * far), |_| true).unwrap();
        assert_eq!(all, [nearest]);
    }
}

/// Planted things may be wider than any that grow.
#[test]
fn solid_things_are_near_by_their_sides() {
    let wide = with(&on_level_ground(&scatter(vec![tree()])), [plant([20.0, 0.0], 1, 8.0)]);
    let found = |radius: f64| {
        let mut found = Vec::new();
        wide.each_solid_near([0.0; 2], radius, |instance| found.push(instance.size)).unwrap();
        found
    };
    assert_eq!((found(11.9), found(12.1)), (vec![], vec![8.0]));
    // What grows is as near as a search among all of it says.
    let forest = on_level_ground(&scatter(kinds()));
    let mut r = Random::new(11);
    for _ in 0..50 {
        let (center, radius) = (r.point::<2>(500.0), r.magnitude(0.5, 30.0));
        let mut near = Vec::new();
        forest.each_solid_near(center, radius, |instance| near.push(instance.id)).unwrap();
        let reaches = |it: &Instance| {
            let kind = forest.kind(it.kind).unwrap();
            let [dx, dz] = [0, 1].map(|k| it.position[k] - center[k]);
            (dx * dx + dz * dz).sqrt() <= radius + f64::from(kind.solid_radius * it.size)
        };
        let all = forest.in_circle(center, radius + 100.0, ScatterKind::is_solid).unwrap();
        let mut expected: Vec<_> = all.iter().filter(|it| reaches(it)).map(|it| it.id).collect();
        near.sort_by_key(|id| format!("{id:?}"));
        expected.sort_by_key(|id| format!("{id:?}"));
        assert_eq!(near, expected);
    }
}

/// The nearest of many, planted, cleared and natural, is that of a search.
#[test]
fn the_nearest_is_that_of_a_search() {
    let mut r = Random::new(3);
    let forest = on_level_ground(&scatter(kinds()));
    let mut planted = 0;
    for round in 0..8 {
        let edits = (0..300).map(|i| match i % 10 {
            0 => {
                let radius = r.magnitude(1.0, 60.0);
                let area = Area::Disc(Disc { center: r.point(300.0), radius, falloff: 1.0 });
                let kind = if i % 20 == 0 { None } else { Some(KindId(1 + r.below(4) as u64)) };
                Clear { area, kind }.into()
            }
            _ => plant(r.point(300.0), 1 + r.below(2) as u64, 1.0),
        });
        let placement = with(&forest, edits.collect::<Vec<_>>());
        // The rarest, so that planted ones are often the nearest.
        let all = placement.in_region(square(-400.0, 400.0), |kind| kind.seed == 2).unwrap();
        assert!(all.iter().any(|tree| matches!(tree.id, InstanceId::Planted(_))));
        for _ in 0..40 {
            let center = r.point(300.0);
            let distance = |tree: &Instance| {
                let [x, z] = [0, 1].map(|k| tree.position[k] - center[k]);
                (x * x + z * z).sqrt()
            };
            let expected = all.iter().map(distance).fold(f64::MAX, f64::min);
            let found = placement.nearest(center, 90.0, |kind| kind.seed == 2).unwrap();
            assert_eq!(found.as_ref().map(distance), Some(expected), "{round}, {center:?}");
            planted += usize::from(matches!(found.unwrap().id, InstanceId::Planted(_)));
        }
    }
    assert!(planted > 20, "{planted}");
}

#[test]
fn rays_pass_where_there_is_no_ground() {
    let hole = Hole { area: Area::Disc(Disc { center: [0.0; 2], radius: 5.0, falloff: 0.01 }) };
    let forest = on_level_ground(&scatter(vec![tree()]));
    let level = |y| Ray { origin: [-50.0, y, 0.0], direction: [1.0, 0.0, 0.0], max_distance: 1e3 };
    let up = Ray { origin: [0.0, 500.0, 0.0], direction: [0.0, 1.0, 0.0], max_distance: 1e3 };
    let planted = with(&forest, [plant([0.0; 2], 1, 1.0)]);
    assert_eq!(planted.raycast(&level(14.0)).unwrap().map(|hit| hit.distance), Some(49.0));
    for edits in [[plant([0.0; 2], 1, 1.0), hole.into()], [hole.into(), plant([0.0; 2], 1, 1.0)]] {
        let in_hole = with(&forest, edits);
        for y in [6.0, 15.0, 1e6, -1e6] {
            assert_eq!(in_hole.raycast(&level(y)).unwrap(), None, "{y}");
        }
        assert_eq!(in_hole.raycast(&up).unwrap(), None);
    }
}

/// Edits may plant larger ones than grow.
#[test]
fn rays_hit_the_largest() {
    let forest = on_level_ground(&scatter(vec![tree()]));
    let placement = with(&forest, [plant([500.0, 0.0], 1, 100.0), plant([900.0, 0.0], 1, 0.1)]);
    let distance = |origin, direction| {
        let ray = Ray { origin, direction, max_distance: 2e3 };
        placement.raycast(&ray).unwrap().map(|hit| hit.distance)
    };
    for z in [0.5, 5.0, 50.0, 90.0, 99.9] {
        let side = (1e4f64 - z * z).sqrt();
        let found = distance([0.0, 20.0, z], [1.0, 0.0, 0.0]).expect("a hit");
        assert!((found - (500.0 - side)).abs() < 1e-9, "{found} at {z}");
        let found = distance([500.0, 1505.0, z], [0.0, -1.0, 0.0]).expect("a hit");
        assert!((found - 500.0).abs() < 1e-9, "{found} at {z}");
        let found = distance([500.0 + 300.0, 400.0, z], [-1.0, 0.0, 0.0]).expect("a hit");
        assert!((found - (300.0 - side)).abs() < 1e-9, "{found} at {z}");
    }
    for z in [100.1, -150.0] {
        assert_eq!(distance([0.0, 20.0, z], [1.0, 0.0, 0.0]), None);
        assert_eq!(distance([500.0, 1505.0, z], [0.0, -1.0, 0.0]), None);
    }
    // The small one behind it.
    let found = distance([700.0, 5.5, 0.0], [1.0, 0.0, 0.0]).expect("a hit");
    assert!((found - 199.9).abs() < 1e-6, "{found}");
}
