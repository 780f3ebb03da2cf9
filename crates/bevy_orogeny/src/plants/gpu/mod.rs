//! Which instances are drawn in which view, decided on the device.
//!
//! `extract` copies what changed of the plants into the renderer. `views` describes each camera and
//! each shadow map by planes and a magnification. `select` runs the compute shader: for each view
//! it counts the instances of each shape that are seen, finds room for them, and writes them there,
//! with the arguments of draws that have exact counts. `draw` is the render command that draws a
//! part of a shape by these arguments, in the place of Bevy's command for meshes. `buffers` has all
//! that is on the device, `room` how much of it is for instances; `wind` is what moves plants;
//! `drawn` reads back what was drawn.

mod buffers;
mod draw;
pub(crate) mod drawn;
mod extract;
mod room;
mod select;
mod views;
pub(crate) mod wind;

use bevy_app::App;
use bevy_asset::embedded_asset;
use bevy_core_pipeline::core_3d::{AlphaMask3d, Opaque3d};
use bevy_core_pipeline::prepass::{AlphaMask3dPrepass, Opaque3dPrepass};
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_pbr::{MeshMaterial3d, Shadow};
use bevy_render::erased_render_asset::prepare_erased_assets;
use bevy_render::render_phase::AddRenderCommand;
use bevy_render::renderer::{RenderGraph, RenderGraphSystems};
use bevy_render::{
    ExtractSchedule, GpuResourceAppExt, Render, RenderApp, RenderStartup, RenderSystems,
};

use super::material::PlantMaterial;

pub(super) fn build(app: &mut App) {
    embedded_asset!(app, "select.wgsl");
    let Some(app) = app.get_sub_app_mut(RenderApp) else { return };
    app.init_gpu_resource::<extract::Extracted>()
        .init_gpu_resource::<drawn::Counting>()
        .init_gpu_resource::<buffers::Buffers>()
        .init_gpu_resource::<room::Wanted>()
        .add_render_command::<Opaque3d, draw::DrawMain>()
        .add_render_command::<AlphaMask3d, draw::DrawMain>()
        .add_render_command::<Opaque3dPrepass, draw::DrawPrepass>()
        .add_render_command::<Opaque3dPrepass, draw::DrawDepth>()
        .add_render_command::<AlphaMask3dPrepass, draw::DrawPrepass>()
        .add_render_command::<Shadow, draw::DrawPrepass>()
        .add_render_command::<Shadow, draw::DrawDepth>()
        .add_systems(RenderStartup, select::queue_pipelines)
        .add_systems(
            ExtractSchedule,
            (extract::take_writes, extract::copy, wind::copy_bodies).chain(),
        )
        .add_systems(
            Render,
            (
                draw::replace
                    .in_set(RenderSystems::PrepareAssets)
                    .after(prepare_erased_assets::<MeshMaterial3d<PlantMaterial>>),
                (room::follow, select::prepare).chain().in_set(RenderSystems::PrepareResources),
            ),
        )
        .add_systems(
            RenderGraph,
            (
                (select::run, room::copy, drawn::copy).chain().in_set(RenderGraphSystems::Begin),
                (room::read, drawn::read).in_set(RenderGraphSystems::Finish),
            ),
        );
}
