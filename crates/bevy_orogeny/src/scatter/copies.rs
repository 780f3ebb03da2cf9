//! Meshes of several copies of a shape, which all tiles share.
//!
//! A mesh does not say where its copies stand: the vertex shader reads that in the records of the
//! batch that it draws. There are only a few numbers of copies, so that there are few meshes.

use bevy_asset::RenderAssetUsages;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};

use super::models::Shape;
use super::vertex::{ATTRIBUTE_PLANT_POSITION, ATTRIBUTE_PLANT_SURFACE, BYTES, position, surface};

/// Meshes have indices of 16 bits.
const MAX_VERTICES: usize = 1 << 16;

/// A number of copies of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Copies {
    pub shape: Shape,
    pub count: u16,
}

/// A mesh, and its size in bytes.
pub struct CopiesMesh {
    pub mesh: Mesh,
    pub bytes: usize,
}

impl Copies {
    /// The largest number of copies of a shape in a mesh.
    pub fn largest(shape: Shape) -> usize {
        (MAX_VERTICES / shape.mesh().vertices.len()).clamp(1, usize::from(u16::MAX))
    }

    /// The mesh for `wanted` instances, which may have more copies than that: 1, 2, 3, 4, 6, 8, 12
    /// and so on, but not more than the largest number.
    pub fn fitting(shape: Shape, wanted: usize) -> Self {
        let above = wanted.next_power_of_two();
        let between = above / 4 * 3;
        let count = if between >= wanted { between } else { above };
        Self { shape, count: count.min(Self::largest(shape)) as u16 }
    }

    pub fn mesh(self) -> CopiesMesh {
        let one = self.shape.mesh();
        let vertices = usize::from(self.count) * one.vertices.len();
        let mut positions = Vec::with_capacity(vertices);
        let mut surfaces = Vec::with_capacity(vertices);
        let mut indices = Vec::with_capacity(usize::from(self.count) * one.indices.len());
        for copy in 0..self.count {
            let first = positions.len() as u32;
            positions.extend(one.vertices.iter().map(position));
            surfaces.extend(one.vertices.iter().map(|vertex| surface(vertex, copy)));
            indices.extend(one.indices.iter().map(|index| (first + index) as u16));
        }
        let bytes = BYTES * positions.len() + 2 * indices.len();
        let positions = VertexAttributeValues::Snorm16x4(positions);
        let surfaces = VertexAttributeValues::Uint32x2(surfaces);
        let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(ATTRIBUTE_PLANT_POSITION, positions)
            .with_inserted_attribute(ATTRIBUTE_PLANT_SURFACE, surfaces)
            .with_inserted_indices(Indices::U16(indices));
        CopiesMesh { mesh, bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scatter::models::shape;
    use orogeny::scatter::Model;

    #[test]
    fn meshes_have_room_for_what_is_wanted_and_little_more() {
        let (spruce, _) = shape(&Model::Spruce, 0.3, 3).unwrap();
        let largest = Copies::largest(spruce);
        assert!(largest > 100);
        for wanted in 1..=largest {
            let count = usize::from(Copies::fitting(spruce, wanted).count);
            assert!(count >= wanted && count <= wanted * 3 / 2 && count <= largest, "{wanted}");
        }
    }

    #[test]
    fn every_shape_fits_into_a_mesh() {
        for model in Model::GROWN {
            for tint in [0.0, 0.3, 0.6, 0.9] {
                for level in 0..4 {
                    let (shape, stretch) = shape(model, tint, level).unwrap();
                    let copies = Copies::fitting(shape, usize::MAX >> 2);
                    let CopiesMesh { mesh, bytes } = copies.mesh();
                    assert!(mesh.count_vertices() <= MAX_VERTICES, "{shape:?}");
                    assert!(bytes < 3 << 20 && (0.5..2.0).contains(&stretch), "{shape:?}");
                    let far = shape.mesh().vertices.iter().flat_map(|vertex| vertex.position);
                    let far = far.map(f32::abs).fold(0.0, f32::max);
                    assert!(far < crate::scatter::vertex::EXTENT, "{shape:?}: {far}");
                }
            }
        }
    }
}
