//! The measurement of what the stage shows.

use std::time::{Duration, Instant};

use crate::drawn::{self, Drawn};
use crate::gpu::{self, Abilities, Counts, LAG};
use crate::gpu_marks::{self, Mark};
use crate::shaded;
use crate::stage::Stage;

/// Frames before those that are timed, at least, and their time: pipelines are compiled, and the
/// clocks of a GPU rise.
const WARM_UP: (u32, Duration) = (LAG + 1, Duration::from_millis(200));

/// Times in milliseconds, medians over frames, and counts of one frame. `None` is what the device
/// cannot measure.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measurement {
    /// The GPU time of a frame.
    pub gpu: Option<f64>,
    pub shadows: Option<f64>,
    pub opaque: Option<f64>,
    pub transparent: Option<f64>,
    /// From the start of a frame on the CPU until the GPU has finished it.
    pub frame: f64,
    pub cpu_main: f64,
    pub cpu_render: f64,
    /// For the camera, and for all shadow maps.
    pub drawn: [Drawn; 2],
    /// For the camera, and for all shadow maps.
    pub counts: Option<[Counts; 2]>,
}

impl Measurement {
    /// The part of the triangles that were drawn, the least of the camera and of all shadow maps.
    pub fn part_drawn(&self) -> f64 {
        let counts = self.counts.into_iter().flatten();
        let of_all = self.drawn.iter().zip(counts);
        let parts = of_all.filter(|(all, _)| all.triangles > 0);
        parts.fold(1.0, |least, (all, counts)| least.min(counts.triangles / all.triangles as f64))
    }

    /// The GPU time of a frame, or without timestamps the time until it is finished.
    pub fn total(&self) -> f64 {
        self.gpu.unwrap_or(self.frame)
    }
}

/// Times some frames.
pub fn measure(stage: &mut Stage, frames: u32) -> Measurement {
    let (begin, mut warm) = (Instant::now(), 0);
    while warm < WARM_UP.0 || begin.elapsed() < WARM_UP.1 {
        stage.frame();
        warm += 1;
    }
    let abilities = Abilities::of(&stage.app);
    gpu::forget(&mut stage.app);
    let (mut all, mut shadows) = (Vec::new(), Vec::new());
    let mut cpu = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..frames {
        let times = stage.frame();
        cpu.iter_mut().zip([times.frame, times.main, times.render]).for_each(|(c, t)| c.push(t));
        if let Some(timestamps) = gpu_marks::read(&stage.app) {
            all.push(timestamps.between(Mark::FrameBegin, Mark::FrameEnd));
            shadows.push(timestamps.between(Mark::ShadowsBegin, Mark::ShadowsEnd));
        }
    }
    let [frame, cpu_main, cpu_render] = cpu.map(|times| median(times).unwrap_or_default());
    // A pass without content is left out.
    let span =
        |name| abilities.spans.then(|| median(gpu::times(&stage.app, name)).unwrap_or_default());
    let (opaque, transparent) = (span(gpu::OPAQUE), span(gpu::TRANSPARENT));
    Measurement {
        gpu: median(all),
        shadows: median(shadows),
        opaque,
        transparent,
        frame,
        cpu_main,
        cpu_render,
        drawn: drawn::count(stage),
        counts: abilities.counts.then(|| count(stage)),
    }
}

/// What the GPU counts in the main passes and in shadow maps.
fn count(stage: &mut Stage) -> [Counts; 2] {
    gpu::forget(&mut stage.app);
    shaded::set(&mut stage.app, true);
    stage.frame();
    shaded::set(&mut stage.app, false);
    (0..LAG).for_each(|_| _ = stage.frame());
    [&[gpu::OPAQUE, gpu::TRANSPARENT][..], &[shaded::SPAN]]
        .map(|spans| gpu::counts(&stage.app, spans))
}

fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}
