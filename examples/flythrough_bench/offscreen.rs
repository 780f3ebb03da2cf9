//! Drawing without a window, into images.

use bevy::app::{PluginGroupBuilder, TerminalCtrlCHandlerPlugin};
use bevy::camera::RenderTarget;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use bevy::render::settings::{Backends, RenderCreation, WgpuSettings};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;

/// Bevy's plugins without a window. Rendering is not pipelined, so that it does not disturb the
/// measurement of the next frame.
pub fn plugins() -> PluginGroupBuilder {
    let no_window =
        WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    let render = RenderPlugin {
        render_creation: RenderCreation::Automatic(Box::new(WgpuSettings {
            backends: Some(Backends::PRIMARY.with_env()),
            ..default()
        })),
        synchronous_pipeline_compilation: true,
        ..default()
    };
    DefaultPlugins
        .set(no_window)
        .set(render)
        .disable::<WinitPlugin>()
        .disable::<PipelinedRenderingPlugin>()
        // A process can only have one of each, but there is an app for each scenario.
        .disable::<LogPlugin>()
        .disable::<TerminalCtrlCHandlerPlugin>()
}

/// A camera with an image of its own, of so many pixels, which a screenshot may copy.
pub fn camera(app: &mut App, [width, height]: [u32; 2]) -> impl Bundle {
    let mut image = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
    image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
    let target = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    (Camera3d::default(), Msaa::Off, RenderTarget::Image(target.into()))
}
