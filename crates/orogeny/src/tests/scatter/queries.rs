//! Queries: against a search over all instances, of any size, and on ground evaluated before.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::limits::{
    Limit, POSITION, RAY_DIRECTION, RAY_DISTANCE, SCATTER_PLACES, SCATTER_PLACES_TOGETHER,
};
use crate::ray::Ray;
use crate::scatter::{Instance, Placement, ScatterKind};
use crate::tests::random::Random;
use crate::tests::scatter::{distance, kinds, on, on_level_ground, scatter, square};
use crate::{Field, Grid, Node, Region, Sample, Samples};

fn hills() -> crate::Tree<2> {
    Node::<2>::noise(4).fbm(3).frequency(1.0 / 200.0).amplitude(20.0).build().unwrap()
}

fn forest() -> Placement {
    let mut kinds = kinds();
    (kinds[0].solid_radius, kinds[0].solid_height) = (0.3, 9.0);
    (kinds[1].solid_radius, kinds[1].solid_height) = (1.5, 1.0);
    on(&scatter(kinds), hills())
}

#[test]
fn circles_and_the_nearest_match_a_search() {
    let forest = forest();
    let mut r = Random::new(5);
    let all = forest.in_region(square(-200.0, 200.0), |kind| kind.radius > 1.0).unwrap();
    for _ in 0..40 {
        let center = r.point(120.0);
        let radius = r.magnitude(0.5, 60.0);
        let is_near = |tree: &&Instance| distance(center, tree.position) <= radius;
        let mut near: Vec<Instance> = all.iter().filter(is_near).copied().collect();
        near.sort_by_key(|tree| tree.id);
        let mut found = forest.in_circle(center, radius, |kind| kind.radius > 1.0).unwrap();
        found.sort_by_key(|tree| tree.id);
        assert_eq!(found, near);
        let nearest = near.iter().map(|tree| distance(center, tree.position)).reduce(f64::min);
        let found = forest.nearest(center, radius, |kind| kind.radius > 1.0).unwrap();
        assert_eq!(found.map(|tree| distance(center, tree.position)), nearest);
    }
}

/// Whether a point is in the cylinder of a tree.
fn is_in(forest: &Placement, tree: &Instance, [x, y, z]: [f64; 3]) -> bool {
    let (kind, size) = (forest.kind(tree.kind).unwrap(), f64::from(tree.size));
    let ground = f64::from(hills().value(tree.position));
    let (radius, height) = (f64::from(kind.solid_radius), f64::from(kind.solid_height));
    distance([x, z], tree.position) <= radius * size
        && (ground..=ground + height * size).contains(&y)
}

/// Rays march in steps of a centimetre.
#[test]
fn rays_hit_the_first_cylinder() {
    let forest = forest();
    let mut r = Random::new(6);
    let trees = forest.in_region(square(-110.0, 110.0), |kind| kind.solid_radius > 0.0).unwrap();
    let mut hits = 0;
    for i in 0..60 {
        let [x, z] = r.point(20.0);
        let origin = [x, f64::from(hills().value([x, z])) + r.within(0.2, 12.0), z];
        let steep = if i % 4 == 0 { 1.0 } else { 0.1 };
        let direction = [r.within(-1.0, 1.0), r.within(-steep, steep), r.within(-1.0, 1.0)];
        let length = direction.iter().map(|d| d * d).sum::<f64>().sqrt();
        let at = |t: f64| [0, 1, 2].map(|k| origin[k] + t / length * direction[k]);
        let marched = (0..8000).map(|i| f64::from(i) * 0.01).find(|&t| {
            let p = at(t);
            trees
                .iter()
                .any(|tree| distance([p[0], p[2]], tree.position) < 4.0 && is_in(&forest, tree, p))
        });
        let found = forest.raycast(&Ray { origin, direction, max_distance: 80.0 }).unwrap();
        match (marched, found) {
            (Some(t), Some(hit)) => {
                hits += 1;
                assert!(hit.distance <= t && hit.distance > t - 0.0101, "{t}: {hit:?}");
                let [x, _, z] = hit.position;
                let kind = forest.kind(hit.instance.kind).unwrap();
                let size = f64::from(kind.solid_radius * hit.instance.size);
                assert!(distance([x, z], hit.instance.position) < size + 1e-6);
            }
            // Steps may miss the edge of a cylinder.
            (None, Some(hit)) => {
                let inside = (1..50).map(|k| at(hit.distance + f64::from(k) * 4e-4));
                assert!(inside.filter(|&p| is_in(&forest, &hit.instance, p)).count() < 26);
            }
            (None, None) => {}
            (Some(t), None) => panic!("missed a tree at {t} m"),
        }
    }
    assert!(hits > 20, "{hits}");
}

