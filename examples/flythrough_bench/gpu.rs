//! GPU times by pass, and draws, with --render.
//!
//! Bevy 0.19 records spans of the prepass and of the two main passes, in which the ground and the
//! sea are drawn. It records none of shadows and the sky, so `gpu_marks` brackets these.

use std::any::TypeId;
use std::collections::VecDeque;
use std::time::Instant;

use bevy::camera::visibility::VisibleEntities;
use bevy::diagnostic::{DiagnosticPath, DiagnosticsStore};
use bevy::prelude::*;
use bevy::render::diagnostic::RenderDiagnosticsPlugin;
use bevy::render::render_resource::WgpuFeatures;
use bevy::render::renderer::RenderDevice;
use bevy_orogeny::{Chunk, TerrainStats};

use crate::gpu_marks::{self, Mark, Timestamps};
use crate::samples::Samples;

/// The passes, as in the names of metrics.
pub const PASSES: [&str; 5] = ["ground", "sea", "shadows", "prepass", "sky"];

/// The message if the GPU or its driver cannot measure passes.
pub const NO_TIMESTAMPS: &str =
    "--render: this GPU has no timestamp queries inside passes, so no GPU times are printed";

/// Bevy's span of the opaque pass, the transparent pass and the prepass.
const SPANS: [&str; 3] = ["main_opaque_pass_3d", "main_transparent_pass_3d", "early prepass"];

/// GPU times in milliseconds, and draws.
#[derive(Default)]
pub struct GpuSamples {
    /// The time of each of [`PASSES`] in each frame.
    pub passes: [Samples; PASSES.len()],
    /// Chunks drawn after culling, by all cameras.
    pub draws: Samples,
    /// Their triangles.
    pub triangles: Samples,
}

/// The number of frames after which Bevy has read back the spans of a frame that the GPU has
/// finished: one until the recorder finds them, and one until the store has them.
const LAG: usize = 2;

/// What was read in earlier frames.
#[derive(Resource, Default)]
struct Earlier {
    /// The time of the newest measurement of each span.
    spans: [Option<Instant>; SPANS.len()],
    /// Timestamps of frames whose spans have not arrived yet, the oldest first.
    timestamps: VecDeque<Timestamps>,
}

/// Adds Bevy's spans. Call it before `App::finish`, and `gpu_marks::add` after it.
pub fn add(app: &mut App) {
    app.add_plugins(RenderDiagnosticsPlugin).init_resource::<Earlier>();
}

/// Whether passes can be measured.
pub fn is_supported(app: &App) -> bool {
    let needed = WgpuFeatures::TIMESTAMP_QUERY
        | WgpuFeatures::TIMESTAMP_QUERY_INSIDE_ENCODERS
        | WgpuFeatures::TIMESTAMP_QUERY_INSIDE_PASSES;
    let device = app.world().get_resource::<RenderDevice>();
    device.is_some_and(|device| device.features().contains(needed))
}

/// Records the draws of this frame, and the GPU times of the newest frame whose spans have arrived.
/// Call it in each frame, once the GPU has finished it.
pub fn measure(app: &mut App, out: &mut GpuSamples) {
    count_draws(app, out);
    let timestamps = gpu_marks::read(app);
    let mut earlier = app.world_mut().remove_resource::<Earlier>().unwrap_or_default();
    earlier.timestamps.extend(timestamps);
    let [ground, sea, prepass] = read_spans(app, &mut earlier.spans);
    let spans = [ground, sea, None, prepass, None];
    let arrived = earlier.timestamps.len() > LAG;
    let oldest = if arrived { earlier.timestamps.pop_front() } else { None };
    let times = with_timestamps(spans, oldest);
    app.insert_resource(earlier);
    for (samples, time) in out.passes.iter_mut().zip(times) {
        if let Some(time) = time {
            samples.push(time);
        }
    }
}

/// Adds the times of shadows and the sky.
fn with_timestamps(
    [ground, sea, _, prepass, _]: [Option<f64>; PASSES.len()],
    timestamps: Option<Timestamps>,
) -> [Option<f64>; PASSES.len()] {
    // From the shadows to the end of the main passes there are the ground, the sea and the sky.
    let sky = timestamps.as_ref().and_then(|timestamps| {
        let all = timestamps.between(Mark::ShadowsEnd, Mark::MainEnd);
        Some((all - ground? - sea.unwrap_or(0.0)).max(0.0))
    });
    let shadows = timestamps.map(|found| found.between(Mark::ShadowsBegin, Mark::ShadowsEnd));
    [ground, sea, shadows, prepass, sky]
}

/// The GPU times of [`SPANS`] that are newer than those seen, in milliseconds.
fn read_spans(app: &App, seen: &mut [Option<Instant>; SPANS.len()]) -> [Option<f64>; SPANS.len()] {
    let store = app.world().resource::<DiagnosticsStore>();
    let mut times = [None; SPANS.len()];
    for ((span, seen), time) in SPANS.iter().zip(seen).zip(&mut times) {
        let path = DiagnosticPath::from_components(["render", span, "elapsed_gpu"]);
        let Some(newest) = store.get(&path).and_then(|found| found.measurement()) else { continue };
        if seen.replace(newest.time) != Some(newest.time) {
            *time = Some(newest.value);
        }
    }
    times
}

/// Counts the chunks that cameras see, and their triangles.
fn count_draws(app: &mut App, out: &mut GpuSamples) {
    let world = app.world_mut();
    let (mut cameras, mut chunks) =
        (world.query::<&VisibleEntities>(), world.query_filtered::<(), With<Chunk>>());
    let visible = cameras.iter(world).filter_map(|seen| seen.entities.get(&TypeId::of::<Mesh3d>()));
    let draws = visible.flatten().filter(|&&entity| chunks.get(world, entity).is_ok()).count();
    // All chunks have as many triangles.
    let stats = world.resource::<TerrainStats>();
    let of_each = stats.triangles / stats.displayed.max(1);
    out.draws.push(draws as f64);
    out.triangles.push((draws * of_each) as f64);
}
