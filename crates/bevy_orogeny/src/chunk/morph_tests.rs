//! Meshes of chunks that geomorph: packed vertices, targets and curvatures.

use bevy_math::Vec3;
use bevy_mesh::{Mesh, VertexAttributeValues};
use orogeny::{Field, Landscape, Sample};

use crate::chunk::curvature::ATTRIBUTE_CURVATURE;
use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::mesh::{ChunkBuilder, ChunkMesh};
use crate::chunk::mesh_tests::{KEY, LAYOUT, attribute, build, field, holey_field};
use crate::chunk::morph::GridVertex;
use crate::chunk::seams::Seams;
use crate::chunk::vertex::{ATTRIBUTE_VERTEX, ChunkVertex};

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

/// Of a mesh that is not kept, the shader's vertices are all there is. They have the positions of
/// the kept mesh bit for bit, and its normals within the stated error.
#[test]
fn packed_vertices_equal_queries() {
    for (field, layout, key) in [
        (field(), LAYOUT, KEY),
        (field(), Layout { cells: 128, spacing: 1.0 / 64.0 }, ChunkKey { lod: 0, x: 5, z: -3 }),
        (field(), Layout { cells: 8, spacing: 64.0 }, ChunkKey { lod: 30, x: 0, z: -1 }),
    ] {
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

/// A field whose gradient cannot be filtered has the same slopes at all levels. At the finest ones
/// its targets are not evaluated, but taken from the vertices.
#[test]
fn targets_of_unfiltered_fields_are_the_vertices_of_the_parent() {
    struct Unfiltered(Landscape);
    impl Field<2> for Unfiltered {
        fn sample(&self, p: [f64; 2]) -> Sample<2> {
            self.0.sample(p)
        }
    }
    let field = Landscape::of(Unfiltered(field()));
    for key in [ChunkKey { lod: 0, x: 2, z: -4 }, ChunkKey { lod: 3, x: 2, z: -4 }] {
        let builder = ChunkBuilder::new(field.clone(), LAYOUT, Seams::Morph, true);
        let child = chunk_vertices(&builder.build(key).unwrap().mesh);
        let parent = builder.build(key.parent()).unwrap().mesh;
        for (v, vertex) in child.iter().enumerate() {
            let at = v / 17 / 2 * 17 + v % 17 / 2;
            let [_, height, _] = attribute(&parent, false)[at];
            assert_eq!(vertex.target_height.to_bits(), height.to_bits());
            let normal = attribute(&parent, true)[at].into();
            assert!(angle(vertex.target_normal, normal) <= ChunkVertex::TARGET_NORMAL_ERROR);
        }
    }
}

/// The morph target of a chunk has the curvatures of its parent, whether or not the two levels have
/// the same scale.
#[test]
fn targets_have_the_curvatures_of_the_parent() {
    let layout = Layout { cells: 16, spacing: 1.0 };
    let builder = ChunkBuilder::new(field(), layout, Seams::Morph, true);
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

/// A vertex whose target is in a hole stays where it is, with its own normal; the others morph onto
/// vertices of the parent, which have ground.
#[test]
fn vertices_do_not_morph_into_holes() {
    let parent = build(holey_field(), LAYOUT, Seams::Morph, KEY);
    let parent_positions = attribute(&parent.mesh, false);
    let field = holey_field();
    let [mut stay, mut morph] = [0; 2];
    for (quarter, child) in KEY.children().into_iter().enumerate() {
        let [ox, oz] = LAYOUT.origin(child);
        let ground = |p: Vec3| field.sample([ox + f64::from(p.x), oz + f64::from(p.z)]).value;
        let chunk = build(holey_field(), LAYOUT, Seams::Morph, child);
        for (v, vertex) in chunk_vertices(&chunk.mesh).into_iter().enumerate() {
            let place = vertex.grid_vertex(v as u32);
            let [own, target] = [0.0, 1.0].map(|weight| vertex.position(place, weight));
            if !ground(own).is_finite() {
                continue;
            }
            assert_eq!(ground(own).to_bits(), own.y.to_bits());
            let (x, z) = (v % 17 / 2 + quarter % 2 * 8, v / 17 / 2 + quarter / 2 * 8);
            if vertex.target_height.is_finite() {
                morph += 1;
                let half = LAYOUT.size(child.lod) as f32;
                let corner = [quarter % 2, quarter / 2].map(|k| k as f32 * half);
                let corner = Vec3::new(corner[0], 0.0, corner[1]);
                assert_eq!(target + corner, Vec3::from(parent_positions[z * 17 + x]));
            } else {
                stay += 1;
                assert_eq!(target, own);
                let slack = ChunkVertex::NORMAL_ERROR + ChunkVertex::TARGET_NORMAL_ERROR;
                assert!(angle(vertex.target_normal, vertex.normal) <= slack);
            }
        }
    }
    assert!(stay > 100 && morph > 500, "{stay} {morph}");
}

/// A fully morphed chunk has the vertices of its parent, and approximately its normals: where
/// neither is balanced, where the parent is, and where both are.
#[test]
fn targets_are_the_vertices_of_the_parent() {
    [2, 3, 5].into_iter().for_each(targets_are_those_of_level);
}

fn targets_are_those_of_level(lod: u8) {
    let key = ChunkKey { lod, ..KEY };
    let parent = build(field(), LAYOUT, Seams::Morph, key);
    let (parent_positions, parent_normals) =
        (attribute(&parent.mesh, false), attribute(&parent.mesh, true));
    for (quarter, child) in key.children().into_iter().enumerate() {
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
