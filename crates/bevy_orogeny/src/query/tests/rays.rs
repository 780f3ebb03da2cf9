//! Rays hit the first of all triangles, and the work that this takes.

use bevy_math::DVec3;
use orogeny::ray::{Cast, Hit};
use orogeny::{Bounds, Field, Sample};

use super::*;
use crate::base::query_error::QueryError;
use crate::query::ray::{CLEAR, Walk};
use crate::terrain::Terrain;

/// The distance at which a ray meets a triangle, by Moeller and Trumbore. Positions are in metres
/// from a point near both.
fn meets(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (e, f) = (b - a, c - a);
    let p = direction.cross(f);
    let determinant = e.dot(p);
    let s = origin - a;
    let q = s.cross(e);
    let [u, v, t] = [s.dot(p), direction.dot(q), f.dot(q)].map(|x| x / determinant);
    (u >= -1e-9 && v >= -1e-9 && u + v <= 1.0 + 1e-9 && t >= 0.0).then_some(t)
}

/// The first hit of a ray with any triangle of the 5 x 5 chunks around its origin.
fn brute_force(query: &GroundQuery, ray: &Ray) -> Option<f64> {
    let home = [ray.origin[0], ray.origin[2]];
    let centre = query.layout().key_at(0, home);
    let relative = |([x, z], y): ([f64; 2], f32)| DVec3::new(x - home[0], y.into(), z - home[1]);
    let ray = ray.checked().unwrap();
    let origin = DVec3::new(0.0, ray.origin[1], 0.0);
    let direction = DVec3::from_array(ray.direction);
    let mut first = None;
    for (x, z) in (-2..=2).flat_map(|x| (-2..=2).map(move |z| (x, z))) {
        let key = ChunkKey { lod: 0, x: centre.x + x, z: centre.z + z };
        let (vertices, triangles) = chunk(query, key);
        for corners in triangles {
            let found = meets(origin, direction, corners.map(|i| relative(vertices[i])));
            let within = found.filter(|&t| t <= ray.max_distance);
            first = first.into_iter().chain(within).min_by(f64::total_cmp);
        }
    }
    first
}

#[test]
fn rays_meet_the_first_of_all_triangles() {
    let (hits, clear) = compare_with_brute_force(&query(LAYOUT), rays);
    println!("{hits} hits, {clear} clear");
    assert!(hits > 60 && clear > 20);
}

/// A third of the vertices is in holes.
#[test]
fn rays_pass_through_holes() {
    struct Holey(Arc<dyn HeightField>);
    impl Field<2> for Holey {
        fn sample(&self, p: [f64; 2]) -> Sample<2> {
            let [i, j] = p.map(|x| (x / 6.0).floor().rem_euclid(1e6));
            let is_hole = (0.37 * i + 0.61 * j + 0.013 * i * j).fract() < 0.33;
            if is_hole { Sample::OUTSIDE } else { self.0.sample(p) }
        }
        fn bounds(&self) -> Bounds {
            self.0.bounds()
        }
        fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
            self.0.local_bounds(p, radius)
        }
    }
    let whole = query(LAYOUT);
    let holey = GroundQuery::new(Arc::new(Holey(field())), LAYOUT).unwrap();
    let (hits, clear) = compare_with_brute_force(&holey, |_, home| rays(&whole, home));
    println!("{hits} hits, {clear} clear");
    assert!(hits > 50 && clear > 40);
}

