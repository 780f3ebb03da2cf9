//! The floor: `StandardMaterial` in one colour on the same geometry as the default material.

use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{
    ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, RenderPipelineDescriptor, SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;
use bevy_orogeny::advanced::{TerrainMaterialPlugin, geomorph};

/// The material.
pub type PlainMaterial = ExtendedMaterial<StandardMaterial, Geomorphing>;

/// Geomorphs chunks. Without it they would get skirts, which are more to draw.
#[derive(Asset, AsBindGroup, TypePath, Clone, Default)]
pub struct Geomorphing {}

impl MaterialExtension for Geomorphing {
    fn vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        geomorph::SHADER.into()
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        geomorph::specialize(descriptor, layout)
    }
}

/// Adds the material. Call it before `App::finish`.
pub fn add(app: &mut App) {
    app.add_plugins(MaterialPlugin::<PlainMaterial>::default())
        .add_plugins(TerrainMaterialPlugin::<PlainMaterial>::geomorphing());
}

/// As rough as the default material.
pub fn material() -> PlainMaterial {
    let base = StandardMaterial {
        base_color: Color::srgb(0.4, 0.42, 0.34),
        perceptual_roughness: 0.95,
        reflectance: 0.2,
        ..default()
    };
    PlainMaterial { base, extension: Geomorphing {} }
}
