//! Chunks that nobody sees, which have the renderer compile pipelines.
//!
//! It compiles a pipeline when it first draws with it, and leaves out what it draws until that is
//! done: another material, or the first stroke of paint, whose vertices have more attributes, would
//! open holes in the ground for some frames or seconds. A triangle without an area has the
//! pipelines compiled before.

use bevy_asset::{Assets, RenderAssetUsages};
use bevy_camera::visibility::NoFrustumCulling;
use bevy_ecs::bundle::Bundle;
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology, VertexAttributeValues};
use bevy_pbr::{Material, MeshMaterial3d};

use crate::base::derived::derived;
use crate::chunk::climate::ATTRIBUTE_CLIMATE;
use crate::chunk::curvature::ATTRIBUTE_CURVATURE;
use crate::chunk::paint::{ATTRIBUTE_PAINT, ATTRIBUTE_TARGET_PAINT};
use crate::chunk::seams::Seams;
use crate::chunk::vertex::ATTRIBUTE_VERTEX;

/// The vertices of chunks, as far as pipelines depend on them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertices {
    pub seams: Seams,
    /// Whether the CPU can read them, so that all have positions and normals.
    pub is_kept: bool,
    pub is_painted: bool,
    pub has_climate: bool,
}

impl Vertices {
    /// Those of a terrain's chunks, painted or not.
    pub fn of(
        seams: Seams,
        is_kept: bool,
        has_climate: bool,
    ) -> impl Iterator<Item = Self> + use<> {
        let morphs = seams == Seams::Morph;
        let plain = Self { seams, is_kept, is_painted: false, has_climate };
        let painted = Self { is_painted: true, ..plain };
        [plain, painted].into_iter().take(if morphs { 2 } else { 1 })
    }
}

/// A chunk that nobody sees.
pub(crate) fn unseen<M: Material>(
    meshes: &mut Assets<Mesh>,
    material: MeshMaterial3d<M>,
    vertices: Vertices,
) -> impl Bundle {
    let Vertices { seams, is_kept, is_painted, has_climate } = vertices;
    let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_indices(Indices::U16(vec![0; 3]));
    let morphs = seams == Seams::Morph;
    if !morphs || is_kept {
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0; 3]]);
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 1.0, 0.0]]);
    }
    if morphs {
        let zeros = VertexAttributeValues::Uint32x4(vec![[0; 4]]);
        mesh.insert_attribute(ATTRIBUTE_VERTEX, zeros.clone());
        let pairs = VertexAttributeValues::Snorm16x2(vec![[0; 2]]);
        mesh.insert_attribute(ATTRIBUTE_CURVATURE, pairs);
        if is_painted {
            mesh.insert_attribute(ATTRIBUTE_PAINT, zeros.clone());
            mesh.insert_attribute(ATTRIBUTE_TARGET_PAINT, zeros);
        }
        if has_climate {
            let climates = VertexAttributeValues::Snorm16x4(vec![[0; 4]]);
            mesh.insert_attribute(ATTRIBUTE_CLIMATE, climates);
        }
    } else {
        mesh.insert_attribute(Mesh::ATTRIBUTE_UV_0, vec![[0.0; 2]]);
    }
    (Mesh3d(meshes.add(mesh)), material, NoFrustumCulling, derived("Unseen chunk"))
}
