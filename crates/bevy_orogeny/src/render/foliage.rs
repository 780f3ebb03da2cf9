//! The material of scatter: plants that sway, and rocks.

use bevy_app::App;
use bevy_asset::{Asset, Assets, Handle, embedded_asset};
use bevy_ecs::prelude::*;
use bevy_material::{AlphaMode, OpaqueRendererMethod};
use bevy_math::Vec4;
use bevy_mesh::MeshVertexBufferLayoutRef;
use bevy_pbr::{
    ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline,
    MaterialPlugin, StandardMaterial,
};
use bevy_reflect::Reflect;
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{
    AsBindGroup, AsBindGroupShaderType, RenderPipelineDescriptor, ShaderType,
    SpecializedMeshPipelineError,
};
use bevy_render::storage::ShaderBuffer;
use bevy_render::texture::GpuImage;
use bevy_shader::{ShaderDefVal, ShaderRef, load_shader_library};

use crate::lod::camera::HALF_HEIGHT;
use crate::render::{device, records};
use crate::scatter::pool::{Pool, on_batch_removed};
use crate::scatter::tiers::{JITTER, TIERS};
use crate::scatter::vertex::{ATTRIBUTE_PLANT_POSITION, ATTRIBUTE_PLANT_SURFACE};
use crate::scatter::{spawn, stream};
use crate::streaming::components::TerrainViews;
use crate::streaming::schedule::{StreamTerrain, TerrainSystems};
use crate::streaming::{self, FollowLateViewers};

/// The material of plants and rocks. Their colours and outlines are patterns of the fragment
/// shader, without textures. It needs storage buffers in vertex shaders, which WebGL 2 lacks.
pub type PlantMaterial = ExtendedMaterial<StandardMaterial, Foliage>;

/// Wind, and the distances at which levels of detail change. Bevy's shader time wraps every hour;
/// plants jump then.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, PartialEq)]
#[uniform(100, FoliageUniform)]
pub struct Foliage {
    /// The direction in which the wind blows, as an angle from x to z in radians.
    pub heading: f32,
    /// The strength of the wind, 0 to 2; 1 is a fresh breeze.
    pub wind: f32,
    /// The largest magnification of a viewer. The plugin writes it.
    pub(crate) magnification: f32,
    /// Where the instances stand that it draws.
    #[storage(101, read_only, visibility(vertex))]
    pub(crate) records: Handle<ShaderBuffer>,
}

impl Default for Foliage {
    fn default() -> Self {
        Self { heading: 0.6, wind: 0.5, magnification: 1.0, records: Handle::default() }
    }
}

impl Foliage {
    /// The material of plants, without records.
    pub(crate) fn material() -> PlantMaterial {
        let base = StandardMaterial {
            alpha_mode: AlphaMode::Mask(0.5),
            perceptual_roughness: 0.9,
            reflectance: 0.12,
            double_sided: true,
            cull_mode: None,
            opaque_render_method: OpaqueRendererMethod::Forward,
            diffuse_transmission: 0.3,
            ..Default::default()
        };
        PlantMaterial { base, extension: Self::default() }
    }
}

/// [`Foliage`] in the format of `foliage.wgsl`.
#[derive(ShaderType, Clone, Default)]
struct FoliageUniform {
    wind: Vec4,
    zoom: Vec4,
    /// Two vectors for each tier: its range and what it keeps; how much it widens, and where its
    /// shadows shrink.
    tiers: [Vec4; TIER_VECTORS],
}

const TIER_VECTORS: usize = 2 * TIERS.len();

impl AsBindGroupShaderType<FoliageUniform> for Foliage {
    fn as_bind_group_shader_type(&self, _: &RenderAssets<GpuImage>) -> FoliageUniform {
        let (sin, cos) = self.heading.sin_cos();
        let mut uniform = FoliageUniform {
            wind: Vec4::new(cos, sin, self.wind.clamp(0.0, 2.0), JITTER as f32),
            zoom: Vec4::new(self.magnification, HALF_HEIGHT as f32, 0.0, 0.0),
            ..FoliageUniform::default()
        };
        for (pair, tier) in uniform.tiers.chunks_exact_mut(2).zip(&TIERS) {
            let [near, far] = tier.range;
            pair[0] = Vec4::new(near, far, tier.keep[0], tier.keep[1]);
            let [start, end] = tier.shade();
            pair[1] = Vec4::new(tier.widen[0], tier.widen[1], start, end);
        }
        uniform
    }
}

/// The vertex shader and the fragment shader of all passes.
const SHADER: &str = "embedded://bevy_orogeny/render/foliage.wgsl";

impl MaterialExtension for Foliage {
    fn vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn prepass_fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let plant = layout.0.get_layout(&[
            ATTRIBUTE_PLANT_POSITION.at_shader_location(0),
            ATTRIBUTE_PLANT_SURFACE.at_shader_location(1),
        ])?;
        descriptor.vertex.buffers = vec![plant];
        // Texture coordinates, surface, variant and tone travel in Bevy's fields.
        let fields = ["VERTEX_COLORS", "VERTEX_UVS", "VERTEX_UVS_A"];
        let fragment = descriptor.fragment.iter_mut().map(|state| &mut state.shader_defs);
        for defs in fragment.chain([&mut descriptor.vertex.shader_defs]) {
            defs.extend(fields.into_iter().map(Into::into));
            defs.push(ShaderDefVal::UInt("TIER_VECTORS".into(), TIER_VECTORS as u32));
        }
        Ok(())
    }
}

/// Passes the largest magnification of all viewers to the materials.
fn magnify(views: Query<&TerrainViews>, mut materials: ResMut<Assets<PlantMaterial>>) {
    let factors = views.iter().flat_map(|views| &views.now).map(|view| view.zoom.factor);
    let largest = factors.fold(1.0, f64::max) as f32;
    let differs = |material: &PlantMaterial| material.extension.magnification != largest;
    let others = materials.iter().filter(|(_, material)| differs(material)).map(|(id, _)| id);
    let others: Vec<_> = others.collect();
    for id in others {
        if let Some(mut material) = materials.get_mut(id) {
            material.extension.magnification = largest;
        }
    }
}

pub(crate) fn build(app: &mut App) {
    load_shader_library!(app, "plants/hash.wgsl");
    load_shader_library!(app, "plants/bark.wgsl");
    load_shader_library!(app, "plants/far.wgsl");
    load_shader_library!(app, "plants/feather.wgsl");
    load_shader_library!(app, "plants/leaves.wgsl");
    load_shader_library!(app, "plants/solid.wgsl");
    load_shader_library!(app, "plants/stone.wgsl");
    load_shader_library!(app, "plants/surface.wgsl");
    embedded_asset!(app, "foliage.wgsl");
    app.add_plugins(MaterialPlugin::<PlantMaterial>::default())
        .init_resource::<Pool>()
        .add_systems(
            StreamTerrain,
            (
                (stream::receive, stream::follow)
                    .chain()
                    .after(TerrainSystems::Select)
                    .before(spawn::find)
                    .before(TerrainSystems::Show),
                (stream::show, stream::dispatch, magnify, stream::report)
                    .chain()
                    .after(TerrainSystems::Show)
                    .before(TerrainSystems::Report),
            ),
        )
        // Chunks may be replaced a second time in a frame.
        .add_systems(FollowLateViewers, stream::show.after(streaming::show))
        .add_observer(stream::on_tile_removed)
        .add_observer(stream::on_terrain_removed)
        .add_observer(on_batch_removed);
    device::build(app);
    records::build(app);
}
