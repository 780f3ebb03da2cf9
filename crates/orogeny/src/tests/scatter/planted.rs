//! What edits have felled and planted.

use crate::Region;
use crate::edits::{Area, Clear, Disc, Edit, EditLog, Edits, Hole, Plant};
use crate::ray::Ray;
use crate::scatter::{Instance, InstanceId, KindId, Placement, Scatter, ScatterKind};
use crate::tests::edits::edited;
use crate::tests::random::Random;
use crate::tests::scatter::{kinds, on_level_ground, placed, rivers, scatter, sorted, square};

const REGION: Region = Region { min: [600.0, -400.0], max: [760.0, -240.0] };

fn all(placement: &Placement) -> Vec<crate::scatter::Instance> {
    sorted(placement.in_region(REGION, |_| true).unwrap())
}

#[test]
fn felling_one_leaves_all_others() {
    let recipe = rivers();
    let before = placed(&recipe, Edits::default());
    let standing = all(&before);
    assert!(standing.len() > 500);
    let mut log = EditLog::new();
    for (i, instance) in standing.iter().enumerate().step_by(standing.len() / 9) {
        let applied = log.add(3, instance.felling()).unwrap();
        let after = placed(&recipe, log.edits());
        let left = all(&after);
        let mut expected = standing.clone();
        expected.remove(i);
        assert_eq!(left, expected, "{instance:?}");
        // The heights are those of the ground without edits.
        let p = instance.position;
        assert_eq!(after.field().value(p), before.field().value(p));
        assert_eq!(log.edits().differences(&Edits::default()), []);
        assert!(log.edits().all_differences(&Edits::default()).iter().any(|r| r.contains(p)));
        log.undo(3, &applied).unwrap();
    }
    assert_eq!(all(&placed(&recipe, log.edits())), standing);
}

/// On a second machine, and after a restart.
#[cfg(feature = "ron")]
#[test]
fn what_is_felled_stays_felled_in_files() {
    let recipe = rivers();
    let before = placed(&recipe, Edits::default());
    let standing = all(&before);
    let mut log = EditLog::new();
    for instance in standing.iter().step_by(7) {
        log.add(1, instance.felling()).unwrap();
    }
    let read = EditLog::from_ron(&log.to_ron().unwrap()).unwrap();
    let recipe = crate::Recipe::from_ron(&recipe.to_ron().unwrap()).unwrap();
    let left = all(&placed(&recipe, read.edits()));
    let expected: Vec<_> =
        standing.iter().enumerate().filter(|(i, _)| i % 7 != 0).map(|(_, tree)| *tree).collect();
    assert_eq!(left, expected);
}

