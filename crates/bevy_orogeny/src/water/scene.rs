//! What water reads of the scene that it is drawn over: images that the renderer fills for each
//! view that sees water, just before it draws what is transparent.
//!
//! All views share them, since they are drawn one after the other: the depth by pixel, as large as
//! the largest target, and the haze of the view's atmosphere.

use bevy_app::App;
use bevy_asset::{
    AssetServer, Assets, Handle, RenderAssetUsages, embedded_asset, load_embedded_asset,
};
use bevy_camera::visibility::ViewVisibility;
use bevy_camera::{Camera, Camera3d};
use bevy_color::LinearRgba;
use bevy_core_pipeline::FullscreenShader;
use bevy_core_pipeline::core_3d::{main_opaque_pass_3d, main_transparent_pass_3d};
use bevy_core_pipeline::schedule::{Core3d, Core3dSystems};
use bevy_ecs::prelude::*;
use bevy_image::{Image, ImageSampler};
use bevy_math::UVec2;
use bevy_pbr::GpuAtmosphereSettings;
use bevy_pbr::resources::{AtmosphereSampler, AtmosphereTextures, GpuAtmosphere};
use bevy_render::extract_component::{ComponentUniforms, DynamicUniformIndex};
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_phase::TrackedRenderPass;
use bevy_render::render_resource::binding_types::{
    sampler, texture_2d, texture_2d_multisampled, texture_3d, uniform_buffer,
};
use bevy_render::render_resource::{
    BindGroupEntries, BindGroupLayoutDescriptor, BindGroupLayoutEntries, CachedRenderPipelineId,
    ColorTargetState, ColorWrites, Extent3d, FragmentState, LoadOp, Operations, PipelineCache,
    RenderPassColorAttachment, RenderPassDescriptor, RenderPipelineDescriptor, SamplerBindingType,
    ShaderStages, StoreOp, TextureDimension, TextureFormat, TextureSampleType, TextureUsages,
    WgpuFeatures,
};
use bevy_render::renderer::{RenderContext, RenderDevice, ViewQuery};
use bevy_render::texture::GpuImage;
use bevy_render::view::{ViewDepthTexture, ViewUniform, ViewUniformOffset, ViewUniforms};
use bevy_render::{Extract, ExtractSchedule, Render, RenderApp, RenderStartup, RenderSystems};
use bevy_shader::ShaderDefVal;

use super::below::Veil;
use super::sea::Sea;
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::streaming::chunk_entity::ChunkWater;

/// The format of depths.
const DEPTH: TextureFormat = TextureFormat::R32Float;
/// The format of haze.
const HAZE: TextureFormat = TextureFormat::Rgba16Float;
/// The slices of haze, and their pixels along each side, as in `haze.wgsl`.
const SLICES: u32 = 32;
/// Sizes of the depth are multiples of this, so that a window that is dragged does not make a new
/// image in every frame.
const SIZE_STEP: u32 = 256;

/// The images, and what the device can do with them.
#[derive(Resource, Clone, Default)]
pub(super) struct Scene {
    pub depth: Option<Handle<Image>>,
    pub haze: Option<Handle<Image>>,
    /// Whether blending has a factor for each colour.
    pub by_colour: bool,
    size: UVec2,
}

/// The order of the systems that pass the scene to materials.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FitScene;

pub(super) fn build(app: &mut App) {
    app.init_resource::<Scene>()
        .add_systems(StreamTerrain, fit.in_set(FitScene).in_set(TerrainSystems::Follow));
    embedded_asset!(app, "scene_depth.wgsl");
    embedded_asset!(app, "haze.wgsl");
    let Some(app) = app.get_sub_app_mut(RenderApp) else { return };
    app.init_resource::<SeenScene>()
        .add_systems(RenderStartup, queue_pipelines)
        .add_systems(ExtractSchedule, extract)
        .add_systems(Render, let_depth_be_read.in_set(RenderSystems::PrepareViews))
        .add_systems(
            Core3d,
            copy.after(main_opaque_pass_3d)
                .before(main_transparent_pass_3d)
                .in_set(Core3dSystems::MainPass),
        );
}

fn image(size: [u32; 2], format: TextureFormat) -> Image {
    let [width, height] = size;
    let size = Extent3d { width, height, depth_or_array_layers: 1 };
    // In the main world, too, so that it is there again when the device was lost.
    let usages = RenderAssetUsages::default();
    let mut image = Image::new_uninit(size, TextureDimension::D2, format, usages);
    image.texture_descriptor.usage =
        TextureUsages::TEXTURE_BINDING | TextureUsages::RENDER_ATTACHMENT;
    image.sampler = ImageSampler::linear();
    image
}

