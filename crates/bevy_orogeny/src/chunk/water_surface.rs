//! The surfaces of rivers, lakes and floods on a chunk, as one mesh.

use bevy_asset::RenderAssetUsages;
use bevy_camera::primitives::Aabb;
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology};

/// The surfaces of the water on a chunk, without the sea.
#[derive(Debug)]
pub struct WaterSurface {
    /// Positions in metres, x and z from the chunk's origin and the height from the terrain's; the
    /// normals of the surface at rest; texture coordinates: across a river, -1 at one edge and 1 at
    /// the other, and the depth in the middle in metres, or 0 and the depth there in a flood, which
    /// is negative over dry ground; second texture coordinates: the mean velocity along x and z in
    /// m/s.
    pub mesh: Mesh,
    /// The box around all vertices.
    pub aabb: Aabb,
}

/// A vertex of a surface.
pub(super) struct WaterVertex {
    pub position: [f32; 3],
    pub normal: Vec3,
    /// Across the river, and the depth.
    pub section: [f32; 2],
    pub flow: [f32; 2],
}

/// Vertices and triangles, while they are made.
#[derive(Default)]
pub(super) struct WaterParts {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    sections: Vec<[f32; 2]>,
    flows: Vec<[f32; 2]>,
    indices: Vec<u32>,
}

impl WaterParts {
    /// Adds a vertex, and returns its number.
    pub fn vertex(&mut self, vertex: WaterVertex) -> u32 {
        let WaterVertex { position, normal, section, flow } = vertex;
        self.positions.push(position);
        self.normals.push(normal.into());
        self.sections.push(section);
        self.flows.push(flow);
        self.positions.len() as u32 - 1
    }

    /// Adds a triangle between vertices.
    pub fn triangle(&mut self, corners: [u32; 3]) {
        self.indices.extend(corners);
    }

    /// The mesh; `None` without triangles.
    pub fn surface(self, usages: RenderAssetUsages) -> Option<WaterSurface> {
        if self.indices.is_empty() {
            return None;
        }
        let aabb = Aabb::enclosing(self.positions.iter().map(|&p| Vec3::from(p)))?;
        let mesh = Mesh::new(PrimitiveTopology::TriangleList, usages)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, self.sections)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_1, self.flows)
            .with_inserted_indices(Indices::U32(self.indices));
        Some(WaterSurface { mesh, aabb })
    }
}
