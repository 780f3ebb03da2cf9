//! Prepares the renderer for painted chunks, and for those with a climate.
//!
//! Their vertices have more attributes, so they have pipelines of their own. The renderer
//! compiles a pipeline when it first draws with it, and leaves out what it draws until that is
//! done: the first stroke of paint would open holes in the ground for some frames. A triangle
//! without an area has the pipelines compiled before.

use bevy_asset::{Assets, Handle, RenderAssetUsages};
use bevy_camera::visibility::NoFrustumCulling;
use bevy_ecs::bundle::Bundle;
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology, VertexAttributeValues};
use bevy_pbr::MeshMaterial3d;

use crate::chunk::climate::ATTRIBUTE_CLIMATE;
use crate::chunk::curvature::ATTRIBUTE_CURVATURE;
use crate::chunk::paint::{ATTRIBUTE_PAINT, ATTRIBUTE_TARGET_PAINT};
use crate::chunk::vertex::ATTRIBUTE_VERTEX;
use crate::ground::ground_cover::TerrainMaterial;
use crate::streaming::derived::derived;

/// A chunk that nobody sees, with paint, a climate or both.
pub(super) fn unseen(
    meshes: &mut Assets<Mesh>,
    material: Handle<TerrainMaterial>,
    is_painted: bool,
    has_climate: bool,
) -> impl Bundle {
    let zeros = VertexAttributeValues::Uint32x4(vec![[0; 4]]);
    let pairs = VertexAttributeValues::Snorm16x2(vec![[0; 2]]);
    let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(ATTRIBUTE_VERTEX, zeros.clone())
        .with_inserted_attribute(ATTRIBUTE_CURVATURE, pairs)
        .with_inserted_indices(Indices::U16(vec![0; 3]));
    if is_painted {
        mesh.insert_attribute(ATTRIBUTE_PAINT, zeros.clone());
        mesh.insert_attribute(ATTRIBUTE_TARGET_PAINT, zeros);
    }
    if has_climate {
        let climates = VertexAttributeValues::Snorm16x4(vec![[0; 4]]);
        mesh.insert_attribute(ATTRIBUTE_CLIMATE, climates);
    }
    let name = derived("Unseen chunk");
    (Mesh3d(meshes.add(mesh)), MeshMaterial3d(material), NoFrustumCulling, name)
}