/// Casts rays from near the origin and far from it. Returns the numbers of hits and misses.
fn compare_with_brute_force<R: Iterator<Item = Ray>>(
    query: &GroundQuery,
    rays: impl Fn(&GroundQuery, f64) -> R,
) -> (usize, usize) {
    let (mut hits, mut clear) = (0, 0);
    for home in [0.0, 1e9, 1e12] {
        for ray in rays(query, home) {
            let cast = query.raycast_surface(&ray).unwrap();
            match (cast, brute_force(query, &ray)) {
                // Out of a hole and under the ground around it: there is no triangle to cross.
                (Cast::Hit(hit), expected) if leaves_hole(query, &ray, &hit) => {
                    assert!(expected.is_none_or(|distance| hit.distance < distance + 1e-6));
                    hits += 1;
                }
                (Cast::Hit(hit), Some(distance)) => {
                    hits += 1;
                    assert!((hit.distance - distance).abs() < 1e-6, "{hit:?} {distance} {ray:?}");
                    let [x, y, z] = hit.position;
                    assert!((y - f64::from(hit.ground.value)).abs() < 1e-4, "{hit:?}");
                    // At 1e12 the position is rounded to 1e-4 m.
                    let surface = query.surface([x, z]).unwrap();
                    let slack = 1e-5 + 4e-15 * home;
                    assert!((surface.value - hit.ground.value).abs() < slack as f32, "{hit:?}");
                }
                (Cast::Clear { is_proven: true }, None) => clear += 1,
                other => panic!("{other:?} {ray:?}"),
            }
        }
    }
    (hits, clear)
}

/// Whether a ray is in a hole before its hit, and under the ground there.
fn leaves_hole(query: &GroundQuery, ray: &Ray, hit: &Hit) -> bool {
    let ray = ray.checked().unwrap();
    let [x, _, z] = ray.at(hit.distance - 1e-3);
    let is_hole = matches!(query.surface([x, z]), Err(QueryError::NoGround { .. }));
    is_hole && f64::from(hit.ground.value) > hit.position[1]
}

/// The work of rays over mountains, compared with the number of vertices of the cells that they
/// cross.
#[test]
fn rays_over_mountains_skip_most_cells() {
    let query = GroundQuery::of(&Terrain::default()).unwrap();
    println!(
        "| rays | hits | length, median | evaluations, median | 99 % | cells crossed, median |"
    );
    println!("|---|---|---|---|---|---|");
    for (kind, above, pitch, far) in [
        ("down", 500.0, [-1.2, -0.1], 20_000.0),
        ("level", 100.0, [-0.08, 0.08], 20_000.0),
        ("grazing", 3.0, [-0.02, 0.02], 5000.0),
        ("up", 50.0, [0.1, 1.5], 20_000.0),
    ] {
        let mut rows = Vec::new();
        let mut hits = 0;
        for i in 0..400u32 {
            let part = |factor: f64| (f64::from(i) * factor).fract();
            let [x, z] = [0.618, 0.414].map(|factor| 1e5 * (part(factor) - 0.5));
            let heading = core::f64::consts::TAU * part(0.732);
            let ground = f64::from(query.surface([x, z]).unwrap().value);
            let ray = Ray {
                origin: [x, ground + 1.0 + above * part(0.236), z],
                direction: [
                    heading.cos(),
                    pitch[0] + (pitch[1] - pitch[0]) * part(0.303),
                    heading.sin(),
                ],
                max_distance: far,
            };
            let mut walk = Walk::new(&query, &ray).unwrap();
            let cast = walk.run().unwrap();
            assert!(!matches!(cast, Cast::Unfinished { .. }), "{ray:?}");
            hits += usize::from(cast.hit().is_some());
            let length = cast.hit().map_or(far, |hit| hit.distance);
            let [dx, _, dz] = ray.checked().unwrap().direction;
            rows.push([length, walk.evaluations as f64, length * (dx.abs() + dz.abs())]);
        }
        let column = |k: usize, part: usize| {
            let mut column: Vec<f64> = rows.iter().map(|row| row[k]).collect();
            column.sort_by(f64::total_cmp);
            column[(rows.len() - 1) * part / 100]
        };
        println!(
            "| {kind} | {} % | {:.0} m | {} | {} | {:.0} |",
            hits / 4,
            column(0, 50),
            column(1, 50),
            column(1, 99),
            column(2, 50)
        );
        // A triangle has three vertices: a walk over every cell would sample more than one for each
        // cell.
        let few = if kind == "grazing" { 3.0 } else { 0.5 };
        assert!(column(1, 50) < few * column(2, 50), "{kind}");
    }
}

