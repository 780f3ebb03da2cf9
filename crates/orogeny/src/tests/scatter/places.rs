//! Where instances are: how many, on which ground, and how far from water.

use crate::cover::{CoverKind, CoverPoint};
use crate::drainage::Drainage;
use crate::edits::{Area, Clear, Disc, Edit, Edits, Flatten, Flood, Path};
use crate::limits::POSITION;
use crate::scatter::{Instance, KindId, Placement, Scatter, ScatterKind};
use crate::tests::edits::edited;
use crate::tests::scatter::{
    distance, kinds, on, on_level_ground, placed, rivers, scatter, sorted, square,
};
use crate::{Band, Field, Node, Region};

fn one(kind: ScatterKind) -> Scatter {
    scatter(vec![ScatterKind { seed: 1, ..kind }])
}

fn meadow() -> ScatterKind {
    ScatterKind { radius: 2.0, grass: 1.0, ..ScatterKind::default() }
}

/// The instances in 400 m x 400 m for each square of the radius.
fn share(kind: ScatterKind) -> f64 {
    let radius = kind.radius;
    let found = on_level_ground(&one(kind)).in_region(square(0.0, 400.0), |_| true).unwrap();
    found.len() as f64 * radius * radius / 160_000.0
}

/// With cells as wide as the radius, the density of the second process of Matérn is near
/// (1 - exp(-pi)) / pi = 0.305 for independent candidates; one for each cell are more even.
#[test]
fn densities_multiply_a_known_share() {
    let full = share(meadow());
    assert!((0.33..0.38).contains(&full), "{full}");
    for density in [0.5, 0.1, 0.0] {
        let part = share(ScatterKind { density, ..meadow() }) / full;
        assert!((part - f64::from(density)).abs() < 0.02, "{density}: {part}");
    }
    for coverage in [0.25, 0.5, 0.75] {
        let part = share(ScatterKind { coverage, cluster_size: 12.0, ..meadow() }) / full;
        assert!((part - f64::from(coverage)).abs() < 0.12, "{coverage}: {part}");
    }
    let none = Scatter { density: 0.0, ..scatter(kinds()) };
    assert!(on_level_ground(&none).in_region(square(0.0, 99.0), |_| true).unwrap().is_empty());
}

/// The density at a place is the probability that its candidate may stay, as far as there is room.
#[test]
fn densities_are_those_of_the_ground() {
    let disc = |center, radius| Area::Disc(Disc { center, radius, falloff: 1.0 });
    let flat = Flatten { area: disc([100.0, 100.0], 20.0), height: 5.0, ..Flatten::default() };
    let clear = Clear { area: disc([200.0, 100.0], 20.0), kind: Some(KindId(1)) };
    let kind = |seed, density| ScatterKind { seed, density, ..meadow() };
    let placement = on_level_ground(&scatter(vec![kind(1, 0.6), kind(2, 0.2)]));
    let placement = placement.with_edits(edited::<Edit>([flat.into(), clear.into()]));
    let places = [[0.5, 3.25], [100.0, 105.0], [205.0, 100.0], [150.0, 100.0]];
    assert_eq!(placement.densities(KindId(1), &places).unwrap(), [0.6, 0.0, 0.0, 0.6]);
    assert_eq!(placement.densities(KindId(2), &places).unwrap(), [0.2, 0.0, 0.2, 0.2]);
    assert_eq!(placement.densities(KindId(3), &places).unwrap(), [0.0; 4]);
    assert!(placement.densities(KindId(1), &[]).unwrap().is_empty());
    // Each place for itself, however far they are from each other.
    let far = [[0.0, 0.0], [1e5, 1e5], [-1e14, 1e14]];
    assert_eq!(placement.densities(KindId(1), &far).unwrap(), [0.6; 3]);
    for outside in [[f64::NAN, 0.0], [1e16, 0.0]] {
        let error = placement.densities(KindId(1), &[[0.0; 2], outside]).unwrap_err();
        assert_eq!(error.limit, POSITION);
    }

    // Nothing stands where it is 0, and something where it is high.
    let placement = placed(&rivers(), Default::default());
    let trees = placement.in_region(square(-400.0, 400.0), |kind| kind.seed == 1).unwrap();
    let places: Vec<_> = trees.iter().map(|tree| tree.position).collect();
    assert!(trees.len() > 100);
    assert!(
        placement.densities(KindId(1), &places).unwrap().into_iter().all(|density| density > 0.0)
    );
    let at = |i| [i % 200, i / 200].map(|k| f64::from(k) * 4.0 - 398.0);
    let densities =
        placement.densities(KindId(1), &(0..40_000).map(at).collect::<Vec<_>>()).unwrap();
    let mean = densities.iter().sum::<f32>() / densities.len() as f32;
    let share = trees.len() as f32 * 9.0 / 640_000.0 / mean;
    assert!((0.3..0.45).contains(&share), "{share} of a mean density of {mean}");
}

