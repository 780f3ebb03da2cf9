//! Both grounds against the meshes, and rays against every triangle.

use std::sync::Arc;

use bevy_math::{DVec3, Vec3};
use bevy_mesh::{Mesh, VertexAttributeValues};
use orogeny::ray::{Cast, Ray, RaycastError};
use orogeny::{Curvature, Field, Fractal, GradientNoise, Recipe, Sample};
use proptest::prelude::*;

use super::ray::Walk;
use super::{GroundQuery, QueryError};
use crate::chunk::height_field::{HeightField, normal};
use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::seams::Seams;
use crate::terrain::{Terrain, TerrainError};

const LAYOUT: Layout = Layout { cells: 16, spacing: 2.0 };

fn field() -> Arc<dyn HeightField> {
    let fbm = Fractal::fbm(8.0, GradientNoise::seeded(0));
    let field = Fractal { frequency: 0.005, amplitude: 100.0, ..fbm };
    Arc::new(Recipe::new(4, 1.0, field).build().unwrap())
}

fn query(layout: Layout) -> GroundQuery {
    GroundQuery::new(field(), layout).unwrap()
}

/// The vertices of a chunk without its skirt, in metres from the terrain's origin, and the corners
/// of its triangles.
fn chunk(layout: &Layout, key: ChunkKey) -> (Vec<([f64; 2], f32)>, Vec<[usize; 3]>) {
    let mesh = ChunkBuilder::new(field(), *layout, Seams::Open, true).build(key).unwrap().mesh;
    let Some(VertexAttributeValues::Float32x3(positions)) =
        mesh.attribute(Mesh::ATTRIBUTE_POSITION)
    else {
        panic!("positions")
    };
    let (origin, cells) = (layout.origin(key), layout.cells as usize);
    let vertices = positions[..(cells + 1) * (cells + 1)].iter();
    let place = |&[x, y, z]: &[f32; 3]| ([origin[0] + f64::from(x), origin[1] + f64::from(z)], y);
    let corners: Vec<usize> = mesh.indices().unwrap().iter().take(6 * cells * cells).collect();
    (vertices.map(place).collect(), corners.chunks(3).map(|c| [c[0], c[1], c[2]]).collect())
}

/// Chunks at home, on both sides of it, and at 1e12 m.
fn keys(layout: &Layout, lod: u8) -> Vec<ChunkKey> {
    let far = (1e12 / layout.size(lod)) as i64;
    [(0, 0), (-1, -1), (5, -3), (far, -far), (-far + 1, 7)]
        .map(|(x, z)| ChunkKey { lod, x, z })
        .to_vec()
}

#[test]
fn vertices_are_those_of_the_meshes_bit_for_bit() {
    for layout in [LAYOUT, Layout { cells: 8, spacing: 0.25 }, Layout { cells: 32, spacing: 1.0 }] {
        let query = query(layout);
        for key in [0, 1, 3, 7].into_iter().flat_map(|lod| keys(&layout, lod)) {
            for (position, height) in chunk(&layout, key).0 {
                let surface = query.surface_at_level(key.lod, position).unwrap();
                let field = query.field(position).unwrap();
                assert_eq!(surface.value.to_bits(), height.to_bits(), "{key:?} {position:?}");
                assert_eq!(field.value.to_bits(), height.to_bits(), "{key:?} {position:?}");
            }
        }
    }
}

/// Within every triangle of a mesh: the mean of the corners by barycentric weights, and the normal
/// of the face.
#[test]
fn the_surface_is_the_mesh_between_vertices() {
    let query = query(LAYOUT);
    for key in [0, 2, 5].into_iter().flat_map(|lod| keys(&LAYOUT, lod)) {
        let (vertices, triangles) = chunk(&LAYOUT, key);
        for corners in triangles {
            let corners = corners.map(|i| vertices[i]);
            let [a, b, c] = corners.map(|([x, z], y)| {
                let [ox, oz] = corners[0].0;
                DVec3::new(x - ox, y.into(), z - oz)
            });
            let face = (b - a).cross(c - a).normalize();
            for weights in
                [[0.4, 0.35, 0.25], [0.05, 0.05, 0.9], [0.9, 0.05, 0.05], [0.1, 0.8, 0.1]]
            {
                let mean = |of: [f64; 3]| -> f64 { (0..3).map(|k| weights[k] * of[k]).sum() };
                let position = [0, 1].map(|axis| mean(corners.map(|corner| corner.0[axis])));
                let height = mean(corners.map(|corner| corner.1.into()));
                let found = query.surface_at_level(key.lod, position).unwrap();
                // At 1e12 a position is rounded to 1e-4 m.
                let rounding = 1e-5 + 4e-16 * position[0].abs().max(position[1].abs());
                assert!((f64::from(found.value) - height).abs() < rounding, "{key:?} {position:?}");
                assert!((normal(found).as_dvec3() - face).length() < 1e-6, "{key:?} {position:?}");
            }
        }
    }
}