/// Keeps the depth as large as the largest target, once there is water.
fn fit(
    cameras: Query<&Camera, With<Camera3d>>,
    water: Query<(), Or<(With<Sea>, With<ChunkWater>)>>,
    device: Option<Res<RenderDevice>>,
    mut scene: ResMut<Scene>,
    mut images: ResMut<Assets<Image>>,
) {
    let Some(device) = device.filter(|_| !water.is_empty()) else { return };
    let sizes = cameras.iter().filter_map(Camera::physical_target_size);
    let largest = sizes.fold(UVec2::ONE, UVec2::max);
    let most = UVec2::splat(device.limits().max_texture_dimension_2d);
    let fitting = largest.map(|side| side.next_multiple_of(SIZE_STEP)).min(most);
    if fitting.cmple(scene.size).all() {
        return;
    }
    let scene = &mut *scene;
    scene.size = scene.size.max(fitting);
    // A new handle, so that materials are bound anew.
    scene.depth = Some(images.add(image(scene.size.into(), DEPTH)));
    if scene.haze.is_none() {
        scene.haze = Some(images.add(image([SLICES * SLICES, SLICES + 1], HAZE)));
    }
    scene.by_colour = device.features().contains(WgpuFeatures::DUAL_SOURCE_BLENDING);
}

/// The images, if any water is seen.
#[derive(Resource, Default)]
struct SeenScene(Option<Scene>);

fn extract(
    mut seen: ResMut<SeenScene>,
    scene: Extract<Res<Scene>>,
    surfaces: Extract<Query<&ViewVisibility, Or<(With<Sea>, With<ChunkWater>)>>>,
    veils: Extract<Query<&Veil>>,
) {
    let is_seen =
        surfaces.iter().any(|visibility| visibility.get()) || veils.iter().any(|veil| veil.is_down);
    seen.0 = is_seen.then(|| scene.clone());
}

fn let_depth_be_read(mut cameras: Query<&mut Camera3d, Changed<Camera3d>>) {
    for mut camera in &mut cameras {
        camera.depth_texture_usages.0 |= TextureUsages::TEXTURE_BINDING.bits();
    }
}

#[derive(Resource)]
struct Pipelines {
    /// With one sample, and with several.
    depth: [(BindGroupLayoutDescriptor, CachedRenderPipelineId); 2],
    haze: (BindGroupLayoutDescriptor, CachedRenderPipelineId),
}

fn queue_pipelines(
    mut commands: Commands,
    cache: Res<PipelineCache>,
    fullscreen: Res<FullscreenShader>,
    assets: Res<AssetServer>,
) {
    let queue = |label: &'static str, layout: BindGroupLayoutDescriptor, shader, defs, format| {
        let target = ColorTargetState { format, blend: None, write_mask: ColorWrites::ALL };
        let fragment = FragmentState {
            shader,
            shader_defs: defs,
            targets: vec![Some(target)],
            ..FragmentState::default()
        };
        let id = cache.queue_render_pipeline(RenderPipelineDescriptor {
            label: Some(label.into()),
            layout: vec![layout.clone()],
            vertex: fullscreen.to_vertex_state(),
            fragment: Some(fragment),
            ..RenderPipelineDescriptor::default()
        });
        (layout, id)
    };
    let depth = [false, true].map(|multisampled| {
        let entry = match multisampled {
            false => texture_2d(TextureSampleType::Depth),
            true => texture_2d_multisampled(TextureSampleType::Depth),
        };
        let entries = BindGroupLayoutEntries::single(ShaderStages::FRAGMENT, entry);
        let layout = BindGroupLayoutDescriptor::new("water_scene_depth", &entries);
        let shader = load_embedded_asset!(assets.as_ref(), "scene_depth.wgsl");
        let defs = match multisampled {
            false => Vec::new(),
            true => vec![ShaderDefVal::from("MULTISAMPLED")],
        };
        queue("water: depth of the scene", layout, shader, defs, DEPTH)
    });
    // Those of Bevy's own shaders of the atmosphere.
    let entries = BindGroupLayoutEntries::with_indices(
        ShaderStages::FRAGMENT,
        (
            (0, uniform_buffer::<GpuAtmosphere>(true)),
            (1, uniform_buffer::<GpuAtmosphereSettings>(true)),
            (3, uniform_buffer::<ViewUniform>(true)),
            (8, texture_2d(TextureSampleType::default())),
            (11, texture_3d(TextureSampleType::default())),
            (12, sampler(SamplerBindingType::Filtering)),
        ),
    );
    let layout = BindGroupLayoutDescriptor::new("water_haze", &entries);
    let shader = load_embedded_asset!(assets.as_ref(), "haze.wgsl");
    let haze = queue("water: haze", layout, shader, Vec::new(), HAZE);
    commands.insert_resource(Pipelines { depth, haze });
}