/// All with a rank below t are a fraction t, and as far from each other as that many can be.
#[test]
fn ranks_thin_evenly() {
    let placement = on_level_ground(&one(meadow()));
    let all = placement.in_region(square(0.0, 400.0), |_| true).unwrap();
    for part in [0.1, 0.25, 0.5] {
        let kept: Vec<&Instance> = all.iter().filter(|tree| tree.rank < part).collect();
        let share = kept.len() as f32 / all.len() as f32;
        assert!((share - part).abs() < 0.02, "{share}");
        // In each of 16 squares about as many.
        for square in 0..16 {
            let [x, z] = [square % 4, square / 4].map(|i| f64::from(i) * 100.0);
            let is_in =
                |p: [f64; 2]| p[0] >= x && p[0] < x + 100.0 && p[1] >= z && p[1] < z + 100.0;
            let here = kept.iter().filter(|tree| is_in(tree.position)).count() as f32;
            let expected = part * all.len() as f32 / 16.0;
            assert!((here - expected).abs() < 5.0 * expected.sqrt(), "{here} of {expected}");
        }
    }
    // Asking only for those of some ranks finds the same ones.
    for (kinds, ranks) in [(scatter(kinds()), 0.0..0.2), (rivers().scatter, 0.4..0.7)] {
        let placement = on_level_ground(&kinds);
        let region = Region { min: [-130.0, 40.0], max: [70.0, 290.0] };
        let is_wanted = |kind: &ScatterKind| kind.seed != 2;
        let mut few = Vec::new();
        let add = |instance| few.push(instance);
        placement.each_in_region(region, ranks.clone(), is_wanted, add).unwrap();
        let mut all = placement.in_region(region, is_wanted).unwrap();
        all.retain(|instance| ranks.contains(&instance.rank));
        assert!(few.len() > 100 && sorted(few) == sorted(all));
    }
    let turns = all.iter().map(|tree| tree.turn);
    assert!((turns.sum::<f32>() / all.len() as f32 - 0.5).abs() < 0.02);
    let kind = placement.kinds().next().unwrap();
    assert!(all.iter().all(|tree| {
        let [x, z] = tree.lean;
        (kind.size_min..=kind.size_max).contains(&tree.size) && x.abs() + z.abs() <= kind.lean
    }));
}

#[test]
fn bands_limit_height_and_slope() {
    let field = Node::<2>::noise(4).fbm(2).frequency(1.0 / 400.0).amplitude(120.0).build().unwrap();
    let kind = ScatterKind {
        height: ScatterKind::HEIGHT.below(20.0).soft(10.0),
        slope: ScatterKind::SLOPE.below(0.3).soft(0.1),
        ..meadow()
    };
    let placement = on(&one(kind), field.clone());
    let found = placement.in_region(square(0.0, 900.0), |_| true).unwrap();
    assert!(found.len() > 5000, "{}", found.len());
    for tree in &found {
        let ground = field.sample(tree.position);
        let [x, z] = ground.gradient;
        // Between lattice points, both are interpolated.
        assert!(ground.value < 26.0, "{tree:?}: {ground:?}");
        assert!((x * x + z * z).sqrt() < 0.37, "{tree:?}: {ground:?}");
        assert_eq!(placement.standing(tree), ground);
    }
}

#[test]
fn instances_stand_on_their_cover_and_not_in_water() {
    let mut recipe = rivers();
    let grass = |kind: &mut ScatterKind| (kind.grass, kind.forest) = (0.0, 1.0);
    grass(&mut recipe.scatter.kinds[0]);
    let placement = placed(&recipe, Edits::new());
    let landscape = recipe.build().unwrap();
    let smooth = landscape.band_limited(CoverPoint::SCALE).unwrap();
    let (mut forest, mut count, mut wet) = (0.0, 0.0f64, 0);
    for i in 0..12 {
        let min = [f64::from(i) * 917.0 - 5e3, f64::from(i * i) * 211.0 - 9e3];
        let region = Region { min, max: min.map(|x| x + 200.0) };
        for instance in placement.in_region(region, |kind| kind.radius > 1.0).unwrap() {
            let p = instance.position;
            assert!(landscape.water(p).is_none(), "{instance:?} in {:?}", landscape.water(p));
            let near = landscape.rivers().unwrap().bank_distance(p);
            assert!(near >= 0.5, "{instance:?} is {near} m from a river");
            wet += usize::from(near < 20.0);
            if instance.kind == KindId(1) {
                let sample = smooth.sample(p);
                let [x, z] = sample.gradient;
                let curvature = CoverPoint::curvature_of(&*smooth, p, CoverPoint::SCALE);
                let slope = (x * x + z * z).sqrt();
                let climate = placement.climate(p);
                let point =
                    CoverPoint { height: sample.value, slope, curvature, position: p, climate };
                let layers = recipe.cover.layers.iter().zip(recipe.cover.weights(&point));
                let of = layers.filter(|(layer, _)| layer.kind == CoverKind::Forest);
                forest += f64::from(of.map(|(_, weight)| weight).sum::<f32>());
                count += 1.0;
            }
        }
    }
    assert!(count > 500.0 && wet > 20, "{count} trees, {wet} instances near rivers");
    // Patches have soft edges, and the lattice smooths them.
    assert!(forest / count > 0.7, "{}", forest / count);
}

