//! The measurements of a scenario.

use std::time::Duration;

use bevy_orogeny::advanced::TerrainStats;

use super::passes::{GpuSamples, PASSES};
use super::scenario::Script;
use crate::clocks::plugin::STEPS;
use crate::samples::Samples;

/// All measurements of a scenario.
#[derive(Default)]
pub struct Record {
    pub main_thread: Samples,
    pub update: Samples,
    pub extract: Samples,
    pub upload: Samples,
    pub steps: [Samples; STEPS.len()],
    pub gpu: GpuSamples,
    pub latency: Samples,
    pub missing: Samples,
    /// Milliseconds from spawning the terrain until all of it is ready.
    pub start: f64,
    /// Milliseconds from teleports or edits until they are done, and the number of those that were
    /// never done.
    pub answers: Samples,
    pub unanswered: usize,
    pub chunks: usize,
    pub triangles: usize,
    pub mesh_bytes: usize,
    /// 10^6 bytes.
    pub process: Option<f64>,
    /// At the beginning and at the end.
    pub stats: [TerrainStats; 2],
    pub late: usize,
    pub holes: Faults,
    pub seams: Faults,
}

/// Frames with a fault.
#[derive(Default)]
pub struct Faults {
    pub frames: usize,
    /// The first fault.
    pub first: Option<String>,
}

impl Faults {
    pub fn count(&mut self, checked: Result<(), String>) {
        if let Err(fault) = checked {
            self.frames += 1;
            self.first.get_or_insert(fault);
        }
    }
}

/// One measurement to print.
pub struct Metric {
    pub name: String,
    /// The pass whose GPU time it is.
    pub pass: Option<&'static str>,
    pub value: f64,
    pub unit: &'static str,
}

impl Record {
    /// Resets everything but the faults, when the start is over and the flight begins.
    pub fn begin(&mut self, start: Duration, stats: TerrainStats) {
        let [holes, seams] = [&mut self.holes, &mut self.seams].map(core::mem::take);
        let start = 1e3 * start.as_secs_f64();
        let stats = [stats, TerrainStats::default()];
        *self = Self { start, stats, holes, seams, ..Self::default() };
    }

    /// All measurements, to be printed.
    pub fn metrics(&self, script: Script) -> Vec<Metric> {
        let mut list = List(Vec::new());
        list.times("main_thread", &self.main_thread);
        list.times("update", &self.update);
        list.times("extract", &self.extract);
        list.times("upload", &self.upload);
        for (name, pass) in PASSES.iter().zip(&self.gpu.passes) {
            list.gpu_times(name, pass);
        }
        list.quantile("draws_p50", &self.gpu.draws, 0.5, "chunks");
        list.quantile("draws_max", &self.gpu.draws, 1.0, "chunks");
        list.quantile("triangles_drawn_p50", &self.gpu.triangles, 0.5, "triangles");
        list.quantile("triangles_drawn_max", &self.gpu.triangles, 1.0, "triangles");
        for ((name, _), step) in STEPS.iter().zip(&self.steps) {
            list.times(name, step);
        }
        list.times("chunk_latency", &self.latency);
        list.add("start_ms", self.start, "ms");
        let answer = match script {
            Script::Flight(_) | Script::TwoViewers => None,
            Script::Teleports => Some(["ready_ms", "ready_max_ms"]),
            Script::Edits => Some(["seen_ms", "seen_max_ms"]),
        };
        if let Some([median, max]) = answer {
            list.quantile(median, &self.answers, 0.5, "ms");
            list.quantile(max, &self.answers, 1.0, "ms");
            list.count("unanswered", self.unanswered, "times");
        }
        list.count("chunks_max", self.chunks, "chunks");
        list.count("triangles_max", self.triangles, "triangles");
        list.add("mesh_mb_max", self.mesh_bytes as f64 / 1e6, "MB");
        if let Some(process) = self.process {
            list.add("process_mb_max", process, "MB");
        }
        list.quantile("missing_p50", &self.missing, 0.5, "chunks");
        list.quantile("missing_max", &self.missing, 1.0, "chunks");
        let [before, after] = &self.stats;
        list.count("tasks_cancelled", (after.cancelled - before.cancelled) as usize, "tasks");
        list.count("chunks_built", (after.built - before.built) as usize, "chunks");
        list.add("build_ms", 1e3 * after.build_time.as_secs_f64(), "ms");
        list.count("frames_with_holes", self.holes.frames, "frames");
        list.count("frames_with_seams", self.seams.frames, "frames");
        list.count("frames", self.main_thread.len(), "frames");
        list.count("frames_late", self.late, "frames");
        list.0
    }
}

/// The quantiles of times.
const QUANTILES: [(&str, f64); 3] = [("p50", 0.5), ("p99", 0.99), ("max", 1.0)];

struct List(Vec<Metric>);

impl List {
    /// Adds nothing if nothing was measured.
    fn add(&mut self, name: impl Into<String>, value: f64, unit: &'static str) {
        // Rounded to the nanosecond and to the byte.
        let value = (value * 1e6).round() / 1e6;
        if value.is_finite() {
            self.0.push(Metric { name: name.into(), pass: None, value, unit });
        }
    }

    fn count(&mut self, name: &str, value: usize, unit: &'static str) {
        self.add(name, value as f64, unit);
    }

    fn quantile(&mut self, name: &str, samples: &Samples, part: f64, unit: &'static str) {
        self.add(name, samples.quantile(part), unit);
    }

    fn times(&mut self, name: &str, samples: &Samples) {
        for (ending, part) in QUANTILES {
            self.quantile(&format!("{name}_{ending}_ms"), samples, part, "ms");
        }
    }

    fn gpu_times(&mut self, pass: &'static str, samples: &Samples) {
        let first = self.0.len();
        for (ending, part) in QUANTILES {
            self.quantile(&format!("gpu_ms_{ending}"), samples, part, "ms");
        }
        self.0[first..].iter_mut().for_each(|metric| metric.pass = Some(pass));
    }
}
