//! The tab Statistics: plots of the last frames, and GPU times.

use std::collections::VecDeque;

use bevy::diagnostic::{DiagnosticPath, DiagnosticsStore};
use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy_egui::egui::{Color32, Ui};
use bevy_orogeny::advanced::TerrainStats;
use documented::DocumentedFields;
use egui_plot::{Corner, Legend, Line, Plot};

use crate::recipe::{plain, value};
use crate::views::level_color;

/// Number of frames kept.
const FRAMES: usize = 300;
const HEIGHT: f32 = 72.0;
const BLUE: Color32 = Color32::from_rgb(110, 170, 255);
const ORANGE: Color32 = Color32::from_rgb(255, 170, 80);

/// What to do if nothing is measured.
const HOW: &str = "To measure render passes on the GPU, add \
     bevy::render::diagnostic::RenderDiagnosticsPlugin to the app. It needs timestamp queries, \
     which Vulkan and DirectX 12 have";

/// The passes that draw terrain: their names, their help, and Bevy's names of them.
const PASSES: [(&str, &str, &str); 3] = [
    ("Opaque pass", "The ground, and all other opaque objects", "main_opaque_pass_3d"),
    ("Transparent pass", "Water, and all other blended objects", "main_transparent_pass_3d"),
    ("Prepass", "Depth, normals and motion vectors, for cameras that need them", "early prepass"),
];

const OTHERS: (&str, &str) = (
    "Other passes",
    "All other passes that Bevy measures, such as bloom, but not shadows or the atmosphere",
);

/// The figures of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Milliseconds since the previous frame.
    pub time: f64,
    /// Milliseconds that the terrain systems took.
    pub plugin_time: f64,
    /// Chunks drawn, by level.
    pub levels: Vec<usize>,
    pub chunks: usize,
    pub tasks: usize,
    pub missing: usize,
    /// Mesh memory in 10^6 bytes.
    pub megabytes: f64,
}

/// The last frames, the newest last.
#[derive(Resource, Default)]
pub struct History {
    pub frames: VecDeque<Frame>,
    /// When the terrain systems began in this frame.
    begun: Option<Instant>,
    plugin_time: f64,
}

impl History {
    /// Adds a frame and drops the oldest.
    pub fn push(&mut self, frame: Frame) {
        if self.frames.len() == FRAMES {
            self.frames.pop_front();
        }
        self.frames.push_back(frame);
    }

    /// One figure of all frames, as points (-frames ago, figure).
    pub fn line(&self, number: impl Fn(&Frame) -> f64) -> Vec<[f64; 2]> {
        let first = -(self.frames.len() as f64 - 1.0);
        self.frames.iter().enumerate().map(|(i, frame)| [first + i as f64, number(frame)]).collect()
    }
}

/// Starts the clock before the terrain systems.
pub fn begin(mut history: ResMut<History>) {
    history.begun = Some(Instant::now());
}

/// Stops it after them.
pub fn end(mut history: ResMut<History>) {
    if let Some(begun) = history.begun.take() {
        history.plugin_time = 1e3 * begun.elapsed().as_secs_f64();
    }
}

