//! Queries against a search over all instances.

use crate::Node;
use crate::limits::{POSITION, RAY_DIRECTION, RAY_DISTANCE};
use crate::ray::Ray;
use crate::scatter::{Instance, Placement};
use crate::tests::random::Random;
use crate::tests::scatter::{kinds, on, scatter, square};

fn hills() -> crate::Tree<2> {
    Node::<2>::noise(4).fbm(3).frequency(1.0 / 200.0).amplitude(20.0).build().unwrap()
}

fn forest() -> Placement {
    let mut kinds = kinds();
    (kinds[0].solid_radius, kinds[0].solid_height) = (0.3, 9.0);
    (kinds[1].solid_radius, kinds[1].solid_height) = (1.5, 1.0);
    on(&scatter(kinds), hills())
}

fn distance(p: [f64; 2], q: [f64; 2]) -> f64 {
    (p[0] - q[0]).hypot(p[1] - q[1])
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