proptest! {
    /// Across the diagonal of a cell and across its borders, the surface does not jump.
    #[test]
    fn the_surface_is_continuous(
        x in -1000i64..1000, z in -1000i64..1000, along in 0.0..1.0f64, lod in 0u8..4, far in prop::sample::select(vec![0i64, 1 << 36]),
    ) {
        let query = query(LAYOUT);
        let spacing = LAYOUT.spacing(lod);
        let at = |u: f64, v: f64| {
            let position = [(x + far) as f64 * spacing + u * spacing, z as f64 * spacing + v * spacing];
            f64::from(query.surface_at_level(lod, position).unwrap().value)
        };
        let step = if far == 0 { 1e-7 } else { 1e-4 };
        for [u, v, across] in [[along, along, 1.0], [0.0, along, 1.0], [along, 0.0, 0.0]] {
            let (a, b) = (at(u - step * across, v + step), at(u + step * across, v - step));
            prop_assert!((a - b).abs() < 2e-5 + 10.0 * step * spacing, "{a} {b}");
            prop_assert!((at(u, v) - a).abs() < 2e-5 + 10.0 * step * spacing);
        }
    }
}

/// The distance at which a ray meets a triangle, by Moeller and Trumbore, in metres from a place
/// near both.
fn meets(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (e, f) = (b - a, c - a);
    let p = direction.cross(f);
    let determinant = e.dot(p);
    let s = origin - a;
    let q = s.cross(e);
    let [u, v, t] = [s.dot(p), direction.dot(q), f.dot(q)].map(|x| x / determinant);
    (u >= -1e-9 && v >= -1e-9 && u + v <= 1.0 + 1e-9 && t >= 0.0).then_some(t)
}

/// A ray from above the ground near a place, and every triangle of 5 x 5 chunks about it.
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
        let (vertices, triangles) = chunk(query.layout(), key);
        for corners in triangles {
            let found = meets(origin, direction, corners.map(|i| relative(vertices[i])));
            let within = found.filter(|&t| t <= ray.max_distance);
            first = first.into_iter().chain(within).min_by(f64::total_cmp);
        }
    }
    first
}

fn rays(query: &GroundQuery, home: f64) -> impl Iterator<Item = Ray> {
    let heights = query.clone();
    (0..60u32).map(move |i| {
        let i = f64::from(i);
        let [x, z] = [home + 37.7 * i, 11.3 * i - home];
        let ground = f64::from(heights.surface([x, z]).unwrap().value);
        let heading = 2.4 * i;
        let pitch = -0.5 + (0.17 * i) % 0.7;
        Ray {
            origin: [x, ground + 0.01 + (1.7 * i) % 20.0, z],
            direction: [heading.cos(), pitch, heading.sin()],
            max_distance: 60.0,
        }
    })
}

#[test]
fn rays_meet_the_first_of_all_triangles() {
    let query = query(LAYOUT);
    let (mut hits, mut clear) = (0, 0);
    for home in [0.0, 1e9, 1e12] {
        for ray in rays(&query, home) {
            let cast = query.raycast_surface(&ray).unwrap();
            match (cast, brute_force(&query, &ray)) {
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
                (Cast::Clear, None) => clear += 1,
                other => panic!("{other:?} {ray:?}"),
            }
        }
    }
    println!("{hits} hits, {clear} clear");
    assert!(hits > 60 && clear > 20);
}

