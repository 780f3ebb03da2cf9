//! The material of debug views: geomorphing chunks, coloured by `debug.wgsl`.

use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{
    ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, PolygonMode, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;
use bevy_orogeny::geomorph;

use super::DebugView;

pub type DebugMaterial = ExtendedMaterial<StandardMaterial, Debug>;

/// The parameters of `debug.wgsl` for one level.
#[derive(Asset, AsBindGroup, TypePath, Clone)]
#[bind_group_data(Fill)]
pub struct Debug {
    #[uniform(100)]
    pub uniform: DebugUniform,
}

/// The uniform of `debug.wgsl`.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub struct DebugUniform {
    /// Metres along a side of a chunk.
    pub size: f32,
    /// The distance in metres at which the level's error is as large as the viewer allows.
    pub reach: f32,
    /// The number of the view.
    pub kind: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Fill {
    Triangles,
    Edges,
}

impl From<&Debug> for Fill {
    fn from(debug: &Debug) -> Self {
        let edges = debug.uniform.kind == DebugView::Wireframe as u32;
        if edges { Self::Edges } else { Self::Triangles }
    }
}

impl MaterialExtension for Debug {
    fn vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn deferred_vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        "embedded://bevy_orogeny_panel/views/debug.wgsl".into()
    }

    fn deferred_fragment_shader() -> ShaderRef {
        Self::fragment_shader()
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        key: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        if key.bind_group_data == Fill::Edges {
            descriptor.primitive.polygon_mode = PolygonMode::Line;
        }
        geomorph::specialize(descriptor, layout)
    }
}
