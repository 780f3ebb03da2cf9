//! Meshes of whole chunks: vertices, targets, triangles, skirts and boxes.

use std::sync::Arc;

use bevy_math::Vec3;
use bevy_mesh::{Mesh, VertexAttributeValues};
use orogeny::{Field, Sample};

use crate::chunk::curvature::ATTRIBUTE_CURVATURE;
use crate::chunk::height_field::{HeightField, band, normal};
use crate::chunk::key::{ChunkKey, Layout, MAX_LOD};
use crate::chunk::mesh::{ChunkBuilder, ChunkMesh};
use crate::chunk::morph::GridVertex;
use crate::chunk::seams::Seams;
use crate::chunk::triangles;
use crate::chunk::vertex::{ATTRIBUTE_VERTEX, ChunkVertex};
use orogeny::{Fractal, GradientNoise, Recipe};

const LAYOUT: Layout = Layout { cells: 16, spacing: 2.0 };
const KEY: ChunkKey = ChunkKey { lod: 2, x: -3, z: 31_250_000_000 };

fn field() -> impl HeightField {
    let fbm = Fractal::fbm(8.0, GradientNoise::seeded(0));
    let field = Fractal { frequency: 0.005, amplitude: 100.0, ..fbm };
    Recipe::new(4, 1.0, field).build().unwrap()
}

/// A chunk with positions and normals, whatever its seams.
fn build(field: impl HeightField, layout: Layout, seams: Seams, key: ChunkKey) -> ChunkMesh {
    ChunkBuilder::new(Arc::new(field), layout, seams, true).build(key).unwrap()
}

fn attribute(mesh: &Mesh, normal: bool) -> &[[f32; 3]] {
    let id = if normal { Mesh::ATTRIBUTE_NORMAL } else { Mesh::ATTRIBUTE_POSITION };
    match mesh.attribute(id) {
        Some(VertexAttributeValues::Float32x3(values)) => values,
        other => panic!("{other:?}"),
    }
}

/// The vertices that the shader of a chunk that geomorphs reads.
fn chunk_vertices(mesh: &Mesh) -> Vec<ChunkVertex> {
    match mesh.attribute(ATTRIBUTE_VERTEX) {
        Some(VertexAttributeValues::Uint32x4(packed)) => {
            packed.iter().copied().map(ChunkVertex::unpack).collect()
        }
        other => panic!("{other:?}"),
    }
}

/// The angle in radians between two unit vectors.
fn angle(a: Vec3, b: Vec3) -> f32 {
    a.as_dvec3().cross(b.as_dvec3()).length().asin() as f32
}

/// Heights are those of the field at every level. Normals are those of the field at the finest
/// level, and those of the field without finer octaves at others.
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

/// Of a mesh that is not kept, the shader's vertices are all there is. They have the positions of
/// the kept mesh bit for bit, and its normals within the stated error.
#[test]
fn packed_vertices_equal_queries() {
    for (field, layout, key) in [
        (field(), LAYOUT, KEY),
        (field(), Layout { cells: 128, spacing: 1.0 / 64.0 }, ChunkKey { lod: 0, x: 5, z: -3 }),
        (field(), Layout { cells: 8, spacing: 64.0 }, ChunkKey { lod: 30, x: 0, z: -1 }),
    ] {
        let field: Arc<dyn HeightField> = Arc::new(field);
        let [lean, kept] = [false, true].map(|keep| {
            ChunkBuilder::new(field.clone(), layout, Seams::Morph, keep).build(key).unwrap()
        });
        assert!(!lean.mesh.contains_attribute(Mesh::ATTRIBUTE_POSITION));
        assert!(!lean.mesh.contains_attribute(Mesh::ATTRIBUTE_NORMAL));
        assert_eq!(lean.aabb, kept.aabb);
        let vertices = chunk_vertices(&lean.mesh);
        assert_eq!(vertices, chunk_vertices(&kept.mesh));
        let (positions, normals) = (attribute(&kept.mesh, false), attribute(&kept.mesh, true));
        assert_eq!(vertices.len(), positions.len());
        for (index, vertex) in vertices.iter().enumerate() {
            let position = vertex.position(vertex.grid_vertex(index as u32), 0.0);
            assert_eq!(position.to_array().map(f32::to_bits), positions[index].map(f32::to_bits));
            assert!(angle(vertex.normal, normals[index].into()) <= ChunkVertex::NORMAL_ERROR);
        }
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
        let builder = ChunkBuilder::new(Arc::new(field()), LAYOUT, seams, keep);
        let mesh = builder.build(KEY).unwrap().mesh;
        let vertices = mesh.get_vertex_buffer_size();
        let indices = mesh.get_index_buffer_bytes().unwrap().len();
        assert_eq!(vertices, vertex * mesh.count_vertices(), "{seams:?} {keep}");
        assert_eq!(vertices + indices, builder.mesh_bytes(), "{seams:?} {keep}");
    }
}