/// In files, a kind is its number.
#[cfg(feature = "serde")]
#[test]
fn kinds_are_written_as_numbers() {
    let id = InstanceId::Natural { kind: KindId(u64::MAX), cell: [-3, 4] };
    let text = r#"{"Natural":{"kind":18446744073709551615,"cell":[-3,4]}}"#;
    assert_eq!(serde_json::to_string(&id).unwrap(), text);
    assert_eq!(serde_json::from_str::<InstanceId>(text).unwrap(), id);
    let clear: Clear = serde_json::from_str(r#"{"kind":7}"#).unwrap();
    assert_eq!(clear.kind, Some(KindId(7)));
    let plant = serde_json::to_string(&Plant { kind: KindId(8), ..Plant::default() }).unwrap();
    assert!(plant.contains(r#""kind":8,"#), "{plant}");
}

#[test]
fn areas_are_cleared_and_planted_in_the_order_of_edits() {
    let recipe = rivers();
    let center = [680.0, -320.0];
    let area = Area::Disc(Disc { center, radius: 20.0, falloff: 10.0 });
    let clear = |kind| Edit::from(Clear { area, kind });
    let plant = |size| Edit::from(Plant { center, kind: KindId(2), size, turn: -90.0 });
    let found = |edits: &[Edit]| {
        let placement = placed(&recipe, edited(edits.iter().cloned()));
        // The weight is one half in the middle of the falloff.
        placement.in_circle(center, 24.9, |_| true).unwrap()
    };
    let natural = found(&[]);
    assert!(natural.len() > 200 && natural.iter().any(|instance| instance.kind == KindId(4)));
    assert_eq!(found(&[clear(None)]), []);
    let without = natural.iter().filter(|instance| instance.kind != KindId(4)).copied();
    assert_eq!(found(&[clear(Some(KindId(4)))]), without.collect::<Vec<_>>());
    let planted = found(&[clear(None), plant(2.0)]);
    let [tree] = planted[..] else { panic!("{planted:?}") };
    assert_eq!((tree.position, tree.kind, tree.size, tree.turn), (center, KindId(2), 2.0, 0.75));
    assert!(matches!(tree.id, InstanceId::Planted(id) if id.author == 1));
    assert_eq!(found(&[plant(1.0), clear(None)]), []);
    assert_eq!(
        found(&[plant(1.0), clear(Some(KindId(4)))]).len(),
        natural.len() + 1 - {
            natural.iter().filter(|instance| instance.kind == KindId(4)).count()
        }
    );
    // Kinds that do not exist are not planted.
    assert_eq!(
        found(&[clear(None), Plant { center, kind: KindId(77), ..Plant::default() }.into()]),
        []
    );
}

/// A planted rock may be wider than all that grows. Where it is planted, felled or forgotten, its
/// whole cylinder differs.
#[test]
fn wide_things_differ_as_a_whole() {
    let rock = ScatterKind { solid_radius: 6.0, solid_height: 4.0, ..kinds()[1].clone() };
    let bush = ScatterKind { seed: 77, ..rock.clone() };
    let bush = ScatterKind { solid_radius: 0.0, ..bush };
    let [solid, soft] = [rock.id(), bush.id()];
    let bare = on_level_ground(&Scatter { density: 0.0, ..scatter(vec![rock, bush]) });
    let center = [680.0, -320.0];
    let plant = |kind, size| Plant { center, kind, size, turn: 0.0 };
    // The distances, along x, at which the regions end and at which something is solid.
    let differing = |a: &Placement, b: &Placement| {
        let ends = a.differences(b.ground().edits());
        ends.into_iter().map(|region| region.max[0] - center[0]).fold(0.0, f64::max)
    };
    let reach = |kind, size| {
        let mut log = EditLog::new();
        log.add(1, plant(kind, size)).unwrap();
        let with = bare.with_edits(log.edits());
        let planted = with.in_circle(center, 1.0, |_| true).unwrap();
        log.add(1, planted[0].felling()).unwrap();
        let felled = bare.with_edits(log.edits());
        let pairs = [(&with, &bare), (&bare, &with), (&with, &felled), (&felled, &with)];
        let found = pairs.map(|(a, b)| differing(a, b));
        let is_solid = |x: f64| {
            let (mut count, p) = (0, [center[0] + x, center[1]]);
            with.each_solid_near(p, 0.0, |_| count += 1).unwrap();
            count > 0
        };
        let solid = (0..=700).map(f64::from).filter(|x| is_solid(*x)).fold(0.0, f64::max);
        for reach in found {
            assert!(reach >= solid, "the regions end at {reach} m, the solid at {solid} m");
        }
        (found[0], solid)
    };
    assert_eq!(reach(solid, 8.0), (48.0, 48.0));
    assert_eq!(reach(solid, 100.0), (600.0, 600.0));
    // Small ones, and those that are not solid, lie within the margins of what grows.
    assert!(reach(solid, 1.0).0 < 40.0);
    assert!(reach(soft, 100.0).0 < 40.0);
}

#[test]
fn faults_are_named() {
    let fault = |edit: Edit| edit.check().unwrap_err().to_string();
    let plant = Plant { size: 0.0, ..Plant::default() };
    assert_eq!(fault(plant.into()), "Plant.size: size is 0, but must be between 0.01 and 100");
    let far = Plant { center: [0.0, f64::NAN], ..Plant::default() };
    assert!(fault(far.into()).starts_with("Plant.center[1]: "));
    let mut recipe = rivers();
    recipe.scatter.kinds[2].radius = f64::NAN;
    assert_eq!(recipe.build().unwrap_err().path, "scatter.kinds[2].radius");
    recipe.scatter.kinds[2].radius = 1.0;
    recipe.scatter.kinds[3].size_max = 0.1;
    assert_eq!(recipe.build().unwrap_err().path, "scatter.kinds[3].size_max");
    recipe.scatter = scatter(vec![Default::default(); 33]);
    assert_eq!(recipe.build().unwrap_err().path, "scatter.kinds");
    recipe.scatter = crate::scatter::Scatter { density: 2.0, ..scatter(Vec::new()) };
    assert_eq!(recipe.build().unwrap_err().path, "scatter.density");
    assert!(on_level_ground(&scatter(Vec::new())).in_region(REGION, |_| true).unwrap().is_empty());
}

/// The same scatter on level ground with these edits.
fn with(placement: &Placement, edits: impl IntoIterator<Item = Edit>) -> Placement {
    placement.with_edits(edited(edits))
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