/// Everything within a square around the origin, with these edits.
fn with(placement: &Placement, edits: Edits) -> Vec<Instance> {
    let after = placement.with_edits(edits);
    after.in_region(square(-60.0, 60.0), |_| true).unwrap()
}

#[test]
fn roads_pads_and_floods_are_kept_clear() {
    let placement = on_level_ground(&scatter(kinds()));
    let before = placement.in_region(square(-60.0, 60.0), |_| true).unwrap();
    let disc = Area::Disc(Disc { center: [30.0, 30.0], radius: 10.0, falloff: 4.0 });
    let road = Path {
        points: vec![[-60.0, -20.0, 5.0], [60.0, -20.0, 5.0]],
        width: 6.0,
        falloff: 2.0,
        ..Path::default()
    };
    let is_on_pad = |p: [f64; 2]| distance(p, [30.0; 2]) < 10.0;
    let is_on_road = |p: [f64; 2]| (p[1] + 20.0).abs() < 3.0;
    let pad = Flatten { area: disc, height: 5.0, ..Flatten::default() };
    let edits = edited::<Edit>([pad.into(), road.into()]);
    let after = with(&placement, edits.clone());
    let count = |list: &[Instance], f: &dyn Fn([f64; 2]) -> bool| {
        list.iter().filter(|instance| f(instance.position)).count()
    };
    assert!(count(&before, &is_on_pad) > 100 && count(&before, &is_on_road) > 200);
    assert_eq!([count(&after, &is_on_pad), count(&after, &is_on_road)], [0, 0]);
    // Elsewhere nothing changes.
    let changed = placement.with_edits(edits).differences(&Default::default());
    let is_far = |p: [f64; 2]| !changed.iter().any(|region| region.contains(p));
    assert!(count(&before, &is_far) > 1000);
    assert_eq!(count(&before, &is_far), count(&after, &is_far));

    let after = with(&placement, edited([Flood { area: disc, level: 6.0 }]));
    assert_eq!(count(&after, &is_on_pad), 0);
    assert_eq!(count(&before, &is_far), count(&after, &is_far));
}

/// Kinds that need water stand in floods as in a sea.
#[test]
fn reeds_grow_in_floods() {
    let area = Area::Disc(Disc { center: [30.0, 30.0], radius: 10.0, falloff: 4.0 });
    let reeds = |depth| one(ScatterKind { depth, ..meadow() });
    let flooded = edited([Flood { area, level: 6.0 }]);
    for (min, grows) in [(0.5, true), (1.5, false)] {
        let placement = on_level_ground(&reeds(Band { min, max: 2.0, soft: 0.0 }));
        assert!(placement.in_region(square(-60.0, 60.0), |_| true).unwrap().is_empty());
        let after = with(&placement, flooded.clone());
        assert_eq!(after.len() > 20, grows, "{}", after.len());
        assert!(after.iter().all(|instance| distance(instance.position, [30.0; 2]) < 14.0));
    }
}

/// Once all ground counted as a kilometre from water at most.
#[test]
fn distances_from_banks_are_kept_beyond_a_kilometre() {
    let mut recipe = rivers();
    recipe.rivers = Some(Drainage { spacing: 6400.0, levels: 2.0, ..Drainage::default() });
    let kind = ScatterKind {
        radius: 100.0,
        depth: ScatterKind::DEPTH.below(1e6),
        bank: ScatterKind::BANK.below(1100.0),
        ..meadow()
    };
    let cover = ScatterKind { forest: 1.0, rock: 1.0, sand: 1.0, snow: 1.0, ..kind.clone() };
    recipe.scatter = one(cover);
    let placement = placed(&recipe, Default::default());
    let all = placement.in_region(square(-8e3, 8e3), |_| true).unwrap();
    let landscape = recipe.build().unwrap();
    let rivers = landscape.rivers().unwrap();
    let distance = |instance: &Instance| rivers.bank_distance(instance.position);
    let farthest = all.iter().map(distance).fold(0.0, f64::max);
    println!("{} of them, up to {farthest} m from water", all.len());
    assert!(farthest > 1020.0 && farthest <= 1100.0, "{farthest}");
}