/// The work of rays over mountains, beside the vertices of the cells that they cross.
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
        // Three vertices make a triangle: a walk over every cell would ask for more than one a
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
    assert_eq!(cast(ground + 10.0, [0.0, -1.0, 0.0], 9.9), Cast::Clear);
    assert_eq!(cast(ground + 10.0, [0.0, 1.0, 0.0], 1e18), Cast::Clear);
    assert_eq!(cast(1e4, [1.0, 0.0, 1.0], 1e18), Cast::Clear);
    // Under the ground, it is hit where the ray starts, however it goes on.
    for direction in [[0.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 0.0]] {
        assert_eq!(cast(ground - 0.01, direction, 100.0).hit().unwrap().distance, 0.0);
    }
    // Along lines of vertices, along a diagonal, and from a vertex: nothing is lost between cells.
    for direction in [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]] {
        let top = f64::from(query.surface([0.0, 0.0]).unwrap().value) + 1.0;
        let direction = [direction[0], -0.8, direction[2]];
        let ray = Ray { origin: [0.0, top, 0.0], direction, max_distance: 60.0 };
        let found = query.raycast_surface(&ray).unwrap().hit().map(|hit| hit.distance);
        let expected = brute_force(&query, &ray);
        let same = (found.unwrap_or(-1.0) - expected.unwrap_or(-1.0)).abs() < 1e-6;
        assert!(same, "{found:?} {expected:?}");
    }
    // The field and its triangles are met near each other: the cells are 2 m wide, and the ground
    // is rough.
    let ray =
        Ray { origin: [3.0, ground + 50.0, 5.5], direction: [1.0, -1.0, 0.3], max_distance: 500.0 };
    let [exact, drawn] = [query.raycast_field(&ray, 0.01), query.raycast_surface(&ray)]
        .map(|cast| cast.unwrap().hit().unwrap());
    assert!((exact.distance - drawn.distance).abs() < 4.0, "{exact:?} {drawn:?}");
}

/// A field that tells nothing of itself is walked cell by cell, up to the limit of work.
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
    assert_eq!(query.raycast_field(&ray, 0.01), Err(RaycastError::Unbounded));
    let over = Ray { origin: [-300.0, 21.0, 1.0], ..ray };
    let Cast::Unfinished { distance } = query.raycast_surface(&over).unwrap() else {
        panic!("not clear")
    };
    assert!(distance > 1e4);
}

#[test]
fn what_has_no_answer() {
    let query = query(LAYOUT);
    let limit = |error: QueryError| match error {
        QueryError::OutOfLimits(error) => error.limit.name,
        other => panic!("{other:?}"),
    };
    for wrong in [f64::NAN, f64::INFINITY, -1.1e15] {
        for position in [[wrong, 0.0], [0.0, wrong]] {
            assert_eq!(limit(query.field(position).unwrap_err()), "position");
            assert_eq!(limit(query.surface(position).unwrap_err()), "position");
            let [x, z] = position;
            let ray =
                Ray { origin: [x, 500.0, z], direction: [1.0, -1.0, 0.0], max_distance: 10.0 };
            for cast in [query.raycast_field(&ray, 0.1), query.raycast_surface(&ray)] {
                assert!(matches!(cast, Err(RaycastError::OutOfLimits(_))), "{cast:?}");
            }
        }
    }
    assert_eq!(limit(query.surface_at_level(41, [0.0; 2]).unwrap_err()), "lod");
    assert!(query.surface_at_level(40, [9e14, -9e14]).is_ok());
    // Vertices cannot be told apart.
    let fine = self::query(Layout { cells: 8, spacing: 1.0 / 64.0 });
    assert!(fine.field([5e14, 0.0]).is_ok() && fine.surface([5e14, 0.0]).is_err());
    let level = Ray { origin: [5e14, 500.0, 0.0], direction: [1.0, -1.0, 0.0], max_distance: 10.0 };
    assert!(fine.raycast_surface(&level).is_err());
    // A ray that comes down beyond all places.
    let leaving = Ray { origin: [0.0, 1e17, 0.0], direction: [1.0, -1.0, 0.0], max_distance: 1e18 };
    assert!(matches!(query.raycast_surface(&leaving), Err(RaycastError::OutOfLimits(_))));

    let terrain = Terrain { cells: 12, ..Terrain::default() };
    assert!(matches!(GroundQuery::of(&terrain), Err(TerrainError::NotAPowerOfTwo { .. })));
    let layout = Layout { cells: 16, spacing: f64::NAN };
    assert!(GroundQuery::new(field(), layout).is_err());
}

