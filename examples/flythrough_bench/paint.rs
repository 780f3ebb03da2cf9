//! Light, air, and the time that drawing takes, with --render.

use std::time::{Duration, Instant};

use bevy::camera::Exposure;
use bevy::core_pipeline::prepass::DepthPrepass;
use bevy::light::Atmosphere;
use bevy::light::atmosphere::ScatteringMedium;
use bevy::light::light_consts::lux;
use bevy::pbr::AtmosphereSettings;
use bevy::prelude::*;
use bevy::render::renderer::RenderDevice;
use bevy::render::{Render, RenderApp, RenderSystems};

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