/// Adds the figures of this frame.
pub fn record(mut history: ResMut<History>, stats: Res<TerrainStats>, time: Res<Time<Real>>) {
    let frame = Frame {
        time: 1e3 * time.delta_secs_f64(),
        plugin_time: history.plugin_time,
        levels: stats.displayed_by_lod.clone(),
        chunks: stats.chunks,
        tasks: stats.tasks_in_flight,
        missing: stats.missing,
        megabytes: stats.mesh_bytes as f64 / 1e6,
    };
    history.push(frame);
}

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    history: Res<History>,
    stats: Res<TerrainStats>,
    diagnostics: Option<Res<DiagnosticsStore>>,
) {
    let ui = &mut *ui;
    let Some(now) = history.frames.back() else { return };
    let count = history.frames.len() as f64;
    let mean = |number: fn(&Frame) -> f64| history.frames.iter().map(number).sum::<f64>() / count;
    title(
        ui,
        "Frame time",
        &format!("{:.1} ms, mean {:.1} ms", now.time, mean(|f| f.time)),
        "Time from one frame to the next",
    );
    plot(ui, "frame", vec![line(&history, "frame", BLUE, |f| f.time)]);
    title(
        ui,
        "Plugin time",
        &format!("{:.2} ms, mean {:.2} ms", now.plugin_time, mean(|f| f.plugin_time)),
        "Time of the terrain systems on the main thread. Tasks on other threads build chunks",
    );
    plot(ui, "plugin", vec![line(&history, "plugin", ORANGE, |f| f.plugin_time)]);
    show_gpu_time(ui, diagnostics.as_deref());
    title(
        ui,
        "Chunks by level",
        &format!("{} drawn", stats.displayed),
        "Chunks drawn, by level of detail. Level 0 is the finest",
    );
    let levels = history.frames.iter().map(|frame| frame.levels.len()).max().unwrap_or(0);
    let by_level = |level: usize| {
        let color = level_color(level).to_srgba().to_u8_array_no_alpha();
        let color = Color32::from_rgb(color[0], color[1], color[2]);
        line(&history, &level.to_string(), color, move |f| {
            f.levels.get(level).copied().unwrap_or(0) as f64
        })
    };
    plot(ui, "levels", (0..levels).map(by_level).collect());
    title(
        ui,
        "Tasks",
        &format!("{} running, {} pending", now.tasks, now.missing),
        "Chunks that tasks are building now, and chunks that are still to be built",
    );
    let tasks = line(&history, "running", BLUE, |f| f.tasks as f64);
    plot(ui, "tasks", vec![tasks, line(&history, "pending", ORANGE, |f| f.missing as f64)]);
    title(ui, "Mesh memory", &format!("{:.0} MB", now.megabytes), about("mesh_bytes"));
    plot(ui, "memory", vec![line(&history, "meshes", BLUE, |f| f.megabytes)]);
    ui.separator();
    let rows = [
        ("Chunks", "chunks", format!("{} with a mesh", stats.chunks)),
        ("Triangles", "triangles", format!("{:.2} million", stats.triangles as f64 / 1e6)),
        ("Chunks built", "built", stats.built.to_string()),
        ("Tasks cancelled", "cancelled", stats.cancelled.to_string()),
        ("Time per chunk", "build_time", format!("{:.2} ms", 1e3 * stats.build_time.as_secs_f64())),
        ("Over budget", "limited", if stats.limited { "yes" } else { "no" }.into()),
    ];
    for (name, field, text) in rows {
        value(ui, name, &plain(about(field)), text);
    }
}

fn show_gpu_time(ui: &mut Ui, diagnostics: Option<&DiagnosticsStore>) {
    let passes = diagnostics.map_or_else(Vec::new, gpu_times);
    let sum: f64 = passes.iter().map(|pass| pass.milliseconds).sum();
    let total = if passes.is_empty() { "not measured".into() } else { format!("{sum:.2} ms") };
    title(ui, "GPU time", &total, HOW);
    for GpuTime { name, help, milliseconds } in passes {
        value(ui, name, help, format!("{milliseconds:.2} ms"));
    }
}

fn about(field: &str) -> &'static str {
    TerrainStats::get_field_docs(field).unwrap_or_default()
}

fn title(ui: &mut Ui, name: &str, value: &str, help: &str) {
    ui.horizontal(|ui| {
        ui.strong(name);
        ui.monospace(value);
    })
    .response
    .on_hover_text(plain(help));
}

fn line<'a>(
    history: &History,
    name: &str,
    color: Color32,
    number: impl Fn(&Frame) -> f64,
) -> Line<'a> {
    Line::new(name, history.line(number)).color(color)
}

/// Whether more than the axis of a plot fits. Where nothing is left for its lines, their points are
/// no numbers, with which egui panics in dev builds.
pub fn has_room_for_plot(ui: &Ui) -> bool {
    ui.available_width() > 64.0
}

