//! The time of a frame on the CPU, and until the GPU has finished it.

use std::time::Instant;

use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::renderer::RenderDevice;
use wgpu::PollType;

/// When extraction to the render world began.
#[derive(Resource)]
struct Extraction(Instant);

/// The times of a frame in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The main world, on the CPU.
    pub main: f64,
    /// Extraction and the render world, on the CPU.
    pub render: f64,
    /// From the start of the main world until the GPU has finished.
    pub frame: f64,
}

/// Notes when extraction begins.
pub fn add(app: &mut App) {
    app.insert_resource(Extraction(Instant::now()));
    let Some(render) = app.get_sub_app_mut(RenderApp) else { return };
    if let Some(mut extract) = render.take_extract() {
        render.set_extract(move |main, render| {
            main.insert_resource(Extraction(Instant::now()));
            extract(main, render);
        });
    }
}

/// Runs a frame, and waits for the GPU.
pub fn frame(app: &mut App) -> Times {
    let begin = Instant::now();
    app.update();
    let end = Instant::now();
    if let Some(device) = app.world().get_resource::<RenderDevice>() {
        let _ = device.poll(PollType::wait_indefinitely());
    }
    let extraction = app.world().resource::<Extraction>().0;
    let ms = |from: Instant, to: Instant| 1e3 * (to - from).as_secs_f64();
    Times {
        main: ms(begin, extraction),
        render: ms(extraction, end),
        frame: ms(begin, Instant::now()),
    }
}
