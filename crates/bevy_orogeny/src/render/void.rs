//! Draws the inside of holes, so that no sky is seen below the ground.

use bevy_app::App;
use bevy_asset::{Asset, Assets, Handle, embedded_asset};
use bevy_color::LinearRgba;
use bevy_ecs::prelude::*;
use bevy_material::AlphaMode;
use bevy_mesh::MeshVertexBufferLayoutRef;
use bevy_pbr::{Material, MaterialPipeline, MaterialPipelineKey, MaterialPlugin, MeshMaterial3d};
use bevy_reflect::Reflect;
use bevy_render::render_resource::{
    AsBindGroup, Face, RenderPipelineDescriptor, SpecializedMeshPipelineError,
};
use bevy_shader::ShaderRef;

use crate::base::drawn_for::NeverCasts;
use crate::streaming::chunk_entity::ChunkVoid;

/// The material of each [`ChunkVoid`]: one colour, unlit, drawn where nothing else is.
#[derive(Asset, AsBindGroup, Reflect, Clone, Debug, PartialEq)]
pub struct VoidMaterial {
    /// The colour. With an alpha of 0, the sky shows through holes.
    #[uniform(0)]
    pub color: LinearRgba,
}

impl Default for VoidMaterial {
    fn default() -> Self {
        Self { color: LinearRgba::rgb(0.002, 0.002, 0.002) }
    }
}

/// Added to the distance by which transparent meshes are sorted: before all water.
const FIRST: f32 = -3e7;
const SHADER: &str = "embedded://bevy_orogeny/render/void.wgsl";

impl Material for VoidMaterial {
    fn vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    // After the sky.
    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn depth_bias(&self) -> f32 {
        FIRST
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        descriptor.primitive.cull_mode = Some(Face::Back);
        Ok(())
    }
}

/// The material of all holes. Change the asset to change how they look.
#[derive(Resource, Clone, Debug)]
pub struct VoidAppearance(pub Handle<VoidMaterial>);

impl FromWorld for VoidAppearance {
    fn from_world(world: &mut World) -> Self {
        Self(world.resource_mut::<Assets<VoidMaterial>>().add(VoidMaterial::default()))
    }
}

pub(super) fn build(app: &mut App) {
    embedded_asset!(app, "void.wgsl");
    app.add_plugins(MaterialPlugin::<VoidMaterial>::default())
        .init_resource::<VoidAppearance>()
        .add_observer(on_void_added);
}

fn on_void_added(
    event: On<Add, ChunkVoid>,
    mut commands: Commands,
    appearance: Res<VoidAppearance>,
) {
    let material = MeshMaterial3d(appearance.0.clone());
    commands.entity(event.entity).try_insert((material, NeverCasts));
}
