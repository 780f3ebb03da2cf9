//! GPU times by pass, and invocations of shaders.
//!
//! Bevy records spans of the two main passes. `gpu_marks` brackets shadows and the whole frame, and
//! `shaded` counts what shadows shade.

use std::ops::Add;

use bevy::diagnostic::{DiagnosticPath, DiagnosticsStore};
use bevy::prelude::*;
use bevy::render::diagnostic::RenderDiagnosticsPlugin;
use bevy::render::render_resource::WgpuFeatures;
use bevy::render::renderer::RenderDevice;

use crate::{gpu_marks, shaded};

/// Bevy's spans of the main passes.
pub const OPAQUE: &str = "main_opaque_pass_3d";
pub const TRANSPARENT: &str = "main_transparent_pass_3d";

/// The number of frames after which Bevy has read back the spans of a frame that the GPU has
/// finished: one until the recorder finds them, and one until the store has them.
pub const LAG: u32 = 2;

/// What the device can measure.
#[derive(Clone, Copy, Debug)]
pub struct Abilities {
    /// Timestamps between passes.
    pub marks: bool,
    /// Timestamps of each pass.
    pub spans: bool,
    /// Invocations of shaders, and triangles.
    pub counts: bool,
}

impl Abilities {
    pub fn of(app: &App) -> Self {
        let device = app.world().get_resource::<RenderDevice>();
        let features = device.map_or(WgpuFeatures::empty(), RenderDevice::features);
        let marks = WgpuFeatures::TIMESTAMP_QUERY | WgpuFeatures::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        let spans = marks | WgpuFeatures::TIMESTAMP_QUERY_INSIDE_PASSES;
        Self {
            marks: features.contains(marks),
            spans: features.contains(spans),
            counts: features.contains(WgpuFeatures::PIPELINE_STATISTICS_QUERY),
        }
    }
}

/// Adds Bevy's spans. Call it before `App::finish`.
pub fn add(app: &mut App) {
    app.add_plugins(RenderDiagnosticsPlugin);
}

/// Adds the timestamps, if the device has them, and the counting of shadows. Call it after
/// `App::finish`.
pub fn add_to_finished(app: &mut App) {
    if Abilities::of(app).marks {
        gpu_marks::add(app);
    }
    shaded::add(app);
}

/// Forgets what was recorded.
pub fn forget(app: &mut App) {
    for diagnostic in app.world_mut().resource_mut::<DiagnosticsStore>().iter_mut() {
        diagnostic.clear_history();
    }
}

/// The times of a span that were recorded, in milliseconds.
pub fn times(app: &App, span: &str) -> Vec<f64> {
    let store = app.world().resource::<DiagnosticsStore>();
    let found = store.get(&path(span, "elapsed_gpu"));
    found.map_or(Vec::new(), |found| found.values().copied().collect())
}

/// What the GPU counted in a pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Invocations of the vertex shader.
    pub vertices: f64,
    /// Triangles that were assembled, before clipping.
    pub triangles: f64,
    /// Invocations of the fragment shader.
    pub fragments: f64,
}

/// The counts of spans in the newest frame, over all passes of these names.
pub fn counts(app: &App, spans: &[&str]) -> Counts {
    let store = app.world().resource::<DiagnosticsStore>();
    let sum = |name: &str| {
        let found = spans.iter().filter_map(|span| store.get(&path(span, name)));
        let newest = found.flat_map(|found| {
            let time = found.measurement().map(|newest| newest.time);
            found.measurements().filter(move |other| Some(other.time) == time)
        });
        newest.map(|measurement| measurement.value).fold(0.0, f64::add)
    };
    Counts {
        vertices: sum("vertex_shader_invocations"),
        triangles: sum("clipper_invocations"),
        fragments: sum("fragment_shader_invocations"),
    }
}

fn path(span: &str, name: &str) -> DiagnosticPath {
    DiagnosticPath::from_components(["render", span, name])
}
