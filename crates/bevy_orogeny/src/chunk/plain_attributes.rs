//! The vertex attributes that any material and any reader of meshes knows: positions, normals and
//! texture coordinates, and the vertices of skirts.

use bevy_mesh::Mesh;
use orogeny::Samples;

use crate::chunk::height_field::{is_ground, normal_of};
use crate::chunk::triangles::edges;

/// Adds the attributes for samples on a grid with `side` vertices along each side, `step` apart.
/// Vertices without ground are at the height `hole`. `skirt` is the depth of a skirt in metres, for
/// chunks that have one.
pub(super) fn insert(
    mesh: &mut Mesh,
    surface: &Samples<2>,
    side: usize,
    step: f32,
    hole: f32,
    with_uvs: bool,
    skirt: Option<f32>,
) {
    let count = side * side + if skirt.is_some() { 4 * side } else { 0 };
    let mut positions = Vec::with_capacity(count);
    let mut normals = Vec::with_capacity(count);
    let mut uvs = Vec::with_capacity(if with_uvs { count } else { 0 });
    for (j, heights) in surface.values().chunks_exact(side).enumerate() {
        let z = j as f32 * step;
        let x = |i| i as f32 * step;
        let height = |y| if is_ground(y) { y } else { hole };
        positions.extend(heights.iter().enumerate().map(|(i, &y)| [x(i), height(y), z]));
        if with_uvs {
            uvs.extend((0..side).map(|i| [x(i), z]));
        }
    }
    let slopes = surface.derivatives(0).iter().zip(surface.derivatives(1));
    normals.extend(slopes.map(|(&dx, &dz)| normal_of(dx, dz).to_array()));

    if let Some(depth) = skirt {
        for edge in edges(side) {
            for top in (0..side).map(|i| edge.vertex(i)) {
                let [x, y, z] = positions[top];
                positions.push([x, y - depth, z]);
                normals.push(normals[top]);
                if with_uvs {
                    uvs.push(uvs[top]);
                }
            }
        }
    }
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, positions);
    mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
    if with_uvs {
        mesh.insert_attribute(Mesh::ATTRIBUTE_UV_0, uvs);
    }
}
