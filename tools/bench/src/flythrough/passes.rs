//! GPU times by pass, and draws, with --render.

use std::any::TypeId;
use std::collections::VecDeque;
use std::time::Instant;

use bevy::camera::visibility::VisibleEntities;
use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, TerrainStats};

use crate::clocks::gpu::{self, LAG, Mark, OPAQUE, PREPASS, TRANSPARENT, Timestamps};
use crate::samples::Samples;

/// The passes, as in the names of metrics.
pub const PASSES: [&str; 5] = ["ground", "sea", "shadows", "prepass", "sky"];

/// The message if the GPU or its driver cannot measure passes.
pub const NO_TIMESTAMPS: &str =
    "--render: this GPU has no timestamp queries inside passes, so no GPU times are printed";

/// Bevy's spans of the ground, the sea and the prepass.
const SPANS: [&str; 3] = [OPAQUE, TRANSPARENT, PREPASS];

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

/// What was read in earlier frames.
#[derive(Default)]
pub struct Earlier {
    /// The time of the newest measurement of each span.
    spans: [Option<Instant>; SPANS.len()],
    /// Timestamps of frames whose spans have not arrived yet, the oldest first.
    timestamps: VecDeque<Timestamps>,
}

/// Records the draws of this frame, and the GPU times of the newest frame whose spans have arrived.
/// Call it in each frame, once the GPU has finished it.
pub fn measure(app: &mut App, earlier: &mut Earlier, out: &mut GpuSamples) {
    count_draws(app, out);
    earlier.timestamps.extend(gpu::read(app));
    let [ground, sea, prepass] = read_spans(app, &mut earlier.spans);
    let has_arrived = earlier.timestamps.len() > LAG as usize;
    let oldest = if has_arrived { earlier.timestamps.pop_front() } else { None };
    // From the shadows to the end of the main passes there are the ground, the sea and the sky.
    let sky = oldest.as_ref().and_then(|timestamps| {
        let all = timestamps.between(Mark::ShadowsEnd, Mark::MainEnd);
        Some((all - ground? - sea.unwrap_or(0.0)).max(0.0))
    });
    let shadows = oldest.map(|found| found.between(Mark::ShadowsBegin, Mark::ShadowsEnd));
    let times = [ground, sea, shadows, prepass, sky];
    out.passes.iter_mut().zip(times).for_each(|(samples, time)| samples.extend(time));
}

/// The GPU times of [`SPANS`] that are newer than those seen, in milliseconds.
fn read_spans(app: &App, seen: &mut [Option<Instant>; SPANS.len()]) -> [Option<f64>; SPANS.len()] {
    let mut times = [None; SPANS.len()];
    for ((span, seen), time) in SPANS.iter().zip(seen).zip(&mut times) {
        let recorded = gpu::recorded_time(app, span);
        let Some(newest) = recorded.and_then(|found| found.measurement()) else { continue };
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
