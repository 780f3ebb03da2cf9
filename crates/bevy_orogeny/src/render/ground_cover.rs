//! The default material: what covers the ground, drawn.

use bevy_asset::{Asset, Handle};
use bevy_color::{ColorToComponents, LinearRgba, Srgba};
use bevy_image::Image;
use bevy_math::{Vec3, Vec4};
use bevy_mesh::MeshVertexBufferLayoutRef;
use bevy_pbr::{
    ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
    StandardMaterial,
};
use bevy_reflect::Reflect;
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{
    AsBindGroup, AsBindGroupShaderType, RenderPipelineDescriptor, ShaderType,
    SpecializedMeshPipelineError,
};
use bevy_render::texture::GpuImage;
use bevy_shader::ShaderRef;
use orogeny::Cover;
use orogeny::cover::CoverLayer;

use crate::chunk::curvature::ATTRIBUTE_CURVATURE;
use crate::render::geomorph;
use crate::terrain::Appearance;

/// The material that a terrain gets when it is spawned without one: [`StandardMaterial`] with the
/// colours and bumps of what covers the ground.
pub type TerrainMaterial = ExtendedMaterial<StandardMaterial, GroundCover>;

/// Draws what covers the ground: every layer of the terrain's [`Cover`](orogeny::Cover) with a
/// colour and a grain of its own, wet sand, foam and light that fades below the sea.
///
/// It needs no textures. Where they are given, they are laid on from three sides, so that cliffs do
/// not stretch them, and take the place of the grain. Each terrain has a material of its own; one
/// that you put on a terrain, with textures for instance, is given the terrain's cover and sea in
/// the same way, so that two terrains that look different need two.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, PartialEq)]
#[uniform(100, GroundUniform)]
pub struct GroundCover {
    /// What covers the ground. The plugin keeps it as the terrain has it.
    #[reflect(ignore)]
    pub look: Appearance,
    /// Colours, to be multiplied by those of the layers: an array texture, whose image k is for
    /// layer k. Its sampler must repeat (Bevy's default does not), and it should have mipmaps.
    #[texture(101, dimension = "2d_array")]
    #[sampler(102)]
    pub colours: Option<Handle<Image>>,
    /// Normals (in linear RGB, x to the right, y down), also an array. Used where there are
    /// colours.
    #[texture(103, dimension = "2d_array")]
    #[sampler(104)]
    pub normals: Option<Handle<Image>>,
    /// The width of a texture in metres: a power of two, 1/64 to 8192, so that the origin may move.
    /// Other numbers are taken as the nearest one.
    pub texture_width: f32,
}

impl Default for GroundCover {
    fn default() -> Self {
        Self { look: Appearance::default(), colours: None, normals: None, texture_width: 4.0 }
    }
}

impl GroundCover {
    /// The texture's width as it is drawn.
    fn whole_width(&self) -> f32 {
        let exponent = self.texture_width.log2().round();
        // Not a number, and what is not above 0, become the default.
        let exponent = if exponent.is_finite() { exponent } else { 2.0 };
        exponent.clamp(-6.0, 13.0).exp2()
    }
}

/// One layer as `cover.wgsl` reads it.
#[derive(ShaderType, Clone, Copy, Default)]
struct LayerUniform {
    colour: Vec4,
    height: Vec4,
    slope: Vec4,
    curvature: Vec4,
    surface: Vec4,
}

/// [`GroundCover`] as `ground.wgsl` reads it.
#[derive(ShaderType, Clone, Default)]
struct GroundUniform {
    layers: [LayerUniform; Cover::MAX_LAYERS],
    settings: Vec4,
    absorption: Vec4,
    deep: Vec4,
}

impl From<&CoverLayer> for LayerUniform {
    fn from(layer: &CoverLayer) -> Self {
        let [r, g, b] = layer.colour();
        let colour = LinearRgba::from(Srgba::rgb(r, g, b)).to_vec3();
        let [height, slope, curvature] = layer.bands();
        let with = |[min, max, soft]: [f32; 3], other| Vec4::new(min, max, soft, other);
        Self {
            colour: colour.extend(f32::from(layer.kind as u8)),
            height: with(height, layer.edge_noise),
            slope: with(slope, layer.coverage),
            curvature: with(curvature, layer.strata),
            surface: Vec4::new(layer.detail, 0.0, 0.0, 0.0),
        }
    }
}

/// The part of the light, of red, green and blue, that a metre of clear water swallows; and the
/// colour of what deep water sends back.
const ABSORPTION: [f32; 3] = [0.36, 0.085, 0.06];
const DEEP: Vec4 = Vec4::new(0.004, 0.026, 0.04, 0.0);
/// The depth in metres to which the ground is seen through it, and drawn.
pub(crate) const DARK: f32 = 40.0;
/// Where there is no sea, all is above it.
const NO_SEA: f32 = -1e9;

impl AsBindGroupShaderType<GroundUniform> for GroundCover {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> GroundUniform {
        let Appearance { cover, sea_level } = &self.look;
        let mut layers = [LayerUniform::default(); Cover::MAX_LAYERS];
        for (uniform, layer) in layers.iter_mut().zip(&cover.layers) {
            *uniform = layer.into();
        }
        let count = cover.layers.len().min(Cover::MAX_LAYERS) as f32;
        let width = if self.colours.is_some() { self.whole_width() } else { 0.0 };
        let bumps = f32::from(u8::from(self.normals.is_some()));
        GroundUniform {
            layers,
            settings: Vec4::new(sea_level.unwrap_or(NO_SEA), count, width, bumps),
            absorption: Vec3::from(ABSORPTION).extend(DARK),
            deep: DEEP,
        }
    }
}

impl MaterialExtension for GroundCover {
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
        "embedded://bevy_orogeny/render/ground.wgsl".into()
    }

    fn deferred_fragment_shader() -> ShaderRef {
        Self::fragment_shader()
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        geomorph::specialize(descriptor, layout)?;
        if layout.0.contains(ATTRIBUTE_CURVATURE) {
            let chunk = layout.0.get_layout(&[ATTRIBUTE_CURVATURE.at_shader_location(11)])?;
            for buffer in descriptor.vertex.buffers.iter_mut().take(1) {
                buffer.attributes.extend_from_slice(&chunk.attributes);
            }
            descriptor.vertex.shader_defs.push("TERRAIN_COVER".into());
        }
        Ok(())
    }
}