fn ray() -> Ray {
    Ray { origin: [0.0; 3], direction: [1.0, 0.0, 0.0], max_distance: 1e3 }
}

#[test]
fn rays_that_make_no_sense_are_refused() {
    let forest = forest();
    for direction in [[0.0; 3], [f64::NAN, 0.0, 1.0], [f64::INFINITY, 0.0, 0.0]] {
        let error = forest.raycast(&Ray { direction, ..ray() }).unwrap_err();
        assert_eq!(error.limit, RAY_DIRECTION);
    }
    for max_distance in [-1.0, f64::NAN] {
        let error = forest.raycast(&Ray { max_distance, ..ray() }).unwrap_err();
        assert_eq!(error.limit, RAY_DISTANCE);
    }
    let error = forest.raycast(&Ray { origin: [0.0, 5.0, 2e15], ..ray() }).unwrap_err();
    assert_eq!(error.limit, POSITION);
}

const HUGE: [f64; 4] = [1e5, 1e6, 1e9, 9e14];

/// The number of instances in a square around the origin, or the limit that it exceeds.
fn count(placement: &Placement, half: f64) -> Result<usize, Limit> {
    let mut count = 0;
    let done = placement.each_in_region(square(-half, half), 0.0..1.0, |_| true, |_| count += 1);
    done.map(|()| count).map_err(|error| error.limit)
}

fn count_in_circle(placement: &Placement, radius: f64) -> Result<usize, Limit> {
    let found = placement.in_circle([7.0; 2], radius, |_| true);
    found.map(|found| found.len()).map_err(|error| error.limit)
}

/// Before they allocate: some would take terabytes.
#[test]
fn too_large_regions_are_refused() {
    let meadow = ScatterKind { seed: 1, radius: 2.0, grass: 1.0, ..ScatterKind::default() };
    let fine = ScatterKind { radius: 0.05, ..meadow.clone() };
    for placement in [on_level_ground(&scatter(vec![meadow])), on_level_ground(&scatter(kinds()))] {
        for half in HUGE {
            assert_eq!(count(&placement, half), Err(SCATTER_PLACES), "{half}");
            assert_eq!(count_in_circle(&placement, half), Err(SCATTER_PLACES), "{half}");
            // The nearest one is near.
            assert!(placement.nearest([7.0; 2], half, |_| true).unwrap().is_some());
        }
    }
    let fine = on_level_ground(&scatter(vec![fine]));
    assert_eq!(count(&fine, 500.0), Err(SCATTER_PLACES));
    let error = fine.in_region(square(-500.0, 500.0), |_| true).unwrap_err().to_string();
    let expected = "the number of places counted so far is 6.";
    assert!(error.starts_with(expected) && error.ends_with("between 0 and 6.7108864e7"), "{error}");
}

/// Where bounds show that nothing grows, regions may have any size.
#[test]
fn bare_ground_is_passed_over() {
    let kind = |seed| ScatterKind { seed, radius: 2.0, grass: 1.0, ..ScatterKind::default() };
    let none = vec![
        ScatterKind { grass: 0.0, forest: 1.0, rock: 1.0, ..kind(1) },
        ScatterKind { height: ScatterKind::HEIGHT.above(200.0), ..kind(2) },
        ScatterKind { height: ScatterKind::HEIGHT.below(-200.0), ..kind(3) },
        ScatterKind { slope: ScatterKind::SLOPE.above(9.0).below(20.0), ..kind(4) },
        ScatterKind { temperature: ScatterKind::TEMPERATURE.below(-30.0), ..kind(5) },
        ScatterKind { moisture: ScatterKind::MOISTURE.above(0.9), ..kind(6) },
        ScatterKind { depth: ScatterKind::DEPTH.above(-5.0).below(5.0), ..kind(7) },
        ScatterKind { edit: ScatterKind::EDIT.below(20.0), ..kind(8) },
        ScatterKind { density: 0.0, ..kind(9) },
        ScatterKind { coverage: 0.0, ..kind(10) },
    ];
    let noise = Node::<2>::noise(4).fbm(3).frequency(1.0 / 300.0).amplitude(60.0);
    let placement = on(&scatter(none), noise.build().unwrap());
    for half in HUGE {
        assert_eq!(count(&placement, half), Ok(0));
        assert_eq!(count_in_circle(&placement, half), Ok(0));
        assert_eq!(placement.nearest([7.0; 2], half, |_| true), Ok(None));
    }
}

