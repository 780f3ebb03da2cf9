//! The time of extraction and of the preparation of assets for the GPU, and waiting for the GPU.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::render::renderer::RenderDevice;
use bevy::render::{Render, RenderApp, RenderSystems};
use wgpu::PollType;

/// When extraction to the render world began and ended in the last frame.
#[derive(Resource, Clone, Copy)]
pub struct Extraction {
    pub begin: Instant,
    pub end: Instant,
}

/// The start of asset preparation in this frame, and its duration.
#[derive(Resource)]
struct Uploaded {
    begin: Instant,
    time: Duration,
}

/// Measures extraction and asset preparation. Call it after `App::finish`.
pub fn add(app: &mut App) {
    let now = Instant::now();
    app.insert_resource(Extraction { begin: now, end: now });
    let Some(render) = app.get_sub_app_mut(RenderApp) else { return };
    if let Some(mut extract) = render.take_extract() {
        render.set_extract(move |main, render| {
            let begin = Instant::now();
            extract(main, render);
            main.insert_resource(Extraction { begin, end: Instant::now() });
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

/// Extraction and the duration of asset preparation in the last frame.
pub fn times(app: &App) -> Option<(Extraction, Duration)> {
    let extraction = app.world().get_resource::<Extraction>()?;
    let uploaded = app.get_sub_app(RenderApp)?.world().get_resource::<Uploaded>()?;
    Some((*extraction, uploaded.time))
}

/// Waits until the GPU is done. Otherwise frames would queue up and be drawn while the next ones
/// are measured.
pub fn wait(app: &App) {
    if let Some(device) = app.world().get_resource::<RenderDevice>() {
        let _ = device.poll(PollType::wait_indefinitely());
    }
}
