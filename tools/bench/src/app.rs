//! Apps without a window, and the frames of a player.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::app::{PluginGroupBuilder, TerminalCtrlCHandlerPlugin};
use bevy::asset::AssetPlugin;
use bevy::camera::RenderTarget;
use bevy::log::LogPlugin;
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use bevy::render::settings::{Backends, RenderCreation, WgpuSettings};
use bevy::tasks::block_on;
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_orogeny::TerrainPlugins;
use wgpu::{Instance, InstanceDescriptor, RequestAdapterOptions};

use crate::Failure;

/// The time from one frame to the next, in seconds.
pub const FRAME: f64 = 1.0 / 60.0;

/// Assets are not watched.
fn assets() -> AssetPlugin {
    AssetPlugin { watch_for_changes_override: Some(false), ..default() }
}

/// An app with the plugin and without a renderer, like that of a server.
pub fn headless() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, assets(), TransformPlugin, MeshPlugin, TerrainPlugins));
    app
}

/// Bevy's plugins without a window. Rendering is not pipelined, so that it does not disturb the
/// measurement of the next frame. Without backends there are materials, but nothing is drawn.
pub fn plugins(backends: Option<Backends>) -> PluginGroupBuilder {
    let no_window =
        WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    let settings = WgpuSettings { backends, ..default() };
    let render = RenderPlugin {
        render_creation: RenderCreation::Automatic(Box::new(settings)),
        synchronous_pipeline_compilation: true,
        ..default()
    };
    DefaultPlugins
        .set(assets())
        .set(no_window)
        .set(render)
        .disable::<WinitPlugin>()
        .disable::<PipelinedRenderingPlugin>()
        // A process can only have one of each, but a benchmark has several apps.
        .disable::<LogPlugin>()
        .disable::<TerminalCtrlCHandlerPlugin>()
}

/// Starts an app that is complete. Its clock advances by a frame in each update.
pub fn start(app: &mut App) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME)));
    app.finish();
    app.cleanup();
}

/// Sleeps for the rest of a frame, which is the time that a player's frame leaves to tasks. Returns
/// whether there is one; later frames do not catch up.
pub fn rest(begin: Instant) -> bool {
    let rest = Duration::from_secs_f64(FRAME).checked_sub(begin.elapsed());
    sleep(rest.unwrap_or_default());
    rest.is_some()
}

/// A camera with an image of its own, of so many pixels, which a screenshot may copy.
pub fn camera(app: &mut App, [width, height]: [u32; 2]) -> impl Bundle {
    let mut image = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
    image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
    let target = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    (Camera3d::default(), Msaa::Off, RenderTarget::Image(target.into()))
}

/// The graphics interfaces to use.
pub fn backends() -> Backends {
    Backends::PRIMARY.with_env()
}

/// The message if there is no driver.
const NO_DRIVER: &str = "\
No Vulkan driver found. Install one:
  Debian, Ubuntu   apt install libvulkan1 mesa-vulkan-drivers
  Fedora           dnf install vulkan-loader mesa-vulkan-drivers
  Arch             pacman -S vulkan-icd-loader, and one of
                   vulkan-radeon, vulkan-intel, nvidia-utils, vulkan-swrast
Mesa includes a software renderer that needs no graphics card.";

/// Looks for a GPU driver before Bevy does, since Bevy panics without one.
///
/// # Errors
/// What to install.
pub fn find_driver() -> Result<(), Failure> {
    let mut descriptor = InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = backends();
    let adapter = Instance::new(descriptor).request_adapter(&RequestAdapterOptions::default());
    match block_on(adapter) {
        Ok(_) => Ok(()),
        Err(_) => Err(Failure::new(Failure::REFUSED, NO_DRIVER)),
    }
}
