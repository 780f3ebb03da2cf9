//! What grows beside holes, walls and shores: decided at its own place.

use crate::cover::CoverPoint;
use crate::edits::{Area, Disc, Hole, Raise, Rectangle};
use crate::scatter::{Instance, KindId, Placement, ScatterKind};
use crate::tests::edits::edited;
use crate::tests::scatter::{
    distance, grassland, on, on_level_ground, scatter, sorted, square, standing_on,
};
use crate::{Appearance, Field, Node, Tree};

fn meadow() -> ScatterKind {
    let slope = ScatterKind { slope: ScatterKind::SLOPE.below(1000.0), ..ScatterKind::default() };
    ScatterKind { seed: 1, radius: 0.5, grass: 1.0, ..slope }
}

fn hills() -> Tree<2> {
    let noise = Node::<2>::noise(4).fbm(6).frequency(1.0 / 300.0).amplitude(60.0);
    noise.build().unwrap()
}

fn hole(center: [f64; 2], radius: f64) -> Hole {
    Hole { area: Area::Disc(Disc { center, radius, falloff: 0.01 }) }
}

fn slope(field: &(dyn Field<2> + Send + Sync), p: [f64; 2]) -> f32 {
    let [x, z] = field.sample(p).gradient;
    (x * x + z * z).sqrt()
}

#[test]
fn holes_leave_their_surroundings_as_they_are() {
    let mut choosy = meadow();
    (choosy.curvature.min, choosy.curvature.soft) = (-0.01, 0.02);
    choosy.slope.max = 0.4;
    (choosy.temperature.min, choosy.temperature.soft) = (9.8, 0.5);
    for kind in [meadow(), ScatterKind { disturbed: 1.0, ..meadow() }, choosy] {
        let placement = on(&scatter(vec![kind]), hills());
        // A large one, a small one, and a narrow bridge between two.
        let discs =
            [([0.0, 0.0], 20.0), ([60.0, 7.0], 1.5), ([30.0, 60.0], 9.0), ([50.0, 60.0], 9.0)];
        let holes = discs.map(|(center, radius)| hole(center, radius));
        let after = placement.with_edits(edited(holes));
        let outside = |p: [f64; 2], by: f64| {
            discs.iter().all(|&(center, radius)| distance(p, center) > radius + by)
        };
        // Where a hole falls off there may be things or not.
        let is_solid = |p| outside(p, 0.01);
        let all = |placement: &Placement| {
            sorted(placement.in_region(square(-60.0, 100.0), |_| true).unwrap())
        };
        let (before, found) = (all(&placement), all(&after));
        let expected: Vec<_> = before.iter().filter(|tree| is_solid(tree.position)).collect();
        assert!(expected.len() > 1000 && expected.len() + 300 < before.len(), "{}", before.len());
        assert!(found.iter().all(|tree| outside(tree.position, 0.0)));
        let found: Vec<_> = found.iter().filter(|tree| is_solid(tree.position)).collect();
        assert_eq!(found.len(), expected.len());
        assert!(found == expected);
        let places: Vec<_> =
            (0..6400).map(|i| [i % 80, i / 80].map(|k| f64::from(k) * 2.01 - 60.0)).collect();
        let densities =
            [&placement, &after].map(|placement| placement.densities(KindId(1), &places).unwrap());
        for (i, &p) in places.iter().enumerate() {
            let expected = if is_solid(p) { densities[0][i] } else { 0.0 };
            assert_eq!(densities[1][i], expected, "{p:?}");
        }
    }
}

/// Where a field itself ends, the slopes of one side tell its curvature.
#[test]
fn ends_of_the_ground_are_not_bald() {
    /// Level ground on one side.
    struct Half;
    impl Field<2> for Half {
        fn sample(&self, [x, _]: [f64; 2]) -> crate::Sample<2> {
            let level = crate::Sample { value: 5.0, ..Default::default() };
            if x < 0.3 { level } else { crate::Sample::OUTSIDE }
        }
    }
    let placement = on(&scatter(vec![meadow()]), Half);
    let at = |x| placement.densities(KindId(1), &[[x, 3.0]]).unwrap()[0];
    assert_eq!([at(-9.0), at(-5.0), at(-0.1)], [1.0; 3]);
    assert_eq!([at(0.4), at(2.0), at(90.0)], [0.0; 3]);
    assert_eq!(CoverPoint::curvature_of(&Half, [0.0, 0.0], 8.0), 0.0);
    assert!(CoverPoint::curvature_of(&Half, [1.0, 0.0], 8.0).is_nan());
}

/// Walls are narrower than the cells of the lattice.
#[test]
fn nothing_stands_on_steeper_ground_than_its_limit() {
    let kind =
        ScatterKind { slope: ScatterKind::SLOPE.below(1.1).soft(0.6), disturbed: 1.0, ..meadow() };
    for width in [1.0, 8.0] {
        let rectangle =
            Rectangle { length: 200.0, width, angle: 20.0, falloff: 1.0, ..Rectangle::default() };
        let wall = Raise { area: Area::Rectangle(rectangle), height: 8.0 };
        let placement = on_level_ground(&scatter(vec![kind.clone()]));
        let after = placement.with_edits(edited([wall]));
        let all =
            |placement: &Placement| placement.in_region(square(-50.0, 50.0), |_| true).unwrap();
        let field = after.field();
        let steep = |tree: &&Instance| slope(field, tree.position) >= 1.4;
        assert!(all(&placement).iter().filter(steep).count() > 150);
        assert_eq!(all(&after).iter().filter(steep).count(), 0);
        assert!(all(&after).len() + 2000 > all(&placement).len());
    }
}

/// Ground that is rough between the points of the lattice.
#[test]
fn limits_hold_on_rough_ground() {
    let rough = Node::<2>::noise(4).fbm(4).frequency(1.0 / 40.0).amplitude(3.0);
    let rough = (rough + 0.3).build().unwrap();
    let smooth = rough.band_limited(CoverPoint::SCALE).unwrap();
    let kind = ScatterKind {
        depth: ScatterKind::DEPTH.below(-0.3),
        height: ScatterKind::HEIGHT.below(1.5).soft(0.4),
        ..meadow()
    };
    let kinds = vec![
        ScatterKind { curvature: ScatterKind::CURVATURE.above(0.001).soft(0.0), ..kind.clone() },
        ScatterKind { seed: 2, radius: 0.4, ..kind.clone() },
        ScatterKind {
            seed: 3,
            radius: 0.4,
            depth: ScatterKind::DEPTH.above(0.1).below(0.5),
            ..kind
        },
    ];
    let (scatter, sea_level) = (scatter(kinds), Some(0.0));
    let placement = standing_on(rough.clone(), Appearance { scatter, sea_level, ..grassland() });
    let found = placement.in_region(square(0.0, 64.0), |_| true).unwrap();
    let mut counts = [0; 3];
    for tree in &found {
        let p = tree.position;
        let height = rough.value(p);
        counts[tree.kind.0 as usize - 1] += 1;
        assert!(height < 1.7001, "{height}");
        match tree.kind.0 {
            3 => assert!((-0.5..=-0.1).contains(&height), "{height}"),
            _ => assert!(height >= 0.3, "{height}"),
        }
        if tree.kind == KindId(1) {
            assert!(CoverPoint::curvature_of(&*smooth, p, CoverPoint::SCALE) > 0.000_999);
        }
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}