/// The parts of a view's atmosphere.
type Air = (
    &'static AtmosphereTextures,
    &'static DynamicUniformIndex<GpuAtmosphere>,
    &'static DynamicUniformIndex<GpuAtmosphereSettings>,
);

/// Uniforms of all atmospheres; none without their plugin.
type AirUniforms<'w> = (
    Option<Res<'w, ComponentUniforms<GpuAtmosphere>>>,
    Option<Res<'w, ComponentUniforms<GpuAtmosphereSettings>>>,
    Option<Res<'w, AtmosphereSampler>>,
);

fn copy(
    view: ViewQuery<(&ViewDepthTexture, &ViewUniformOffset, Option<Air>)>,
    seen: Res<SeenScene>,
    images: Res<RenderAssets<GpuImage>>,
    pipelines: Res<Pipelines>,
    cache: Res<PipelineCache>,
    device: Res<RenderDevice>,
    view_uniforms: Res<ViewUniforms>,
    (atmospheres, settings, air_sampler): AirUniforms,
    mut context: RenderContext,
) {
    let Some(scene) = &seen.0 else { return };
    let image = |handle: &Option<_>| handle.as_ref().and_then(|handle| images.get(handle));
    let (depth, offset, air) = view.into_inner();
    if let Some(image) = image(&scene.depth)
        && depth.texture.usage().contains(TextureUsages::TEXTURE_BINDING)
    {
        let (layout, pipeline) = &pipelines.depth[usize::from(depth.texture.sample_count() > 1)];
        if let Some(pipeline) = cache.get_render_pipeline(*pipeline) {
            let layout = cache.get_bind_group_layout(layout);
            let entries = BindGroupEntries::single(depth.view());
            let group = device.create_bind_group("water_scene_depth", &layout, &entries);
            let clear = LinearRgba::NONE;
            let mut pass = begin(&mut context, "water: depth of the scene", image, clear);
            // The image may be larger, and for one frame smaller.
            let size = depth.texture.size();
            let own = image.texture_descriptor.size;
            let [width, height] =
                [size.width.min(own.width), size.height.min(own.height)].map(|side| side as f32);
            pass.set_viewport(0.0, 0.0, width, height, 0.0, 1.0);
            pass.set_render_pipeline(pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.draw(0..3, 0..1);
        }
    }
    let Some(image) = image(&scene.haze) else { return };
    let bound = air.and_then(|(textures, atmosphere, setting)| {
        let layout = cache.get_bind_group_layout(&pipelines.haze.0);
        let entries = BindGroupEntries::with_indices((
            (0, atmospheres.as_ref()?.binding()?),
            (1, settings.as_ref()?.binding()?),
            (3, view_uniforms.uniforms.binding()?),
            (8, &textures.transmittance_lut.default_view),
            (11, &textures.aerial_view_lut.default_view),
            (12, &***air_sampler.as_ref()?),
        ));
        let group = device.create_bind_group("water_haze", &layout, &entries);
        Some((group, [atmosphere.index(), setting.index(), offset.offset]))
    });
    // Without an atmosphere there is no haze, of which the clear colour tells.
    let mut pass = begin(&mut context, "water: haze", image, LinearRgba::BLACK);
    if let Some((group, offsets)) = &bound
        && let Some(pipeline) = cache.get_render_pipeline(pipelines.haze.1)
    {
        pass.set_render_pipeline(pipeline);
        pass.set_bind_group(0, group, offsets);
        pass.draw(0..3, 0..1);
    }
}

fn begin<'a>(
    context: &'a mut RenderContext,
    label: &'static str,
    image: &GpuImage,
    clear: LinearRgba,
) -> TrackedRenderPass<'a> {
    context.begin_tracked_render_pass(RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(RenderPassColorAttachment {
            view: &image.texture_view,
            depth_slice: None,
            resolve_target: None,
            ops: Operations { load: LoadOp::Clear(clear.into()), store: StoreOp::Store },
        })],
        depth_stencil_attachment: None,
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    })
}
