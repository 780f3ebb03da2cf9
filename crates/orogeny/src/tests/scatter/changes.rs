//! Edits that fell and plant.

use crate::Region;
use crate::edits::{Area, Clear, Disc, Edit, EditLog, Edits, Plant};
use crate::scatter::{InstanceId, KindId, Placement, Scatter, ScatterKind};
use crate::tests::scatter::{kinds, on_level_ground, placed, rivers, scatter, sorted};

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
        let mut log = EditLog::new();
        edits.iter().for_each(|edit| drop(log.add(1, edit.clone()).unwrap()));
        let placement = placed(&recipe, log.edits());
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
