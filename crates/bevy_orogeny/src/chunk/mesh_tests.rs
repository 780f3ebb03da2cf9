//! Meshes of whole chunks: vertices, triangles, skirts and boxes.

use bevy_math::Vec3;
use bevy_mesh::{Mesh, VertexAttributeValues};
use orogeny::{Field, Landscape, Sample};

use crate::chunk::height_field::{HeightField, band, normal};
use crate::chunk::key::{ChunkKey, Layout, MAX_LOD};
use crate::chunk::mesh::{ChunkBuilder, ChunkMesh};
use crate::chunk::seams::Seams;
use crate::chunk::triangles;
use orogeny::{Fractal, GradientNoise, Recipe};

pub(super) const LAYOUT: Layout = Layout { cells: 16, spacing: 2.0 };
pub(super) const KEY: ChunkKey = ChunkKey { lod: 2, x: -3, z: 31_250_000_000 };

pub(super) fn field() -> Landscape {
    let fbm = Fractal::fbm(8.0, GradientNoise::seeded(0));
    let field = Fractal { frequency: 0.005, amplitude: 100.0, ..fbm };
    Recipe::new(4, 1.0, field).build().unwrap()
}

/// A chunk with positions and normals, whatever its seams.
pub(super) fn build(
    field: impl HeightField,
    layout: Layout,
    seams: Seams,
    key: ChunkKey,
) -> ChunkMesh {
    ChunkBuilder::new(Landscape::of(field), layout, seams, true).build(key).unwrap()
}

pub(super) fn attribute(mesh: &Mesh, normal: bool) -> &[[f32; 3]] {
    let id = if normal { Mesh::ATTRIBUTE_NORMAL } else { Mesh::ATTRIBUTE_POSITION };
    match mesh.attribute(id) {
        Some(VertexAttributeValues::Float32x3(values)) => values,
        other => panic!("{other:?}"),
    }
}

/// Heights are those of the field at the finest levels, and at every level that does not geomorph.
/// Normals are those of the field at the finest level, and those of the field without finer octaves
/// at others.
#[test]
fn vertices_equal_queries_bit_for_bit() {
    for (key, seams) in [
        (ChunkKey { lod: 0, x: 7, z: -9 }, Seams::Morph),
        (KEY, Seams::Skirts),
        (ChunkKey { lod: 5, x: 1 << 40, z: 3 }, Seams::Open),
    ] {
        let chunk = build(field(), LAYOUT, seams, key);
        let (positions, normals) = (attribute(&chunk.mesh, false), attribute(&chunk.mesh, true));
        let [ox, oz] = LAYOUT.origin(key);
        let field = field();
        let smooth = band(&field, &LAYOUT, key.lod);
        for (p, n) in positions.iter().zip(normals).take(17 * 17) {
            let p = p.map(f64::from);
            let at = [ox + p[0], oz + p[2]];
            assert_eq!((p[1] as f32).to_bits(), field.sample(at).value.to_bits());
            let expected =
                smooth.as_ref().map_or_else(|| field.sample(at), |smooth| smooth.sample(at));
            assert_eq!(Vec3::from(*n), normal(expected));
        }
        assert!(chunk.finite);
    }
}

#[test]
fn meshes_have_the_bytes_that_are_counted() {
    for (seams, keep, vertex) in [
        (Seams::Open, false, 32),
        (Seams::Skirts, false, 32),
        (Seams::Morph, false, 20),
        (Seams::Morph, true, 44),
    ] {
        let builder = ChunkBuilder::new(field(), LAYOUT, seams, keep);
        let mesh = builder.build(KEY).unwrap().mesh;
        let vertices = mesh.get_vertex_buffer_size();
        let indices = mesh.get_index_buffer_bytes().unwrap().len();
        assert_eq!(vertices, vertex * mesh.count_vertices(), "{seams:?} {keep}");
        assert_eq!(vertices + indices, builder.mesh_bytes(), "{seams:?} {keep}");
    }
}

/// All triangles of the surface face up, and all triangles of the skirt face away from the chunk.
#[test]
fn triangles_face_outwards_and_are_counted() {
    let chunk = build(field(), LAYOUT, Seams::Skirts, KEY);
    let positions = attribute(&chunk.mesh, false);
    let centre =
        Vec3::new(LAYOUT.size(KEY.lod) as f32 / 2.0, 0.0, LAYOUT.size(KEY.lod) as f32 / 2.0);
    let corners: Vec<usize> = chunk.mesh.indices().unwrap().iter().collect();
    assert_eq!(corners.len(), 3 * triangles::count(&LAYOUT, Seams::Skirts));
    for (i, triangle) in corners.chunks(3).enumerate() {
        let [a, b, c] = [0, 1, 2].map(|k| Vec3::from(positions[triangle[k]]));
        let facing = (b - a).cross(c - a);
        if i < 2 * 16 * 16 {
            assert!(facing.y > 0.0);
        } else {
            let outwards = (a + b + c) / 3.0 - centre;
            assert!(
                facing.dot(outwards.with_y(0.0)) > 0.0 && facing.y.abs() < 1e-3 * facing.length()
            );
        }
    }
}

