//! Rays and ground with holes.

use super::random::Random;
use crate::ray::counted;
use crate::ray::{Cast, Ray};
use crate::{Bounds, Field, Sample};

/// A plane at height 0 with a hole of radius 10 around the origin, and one of half the plane.
struct Holey;

impl Field<2> for Holey {
    fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
        let is_hole = x.hypot(z) < 10.0 || x > 1000.0;
        if is_hole { Sample::OUTSIDE } else { Sample::default() }
    }
    fn bounds(&self) -> Bounds {
        Bounds { min: 0.0, max: 0.0, lipschitz: 0.0, curvature: 0.0 }
    }
}

/// Rays compared with the closed form: where they cross the plane, or the side of the hole.
#[test]
fn rays_pass_through_holes() {
    let (mut hits, mut sides, mut clear) = (0, 0, 0);
    for seed in 0..20_000 {
        let mut r = Random::new(seed);
        let [x, z] = r.point(60.0).map(|x| x - 30.0);
        let [y, drop] = [r.within(-3.0, 30.0), r.within(-1.5, 0.5)];
        let heading = r.within(0.0, 360.0).to_radians();
        let direction = [heading.cos(), drop, heading.sin()];
        let ray = Ray { origin: [x, y, z], direction, max_distance: 900.0 };
        let ray = ray.checked().unwrap();
        let is_ground = |p: [f64; 3]| p[0].hypot(p[2]) >= 10.0 && p[0] <= 1000.0;
        // The end of the hole, if the ray starts in it or enters it.
        let along = ray.origin[0] * ray.direction[0] + ray.origin[2] * ray.direction[2];
        let level = ray.direction[0].hypot(ray.direction[2]);
        let across = (x * ray.direction[2] - z * ray.direction[0]) / level;
        let exit = -along / (level * level) + (100.0 - across * across).max(0.0).sqrt() / level;
        let plane = -ray.origin[1] / ray.direction[1];
        let expected = if y < 0.0 && is_ground(ray.origin) {
            Some(0.0)
        } else if (0.0..=900.0).contains(&plane) && ray.direction[1] < 0.0 && y >= 0.0 {
            let p = ray.at(plane);
            // Below the plane the ray can only meet the side of the hole.
            if is_ground(p) { Some(plane) } else { Some(exit).filter(|t| *t <= 900.0) }
        } else if y < 0.0 {
            let up = if ray.direction[1] > 0.0 { plane } else { f64::INFINITY };
            Some(exit).filter(|t| *t <= up.min(900.0))
        } else {
            None
        };
        // Rays that graze the rim or end at the second hole may differ.
        let grazes = (across.abs() - 10.0).abs() < 0.1
            || expected.is_some_and(|t| (ray.at(t)[0].hypot(ray.at(t)[2]) - 10.0).abs() < 0.1)
                && (ray.at(expected.unwrap_or(0.0))[1]).abs() < 0.1;
        if grazes || ray.direction[1].abs() < 1e-2 {
            continue;
        }
        let (cast, work) = counted(&Holey, &ray, 0.01).unwrap();
        assert!(work < 3000, "{work} {ray:?}");
        match (cast, expected) {
            (Cast::Hit(hit), Some(t)) => {
                let slack = 0.02 / ray.direction[1].abs() + 0.02 / level;
                assert!((hit.distance - t).abs() < slack, "{hit:?} {t} {ray:?}");
                assert!(is_ground(hit.position));
                if hit.position[1] < -0.1 { sides += 1 } else { hits += 1 }
            }
            (Cast::Clear { is_proven: true }, None) => clear += 1,
            other => panic!("{other:?} {ray:?}"),
        }
    }
    assert!(hits > 5000 && sides > 500 && clear > 1000, "{hits} {sides} {clear}");
    // Into the second hole, which has no end, and straight down through the first.
    for (origin, direction) in
        [([0.0, 5.0, 0.0], [0.0, -1.0, 0.0]), ([1e4, 5.0, 0.0], [1.0, -1.0, 0.0])]
    {
        let ray = Ray { origin, direction, max_distance: 1e6 };
        let (cast, work) = counted(&Holey, &ray, 0.01).unwrap();
        assert!(cast == Cast::Clear { is_proven: true } && work < 2000, "{cast:?} {work}");
    }
}