#[test]
fn fields_that_are_not_finite_give_errors() {
    struct Broken(f32, f32);
    impl Field<2> for Broken {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            let good = Sample::constant(5.0);
            if x > 10.0 { Sample { value: self.0, gradient: [self.1, 0.0] } } else { good }
        }
    }
    for (value, slope) in
        [(f32::NAN, f32::NAN), (f32::INFINITY, 0.0), (-f32::INFINITY, 0.0), (1.0, f32::NAN)]
    {
        let query = GroundQuery::new(Arc::new(Broken(value, slope)), LAYOUT).unwrap();
        assert_eq!(query.field([11.0, 0.0]), Err(QueryError::NotFinite { position: [11.0, 0.0] }));
        assert!(query.field([9.0, 0.0]).is_ok() && query.surface([9.0, 0.0]).is_ok());
        // Triangles need no slopes.
        if value.is_finite() {
            assert_eq!(query.surface([13.0, 0.5]).unwrap(), Sample::constant(value));
            continue;
        }
        // One of the corners.
        assert_eq!(
            query.surface([10.5, 0.5]),
            Err(QueryError::NotFinite { position: [12.0, 2.0] })
        );
        let ray = Ray { origin: [0.0, 6.0, 0.0], direction: [1.0, 0.0, 0.0], max_distance: 100.0 };
        match query.raycast_surface(&ray) {
            Err(RaycastError::NoGround { position, distance }) => {
                assert_eq!(position[0], 12.0);
                assert!((distance - 10.0).abs() < 1e-9);
            }
            other => panic!("{other:?}"),
        }
        // Before it comes there, a ray is answered.
        let short = Ray { max_distance: 9.0, ..ray };
        assert_eq!(query.raycast_surface(&short), Ok(Cast::Clear));
    }
}

/// A ball of 100 m, of which nothing but heights and slopes are told: its curvature is that of a
/// ball everywhere.
#[test]
fn curvature_is_that_of_a_ball() {
    struct Ball;
    impl Field<2> for Ball {
        fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
            let height = (1e4 - x * x - z * z).sqrt();
            let gradient = [x, z].map(|x| (-x / height) as f32);
            Sample { value: height as f32, gradient }
        }
    }
    let ball = GroundQuery::new(Arc::new(Ball), LAYOUT).unwrap();
    for position in [[0.0, 0.0], [30.0, -20.0], [-60.0, 50.0]] {
        let found = ball.curvature(position).unwrap();
        assert!((found.mean + 0.01).abs() < 1e-5, "{found:?}");
        assert!((found.gaussian - 1e-4).abs() < 2e-7, "{found:?}");
    }
    assert!(matches!(ball.curvature([200.0, 0.0]), Err(QueryError::NotFinite { .. })));
    assert!(matches!(ball.curvature([1e30, 0.0]), Err(QueryError::OutOfLimits(_))));
}

#[test]
fn batches_give_the_same_answers_in_buffers_that_stay() {
    let query = query(LAYOUT);
    let mut positions: Vec<[f64; 2]> =
        (0..200).map(|i| [f64::from(i) * 3.7, f64::from(i) * -1.3]).collect();
    positions[7] = [f64::NAN, 0.0];
    let rays: Vec<Ray> = rays(&query, 0.0).collect();
    let (mut points, mut casts, mut curvatures) = (Vec::new(), Vec::new(), Vec::new());
    query.fields(&positions, &mut points);
    query.raycasts_surface(&rays, &mut casts);
    let (point_buffer, cast_buffer) = (points.as_ptr(), casts.as_ptr());
    for _ in 0..3 {
        query.fields(&positions, &mut points);
        assert!(
            points
                .iter()
                .zip(&positions)
                .all(|(a, &p)| *a == query.field(p) || p[0].is_nan() && a.is_err())
        );
        query.curvatures(&positions, &mut curvatures);
        let same = |(a, &p): (&Result<Curvature, _>, &[f64; 2])| {
            *a == query.curvature(p) || p[0].is_nan() && a.is_err()
        };
        assert!(curvatures.iter().zip(&positions).all(same));
        query.surfaces(1, &positions[..150], &mut points);
        assert_eq!(points.len(), 150);
        let same = |(a, &p): (&Result<_, _>, &[f64; 2])| {
            *a == query.surface_at_level(1, p) || p[0].is_nan() && a.is_err()
        };
        assert!(points.iter().zip(&positions).all(same));
        query.raycasts_field(&rays, 0.01, &mut casts);
        assert!(casts.iter().zip(&rays).all(|(a, ray)| *a == query.raycast_field(ray, 0.01)));
        query.raycasts_surface(&rays, &mut casts);
        assert!(casts.iter().zip(&rays).all(|(a, ray)| *a == query.raycast_surface(ray)));
    }
    assert_eq!((points.as_ptr(), casts.as_ptr()), (point_buffer, cast_buffer));
    fn shared<T: Send + Sync + Clone + 'static>(_: &T) {}
    shared(&query);
    assert!(normal(query.field([0.0; 2]).unwrap()).dot(Vec3::Y) > 0.0);
}