/// A plot of the last frames, without zoom or pan.
fn plot(ui: &mut Ui, name: &str, lines: Vec<Line<'_>>) {
    if !has_room_for_plot(ui) {
        return;
    }
    let plot = Plot::new(name)
        .height(HEIGHT)
        .include_y(0.0)
        .include_y(1.0)
        .show_x(false)
        .show_axes([false, true])
        .y_axis_min_width(28.0)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .set_margin_fraction([0.0, 0.08].into());
    let legend = Legend::default().position(Corner::LeftTop).background_alpha(0.4);
    let plot = if lines.len() > 1 && lines.len() < 4 { plot.legend(legend) } else { plot };
    plot.show(ui, |plot| lines.into_iter().for_each(|line| plot.line(line)));
}

/// A pass with its GPU time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct GpuTime {
    name: &'static str,
    help: &'static str,
    /// In milliseconds, smoothed over the last frames.
    milliseconds: f64,
}

/// The GPU times of all passes. Empty if none are measured.
fn gpu_times(store: &DiagnosticsStore) -> Vec<GpuTime> {
    let of = |pass| {
        let path = DiagnosticPath::from_components(["render", pass, "elapsed_gpu"]);
        store.get(&path).and_then(|time| time.smoothed())
    };
    let mut times: Vec<GpuTime> = PASSES
        .iter()
        .filter_map(|&(name, help, pass)| {
            of(pass).map(|milliseconds| GpuTime { name, help, milliseconds })
        })
        .collect();
    let others: Vec<f64> =
        store.iter().filter(|d| is_other(d.path())).filter_map(|d| d.smoothed()).collect();
    if !others.is_empty() {
        let (name, help) = OTHERS;
        times.push(GpuTime { name, help, milliseconds: others.iter().sum() });
    }
    times
}

/// Whether this is the GPU time of a pass that is not in [`PASSES`], nor within another one.
fn is_other(path: &DiagnosticPath) -> bool {
    let parts: Vec<&str> = path.components().collect();
    let ["render", pass, "elapsed_gpu"] = parts[..] else { return false };
    PASSES.iter().all(|(.., known)| *known != pass)
}

#[cfg(test)]
mod tests {
    use bevy::diagnostic::{Diagnostic, DiagnosticMeasurement};

    use super::*;

    #[test]
    fn the_oldest_frame_is_forgotten() {
        let mut history = History::default();
        (0..FRAMES + 5).for_each(|tasks| history.push(Frame { tasks, ..Frame::default() }));
        let line = history.line(|frame| frame.tasks as f64);
        assert_eq!(line.len(), FRAMES);
        assert_eq!(line[0], [-(FRAMES as f64 - 1.0), 5.0]);
        assert_eq!(line[FRAMES - 1], [0.0, FRAMES as f64 + 4.0]);
    }

    /// A store with one measurement of each path.
    fn store(measured: &[(&'static str, f64)]) -> DiagnosticsStore {
        let mut store = DiagnosticsStore::default();
        for &(path, value) in measured {
            let mut diagnostic = Diagnostic::new(DiagnosticPath::new(path));
            let time = Instant::now();
            diagnostic.add_measurement(DiagnosticMeasurement { time, value });
            store.add(diagnostic);
        }
        store
    }

    #[test]
    fn passes_have_names_and_the_others_are_added_up() {
        let times = gpu_times(&store(&[
            ("render/main_opaque_pass_3d/elapsed_gpu", 2.0),
            ("render/main_opaque_pass_3d/elapsed_cpu", 9.0),
            ("render/tonemapping/elapsed_gpu", 0.25),
            ("render/smaa/elapsed_gpu", 0.5),
            ("render/bloom/bloom_downsampling/elapsed_gpu", 7.0),
        ]));
        let found: Vec<_> = times.iter().map(|time| (time.name, time.milliseconds)).collect();
        assert_eq!(found, [("Opaque pass", 2.0), ("Other passes", 0.75)]);
        assert_eq!(gpu_times(&store(&[("fps", 60.0)])), []);
    }
}
