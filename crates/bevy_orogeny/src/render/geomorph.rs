//! Geomorphing for custom materials.
//!
//! An extension of `StandardMaterial` morphs chunks between levels, without skirts, popping or
//! cracks, if it uses [`SHADER`] as its vertex shader in all passes, calls [`specialize`], and is
//! added with
//! [`TerrainMaterialPlugin::geomorphing`](crate::advanced::TerrainMaterialPlugin::geomorphing):
//!
//! ```
//! use bevy::mesh::MeshVertexBufferLayoutRef;
//! use bevy::pbr::{MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline};
//! use bevy::prelude::*;
//! use bevy::render::render_resource::*;
//! use bevy::shader::ShaderRef;
//! use bevy_orogeny::advanced::geomorph;
//!
//! #[derive(Asset, AsBindGroup, TypePath, Clone)]
//! struct Snow {}
//!
//! impl MaterialExtension for Snow {
//!     fn vertex_shader() -> ShaderRef {
//!         geomorph::SHADER.into()
//!     }
//!     fn prepass_vertex_shader() -> ShaderRef {
//!         geomorph::SHADER.into()
//!     }
//!     fn deferred_vertex_shader() -> ShaderRef {
//!         geomorph::SHADER.into()
//!     }
//!     fn specialize(
//!         _: &MaterialExtensionPipeline,
//!         descriptor: &mut RenderPipelineDescriptor,
//!         layout: &MeshVertexBufferLayoutRef,
//!         _: MaterialExtensionKey<Self>,
//!     ) -> Result<(), SpecializedMeshPipelineError> {
//!         geomorph::specialize(descriptor, layout)
//!     }
//! }
//! ```
//!
//! A custom vertex shader imports `bevy_orogeny::morph` and calls what `geomorph.wgsl` calls.
//! Chunks that geomorph have no positions and no normals. The shader unpacks both from
//! [`ATTRIBUTE_VERTEX`], at location 10, and the index of the vertex.

use bevy_app::App;
use bevy_asset::embedded_asset;
use bevy_mesh::MeshVertexBufferLayoutRef;
use bevy_render::render_resource::{RenderPipelineDescriptor, SpecializedMeshPipelineError};
use bevy_shader::load_shader_library;

use crate::chunk::vertex::ATTRIBUTE_VERTEX;

/// The vertex shader: for the main pass, the prepasses, shadows and deferred rendering.
pub const SHADER: &str = "embedded://bevy_orogeny/render/geomorph.wgsl";

/// Adds the packed vertices of chunks to the pipeline. Other meshes keep their shape.
///
/// # Errors
/// None of its own.
pub fn specialize(
    descriptor: &mut RenderPipelineDescriptor,
    layout: &MeshVertexBufferLayoutRef,
) -> Result<(), SpecializedMeshPipelineError> {
    if !layout.0.contains(ATTRIBUTE_VERTEX) {
        return Ok(());
    }
    let chunk = layout.0.get_layout(&[ATTRIBUTE_VERTEX.at_shader_location(10)])?;
    for buffer in descriptor.vertex.buffers.iter_mut().take(1) {
        buffer.attributes.extend_from_slice(&chunk.attributes);
    }
    descriptor.vertex.shader_defs.push("TERRAIN_CHUNK".into());
    Ok(())
}

pub(crate) fn build(app: &mut App) {
    load_shader_library!(app, "morph.wgsl");
    embedded_asset!(app, "geomorph.wgsl");
}
