//! Drawing with --render, into off-screen images.

use std::time::{Duration, Instant};

use bevy::app::{PluginGroupBuilder, TerminalCtrlCHandlerPlugin};
use bevy::camera::{Exposure, RenderTarget};
use bevy::core_pipeline::prepass::DepthPrepass;
use bevy::light::Atmosphere;
use bevy::light::atmosphere::ScatteringMedium;
use bevy::light::light_consts::lux;
use bevy::log::LogPlugin;
use bevy::pbr::AtmosphereSettings;
use bevy::prelude::*;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::TextureFormat;
use bevy::render::renderer::RenderDevice;
use bevy::render::settings::{Backends, RenderCreation, WgpuSettings};
use bevy::render::{Render, RenderApp, RenderPlugin, RenderSystems};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;

/// The duration of extraction in this frame, and its end.
#[derive(Resource)]
struct Extracted {
    time: Duration,
    end: Instant,
}

/// The start of asset preparation in this frame, and its duration.
#[derive(Resource)]
struct Uploaded {
    begin: Instant,
    time: Duration,
}

/// Bevy's plugins without a window. Rendering is not pipelined, so that it does not disturb the
/// measurement of the next frame.
pub fn plugins() -> PluginGroupBuilder {
    let no_window =
        WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    let render = RenderPlugin {
        render_creation: RenderCreation::Automatic(Box::new(WgpuSettings {
            backends: Some(Backends::PRIMARY),
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

/// Measures extraction and asset preparation.
pub fn measure(app: &mut App) {
    let now = Instant::now();
    app.insert_resource(Extracted { time: Duration::ZERO, end: now });
    app.world_mut().spawn((
        DirectionalLight::default(),
        Transform::default().looking_to(Vec3::new(-0.75, -0.42, -0.52), Vec3::Y),
    ));
    let Some(render) = app.get_sub_app_mut(RenderApp) else { return };
    if let Some(mut extract) = render.take_extract() {
        render.set_extract(move |main, render| {
            let begin = Instant::now();
            extract(main, render);
            main.insert_resource(Extracted { time: begin.elapsed(), end: Instant::now() });
        });
    }
    render.insert_resource(Uploaded { begin: now, time: Duration::ZERO }).add_systems(
        Render,
        (
            (|mut uploaded: ResMut<Uploaded>| uploaded.begin = Instant::now())
                .after(RenderSystems::ExtractCommands)
                .before(RenderSystems::PrepareAssets),
            (|mut uploaded: ResMut<Uploaded>| uploaded.time = uploaded.begin.elapsed())
                .after(RenderSystems::PrepareAssets)
                .before(RenderSystems::PrepareMeshes),
        ),
    );
}

/// A camera with an image of its own, 16:9.
pub fn camera(app: &mut App, lines: u32) -> impl Bundle {
    let image =
        Image::new_target_texture(lines * 16 / 9, lines, TextureFormat::Rgba8UnormSrgb, None);
    let target = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    (Camera3d::default(), Msaa::Off, RenderTarget::Image(target.into()))
}

/// Turns the shadows of the sun on, and adds the atmosphere.
pub fn add_light_and_air(app: &mut App) {
    let mut suns = app.world_mut().query::<&mut DirectionalLight>();
    for mut sun in suns.iter_mut(app.world_mut()) {
        sun.shadow_maps_enabled = true;
        sun.illuminance = lux::RAW_SUNLIGHT;
    }
    let medium = ScatteringMedium::earth(256, 256);
    let medium = app.world_mut().resource_mut::<Assets<ScatteringMedium>>().add(medium);
    app.world_mut().spawn(Atmosphere::earth(medium));
}

/// What a camera needs to draw the atmosphere, and a depth prepass.
pub fn air() -> impl Bundle {
    (AtmosphereSettings::default(), Exposure { ev100: 13.0 }, DepthPrepass)
}

/// The durations of extraction and asset preparation in the last frame, and the end of extraction.
pub fn times(app: &App) -> Option<(Duration, Duration, Instant)> {
    let extracted = app.world().get_resource::<Extracted>()?;
    let uploaded = app.get_sub_app(RenderApp)?.world().get_resource::<Uploaded>()?;
    Some((extracted.time, uploaded.time, extracted.end))
}

/// Waits until the GPU is done. Otherwise frames would queue up and be drawn while the next ones
/// are measured.
pub fn wait(app: &App) {
    if let Some(device) = app.world().get_resource::<RenderDevice>() {
        let _ = device.poll(wgpu::PollType::wait_indefinitely());
    }
}