/// Along a border, the distance of a finer chunk's vertices from the coarser edge is at most the
/// depth of either skirt.
#[test]
fn skirts_close_the_gaps_and_boxes_hold_them() {
    let coarse = build(field(), LAYOUT, Seams::Skirts, KEY);
    let skirt = |chunk: &ChunkMesh| {
        let positions = attribute(&chunk.mesh, false);
        // The third edge, z = 0, runs backwards.
        (positions[16][1] - positions[17 * 17 + 2 * 17][1], positions.to_vec())
    };
    let (coarse_depth, coarse_positions) = skirt(&coarse);
    for (half, child) in KEY.children()[..2].iter().enumerate() {
        let (fine_depth, fine_positions) = skirt(&build(field(), LAYOUT, Seams::Skirts, *child));
        for (i, vertex) in fine_positions.iter().take(17).enumerate() {
            let along = half as f32 * 8.0 + i as f32 / 2.0;
            let (a, b) = (
                coarse_positions[along.floor() as usize][1],
                coarse_positions[along.ceil() as usize][1],
            );
            let gap = vertex[1] - 0.5 * (a + b);
            assert!(gap <= fine_depth && -gap <= coarse_depth, "{gap} {fine_depth} {coarse_depth}");
        }
    }
    for p in coarse_positions {
        let d = (Vec3::from(p) - Vec3::from(coarse.aabb.center)).abs();
        assert!((d - Vec3::from(coarse.aabb.half_extents)).max_element() < 1e-3);
    }
}

/// Holes, at the vertices of some levels and not of others.
pub(super) fn holey_field() -> impl HeightField {
    struct Holey<F>(F);
    impl<F: HeightField> Field<2> for Holey<F> {
        fn sample(&self, p: [f64; 2]) -> Sample<2> {
            let [i, j] = p.map(|x| (x / 5.0).floor().rem_euclid(1e6));
            let is_hole = (0.37 * i + 0.61 * j + 0.013 * i * j).fract() < 0.2;
            if is_hole { Sample::OUTSIDE } else { self.0.sample(p) }
        }
    }
    Holey(field())
}

/// The triangles are those whose three vertices have a height, skirts included.
#[test]
fn triangles_leave_out_holes() {
    let field = Landscape::of(holey_field());
    for seams in [Seams::Open, Seams::Skirts, Seams::Morph] {
        let builder = ChunkBuilder::new(field.clone(), LAYOUT, seams, true);
        for key in [KEY, ChunkKey { lod: 0, x: 4, z: -9 }] {
            let chunk = builder.build(key).unwrap();
            let positions = attribute(&chunk.mesh, false);
            let [ox, oz] = LAYOUT.origin(key);
            let has_ground = |index: &usize| {
                let [x, _, z] = positions[*index].map(f64::from);
                field.sample([ox + x, oz + z]).value.is_finite()
            };
            let all = triangles::indices(17, seams);
            let all: Vec<usize> = all.into_iter().map(usize::from).collect();
            let expected: Vec<usize> = all
                .chunks(3)
                .filter(|corners| corners.iter().all(has_ground))
                .flatten()
                .copied()
                .collect();
            let found: Vec<usize> = chunk.mesh.indices().unwrap().iter().collect();
            assert_eq!(found, expected);
            assert!((all.len() / 4..all.len() / 4 * 3).contains(&found.len()), "{}", found.len());
            assert!(chunk.finite);
            // Vertices in holes stay within the box of the others.
            let [low, high] = [chunk.aabb.min(), chunk.aabb.max()].map(|corner| corner.y);
            for [_, y, _] in positions {
                assert!((low - 1e-3..=high + 1e-3).contains(y));
            }
        }
    }
}

#[test]
fn a_chunk_in_a_hole_draws_nothing() {
    struct Nothing;
    impl Field<2> for Nothing {
        fn sample(&self, _: [f64; 2]) -> Sample<2> {
            Sample::OUTSIDE
        }
    }
    for seams in [Seams::Open, Seams::Skirts, Seams::Morph] {
        let chunk = build(Nothing, LAYOUT, seams, KEY);
        assert_eq!(chunk.mesh.indices().unwrap().iter().collect::<Vec<_>>(), [0; 3]);
        let numbers = [false, true].map(|normal| attribute(&chunk.mesh, normal).as_flattened());
        assert!(numbers.concat().iter().all(|x| x.is_finite()));
        assert!(chunk.finite && chunk.aabb.half_extents.is_finite());
    }
}

#[test]
fn fields_that_are_not_finite_give_a_mesh_that_is() {
    struct Broken(f32);
    impl Field<2> for Broken {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            // Also between vertices, where only a finer neighbour samples the field.
            let broken = x > 40.0 || x.fract() == 0.5;
            Sample::constant(if broken { self.0 } else { 5.0 })
        }
    }
    const FINE: Layout = Layout { cells: 16, spacing: 1.0 };
    for (value, x) in [f32::NAN, f32::INFINITY, f32::MIN, f32::MAX, -f32::INFINITY]
        .into_iter()
        .flat_map(|value| [(value, 0), (value, 2), (value, 3)])
    {
        let chunk = build(Broken(value), FINE, Seams::Skirts, ChunkKey { lod: 0, x, z: 0 });
        // NaN is a hole.
        assert_eq!(chunk.finite, !value.is_infinite(), "{value} {x}");
        let numbers = [false, true].map(|normal| attribute(&chunk.mesh, normal).as_flattened());
        assert!(numbers.concat().iter().all(|x| x.is_finite()), "{value} {x}");
        if !value.is_finite() {
            assert!(chunk.aabb.center.is_finite() && chunk.aabb.half_extents.is_finite());
        }
    }
}

/// The coarsest level is built. A coarser one returns an error.
#[test]
fn levels_above_the_coarsest_are_refused() {
    for seams in [Seams::Open, Seams::Skirts, Seams::Morph] {
        let builder = ChunkBuilder::new(field(), LAYOUT, seams, false);
        let build = |lod| builder.build(ChunkKey { lod, x: 0, z: -1 });
        assert!(build(MAX_LOD).is_ok());
        for lod in [MAX_LOD + 1, MAX_LOD + 2, 64, u8::MAX] {
            assert_eq!(build(lod).unwrap_err().limit.name, "lod");
        }
    }
}