#[test]
fn special_rays() {
    let query = query(LAYOUT);
    let ground = f64::from(query.surface([3.0, 5.5]).unwrap().value);
    let cast = |y: f64, direction, max_distance| {
        query.raycast_surface(&Ray { origin: [3.0, y, 5.5], direction, max_distance }).unwrap()
    };
    for (y, far) in [(ground + 10.0, 20.0), (ground + 1e6, 1e18)] {
        let hit = cast(y, [0.0, -2.0, 0.0], far).hit().unwrap();
        assert!((hit.distance - (y - ground)).abs() < 1e-4, "{hit:?}");
    }
    assert_eq!(cast(ground + 10.0, [0.0, -1.0, 0.0], 9.9), CLEAR);
    assert_eq!(cast(ground + 10.0, [0.0, 1.0, 0.0], 1e18), CLEAR);
    assert_eq!(cast(1e4, [1.0, 0.0, 1.0], 1e18), CLEAR);
    // A ray that starts under the ground hits at its start, whatever its direction.
    for direction in [[0.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 0.0]] {
        assert_eq!(cast(ground - 0.01, direction, 100.0).hit().unwrap().distance, 0.0);
    }
    // Along rows of vertices, along a diagonal, and from a vertex: no hit is lost between cells.
    for direction in [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]] {
        let top = f64::from(query.surface([0.0, 0.0]).unwrap().value) + 1.0;
        let direction = [direction[0], -0.8, direction[2]];
        let ray = Ray { origin: [0.0, top, 0.0], direction, max_distance: 60.0 };
        let found = query.raycast_surface(&ray).unwrap().hit().map(|hit| hit.distance);
        let expected = brute_force(&query, &ray);
        let same = (found.unwrap_or(-1.0) - expected.unwrap_or(-1.0)).abs() < 1e-6;
        assert!(same, "{found:?} {expected:?}");
    }
    // The hits on the field and on its triangles are close to each other: the cells are 2 m wide,
    // and the ground is rough.
    let ray =
        Ray { origin: [3.0, ground + 50.0, 5.5], direction: [1.0, -1.0, 0.3], max_distance: 500.0 };
    let [exact, drawn] = [query.raycast_field(&ray, 0.01), query.raycast_surface(&ray)]
        .map(|cast| cast.unwrap().hit().unwrap());
    assert!((exact.distance - drawn.distance).abs() < 4.0, "{exact:?} {drawn:?}");
}

/// A field without bounds is walked cell by cell, up to the limit of work.
#[test]
fn a_field_without_bounds_is_walked() {
    struct Hill;
    impl Field<2> for Hill {
        fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
            Sample::constant((-(x * x + z * z) / 1000.0).exp() as f32 * 20.0)
        }
    }
    let query = GroundQuery::new(Arc::new(Hill), LAYOUT).unwrap();
    let ray = Ray { origin: [-300.0, 10.0, 1.0], direction: [1.0, 0.0, 0.0], max_distance: 1e18 };
    let hit = query.raycast_surface(&ray).unwrap().hit().unwrap();
    assert!((hit.position[0] + 26.3).abs() < 1.0, "{hit:?}");
    let found = query.raycast_field(&ray, 0.01).unwrap().hit().unwrap();
    assert!((found.position[0] - hit.position[0]).abs() < 0.1 && !found.is_proven, "{found:?}");
    let over = Ray { origin: [-300.0, 21.0, 1.0], ..ray };
    let Cast::Unfinished { distance, .. } = query.raycast_surface(&over).unwrap() else {
        panic!("not clear")
    };
    assert!(distance > 1e4);
}