/// Ground that bounds cannot tell from suited ground is looked at square by square: once for hours.
#[test]
fn nearly_suited_ground_has_an_end() {
    let noise = Node::<2>::noise(4).fbm(3).frequency(1.0 / 300.0).amplitude(60.0);
    let field = noise.build().unwrap();
    let height = ScatterKind::HEIGHT.above(0.3 * field.bounds().max as f32);
    let lone = ScatterKind { radius: 30.0, density: 1e-6, height, ..ScatterKind::default() };
    let placement = on(&scatter(vec![ScatterKind { grass: 1.0, ..lone }]), field);
    for half in [1e6, 1e9] {
        assert_eq!(count(&placement, half), Err(SCATTER_PLACES));
        assert_eq!(count_in_circle(&placement, half), Err(SCATTER_PLACES));
    }
}

/// What may displace an instance is placed around it. Once it took gigabytes.
#[test]
fn many_wide_kinds_are_too_large() {
    let wide = |seed| ScatterKind { seed, radius: 1000.0, grass: 1.0, ..ScatterKind::default() };
    let [few, many] =
        [1, 12].map(|count| on_level_ground(&scatter((0..count).map(wide).collect())));
    assert!(count(&few, 2000.0).unwrap() > 3);
    assert_eq!(count(&many, 5.0), Err(SCATTER_PLACES_TOGETHER));
}

/// Hills that count the grids that somebody asks for.
struct Counted(crate::Tree<2>, Arc<AtomicUsize>);

impl Field<2> for Counted {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        self.0.sample(p)
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.sample_grid(grid, out);
    }
}

#[test]
fn each_step_looks_at_one_square_and_a_query_at_none() {
    let hills = || Node::<2>::noise(4).fbm(3).frequency(0.005).amplitude(20.0).build().unwrap();
    let grids = Arc::new(AtomicUsize::new(0));
    let count = || grids.swap(0, Ordering::Relaxed);
    let cold = on(&scatter(kinds()), Counted(hills(), grids.clone()));
    let warm = on(&scatter(kinds()), Counted(hills(), grids.clone()));
    for region in [square(-40.0, 40.0), square(1e9, 1e9 + 100.0), square(300.0, 500.0)] {
        let expected = cold.in_region(region, |_| true).unwrap();
        let blocks = count();
        let steps = warm.warm_up(region, |_| true).unwrap().inspect(|()| assert!(count() <= 1));
        assert_eq!((steps.count(), expected.is_empty()), (blocks, false));
        assert_eq!(warm.in_region(region, |_| true).unwrap(), expected);
        assert_eq!(count(), 0, "{region:?}");
        // Again, there is nothing left to do.
        warm.warm_up(region, |_| true).unwrap().for_each(|()| assert_eq!(count(), 0));
    }
}

#[test]
fn no_region_takes_long() {
    let placement = on(&scatter(kinds()), Node::<2>::Constant(5.0).build().unwrap());
    let steps = |region| Some(placement.warm_up(region, |_| true).ok()?.count());
    let infinite = square(f64::NEG_INFINITY, f64::INFINITY);
    for region in [square(3.0, 2.0), square(0.0, 9e14), infinite, Region::EMPTY] {
        assert_eq!(steps(region), Some(0), "{region:?}");
    }
    let last = Region { min: [POSITION.max - 10.0; 2], max: [f64::INFINITY; 2] };
    assert!(steps(last).is_some_and(|count| count <= 16));
    assert_eq!(steps(square(f64::NAN, 0.0)), None);
    assert_eq!(steps(square(2e15, 3e15)), None);
    let none = |_: &ScatterKind| false;
    assert_eq!(placement.warm_up(square(0.0, 9.0), none).unwrap().count(), 0);
}
