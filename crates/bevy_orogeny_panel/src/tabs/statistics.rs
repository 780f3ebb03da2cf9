//! The tab Statistics: plots of the last frames, and GPU times.

use bevy::diagnostic::DiagnosticsStore;
use bevy::prelude::*;
use bevy_egui::egui::{Color32, Ui};
use bevy_orogeny::TerrainStats;
use documented::DocumentedFields;
use egui_plot::{Corner, Legend, Line, Plot};

use crate::recipe::{plain, value};
use crate::tabs::gpu_time::{self, GpuTime, gpu_times};
use crate::tabs::history::{Frame, History};
use crate::views::level_color;

const HEIGHT: f32 = 72.0;
const BLUE: Color32 = Color32::from_rgb(110, 170, 255);
const ORANGE: Color32 = Color32::from_rgb(255, 170, 80);

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
    title(ui, "GPU time", &total, gpu_time::HOW);
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