/// A field whose gradient cannot be filtered has the same slopes at all levels. Its targets are not
/// evaluated, but taken from the vertices.
#[test]
fn targets_of_unfiltered_fields_are_the_vertices_of_the_parent() {
    struct Unfiltered(Arc<dyn HeightField>);
    impl Field<2> for Unfiltered {
        fn sample(&self, p: [f64; 2]) -> Sample<2> {
            self.0.sample(p)
        }
    }
    let field: Arc<dyn HeightField> = Arc::new(Unfiltered(Arc::new(field())));
    for key in [ChunkKey { lod: 0, x: 2, z: -4 }, ChunkKey { lod: 3, x: 2, z: -4 }] {
        let builder = ChunkBuilder::new(field.clone(), LAYOUT, Seams::Morph, true);
        let child = chunk_vertices(&builder.build(key).unwrap().mesh);
        let parent = builder.build(key.parent()).unwrap().mesh;
        for v in 0..17 * 17 {
            let at = v / 17 / 2 * 17 + v % 17 / 2;
            let [_, height, _] = attribute(&parent, false)[at];
            assert_eq!(child[v].target_height.to_bits(), height.to_bits());
            let normal = attribute(&parent, true)[at].into();
            assert!(angle(child[v].target_normal, normal) <= ChunkVertex::TARGET_NORMAL_ERROR);
        }
    }
}

/// The morph target of a chunk has the curvatures of its parent, whether or not the two levels have
/// the same scale.
#[test]
fn targets_have_the_curvatures_of_the_parent() {
    let layout = Layout { cells: 16, spacing: 1.0 };
    let builder = ChunkBuilder::new(Arc::new(field()), layout, Seams::Morph, true);
    let curvatures = |key| match builder.build(key).unwrap().mesh.attribute(ATTRIBUTE_CURVATURE) {
        Some(VertexAttributeValues::Snorm16x2(values)) => values.clone(),
        other => panic!("{other:?}"),
    };
    // At the scale of level 6 the band-limited field has no waves left.
    for lod in 0..5 {
        // The quarter of the parent with the smaller coordinates.
        let child = curvatures(ChunkKey { lod, x: 2, z: -4 });
        let parent = curvatures(ChunkKey { lod: lod + 1, x: 1, z: -2 });
        assert!(child.iter().any(|[own, _]| *own != 0));
        for (j, i) in (0..17).flat_map(|j| (0..17).map(move |i| (j, i))) {
            assert_eq!(child[j * 17 + i][1], parent[j / 2 * 17 + i / 2][0], "{lod} {i} {j}");
        }
    }
}

/// A fully morphed chunk has the vertices of its parent, and approximately its normals.
#[test]
fn targets_are_the_vertices_of_the_parent() {
    let parent = build(field(), LAYOUT, Seams::Morph, KEY);
    let (parent_positions, parent_normals) =
        (attribute(&parent.mesh, false), attribute(&parent.mesh, true));
    for (quarter, child) in KEY.children().into_iter().enumerate() {
        let ChunkMesh { mesh, aabb, .. } = build(field(), LAYOUT, Seams::Morph, child);
        for (v, vertex) in chunk_vertices(&mesh).into_iter().enumerate() {
            assert_eq!(f64::from(vertex.spacing), LAYOUT.spacing(child.lod));
            assert_eq!(vertex.cells, LAYOUT.cells);
            let [i, j] = [v % 17, v / 17];
            let place = vertex.grid_vertex(v as u32);
            assert_eq!(place, GridVertex { i: i as u32, j: j as u32, cells: 16 });
            let (x, z) = (i / 2 + quarter % 2 * 8, j / 2 + quarter / 2 * 8);
            let half = LAYOUT.size(child.lod) as f32;
            let corner = Vec3::new((quarter % 2) as f32 * half, 0.0, (quarter / 2) as f32 * half);
            let expected = Vec3::from(parent_positions[z * 17 + x]);
            assert_eq!(vertex.position(place, 1.0) + corner, expected);
            assert_eq!(vertex.target_height.to_bits(), expected.y.to_bits());
            let normal = Vec3::from(parent_normals[z * 17 + x]);
            assert!(angle(vertex.target_normal, normal) <= ChunkVertex::TARGET_NORMAL_ERROR);
            for weight in [0.0, 0.3, 1.0] {
                let p = vertex.position(place, weight);
                let d = (p - Vec3::from(aabb.center)).abs() - Vec3::from(aabb.half_extents);
                assert!(d.max_element() < 1e-3);
            }
        }
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
        assert_eq!(chunk.finite, value.is_finite(), "{value} {x}");
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
        let builder = ChunkBuilder::new(Arc::new(field()), LAYOUT, seams, false);
        let build = |lod| builder.build(ChunkKey { lod, x: 0, z: -1 });
        assert!(build(MAX_LOD).is_ok());
        for lod in [MAX_LOD + 1, MAX_LOD + 2, 64, u8::MAX] {
            assert_eq!(build(lod).unwrap_err().limit.name, "lod");
        }
    }
}
