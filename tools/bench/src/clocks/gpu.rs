//! The time of the GPU: Bevy's spans of passes, and timestamps of our own at the ends of a frame
//! and around the passes that Bevy 0.19 records no spans of, which are shadows and the sky.
//!
//! Command buffers are submitted in the order of their systems, so a system between two others
//! writes a timestamp between their commands.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::core_pipeline::core_3d::main_transparent_pass_3d;
use bevy::core_pipeline::prepass::node::{early_prepass, late_prepass};
use bevy::core_pipeline::{Core3d, Core3dSystems};
use bevy::diagnostic::{Diagnostic, DiagnosticPath, DiagnosticsStore};
use bevy::pbr::{EARLY_SHADOW_PASS, per_view_shadow_pass};
use bevy::prelude::*;
use bevy::render::diagnostic::RenderDiagnosticsPlugin;
use bevy::render::render_resource::WgpuFeatures;
use bevy::render::renderer::{
    PendingCommandBuffers, RenderContext, RenderDevice, RenderGraph, RenderGraphSystems,
    RenderQueue,
};
use bevy::render::{Render, RenderApp, RenderSystems};
use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoderDescriptor, MapMode, PollType, QuerySet,
    QuerySetDescriptor, QueryType,
};

/// Bevy's spans of the opaque pass, the transparent pass and the prepass.
pub const OPAQUE: &str = "main_opaque_pass_3d";
pub const TRANSPARENT: &str = "main_transparent_pass_3d";
pub const PREPASS: &str = "early prepass";

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
pub fn add_spans(app: &mut App) {
    app.add_plugins(RenderDiagnosticsPlugin);
}

/// What Bevy recorded of a span.
pub fn recorded<'a>(app: &'a App, span: &str, quantity: &str) -> Option<&'a Diagnostic> {
    let path = DiagnosticPath::from_components(["render", span, quantity]);
    app.world().resource::<DiagnosticsStore>().get(&path)
}

/// What Bevy recorded of the time of a span, in milliseconds.
pub fn recorded_time<'a>(app: &'a App, span: &str) -> Option<&'a Diagnostic> {
    recorded(app, span, "elapsed_gpu")
}

/// Where a timestamp is written. Each view has all but the first two.
#[derive(Clone, Copy, Debug)]
pub enum Mark {
    FrameBegin,
    FrameEnd,
    ShadowsBegin,
    ShadowsEnd,
    MainEnd,
}

const OF_FRAME: u32 = 2;
const OF_VIEW: u32 = 3;
/// The maximum number of views.
const VIEWS: u32 = 4;
const ALL: u32 = OF_FRAME + OF_VIEW * VIEWS;
const BYTES: u64 = 8 * ALL as u64;

/// The timestamps of a frame.
#[derive(Clone, Debug)]
pub struct Timestamps {
    ticks: Vec<u64>,
    views: u32,
    /// Nanoseconds of a tick.
    period: f64,
}

#[derive(Resource)]
struct Marks {
    queries: QuerySet,
    resolved: Buffer,
    mapped: Buffer,
    /// Nanoseconds of a tick.
    period: f64,
    /// The number of views drawn so far in this frame.
    views: AtomicU32,
}

impl Mark {
    /// The index of its timestamp.
    fn index(self, view: u32) -> u32 {
        let own = self as u32;
        if own < OF_FRAME { own } else { own + OF_VIEW * view }
    }
}

impl Timestamps {
    /// The time between two marks in milliseconds, of all views together. Both are marks of the
    /// frame, or both of a view.
    pub fn between(&self, from: Mark, to: Mark) -> f64 {
        let views = if (to as u32) < OF_FRAME { 1 } else { self.views };
        let tick = |mark: Mark, view| self.ticks[mark.index(view) as usize];
        let ticks: u64 = (0..views).map(|v| tick(to, v).saturating_sub(tick(from, v))).sum();
        ticks as f64 * self.period / 1e6
    }
}

/// Adds the marks. Call it after `App::finish`, on a GPU with timestamps between passes.
pub fn add_marks(app: &mut App) {
    let Some(render) = app.get_sub_app_mut(RenderApp) else { return };
    let device = render.world().resource::<RenderDevice>();
    let buffer = |usage| {
        let descriptor =
            BufferDescriptor { label: None, size: BYTES, usage, mapped_at_creation: false };
        device.wgpu_device().create_buffer(&descriptor)
    };
    let marks = Marks {
        queries: device.wgpu_device().create_query_set(&QuerySetDescriptor {
            label: None,
            ty: QueryType::Timestamp,
            count: ALL,
        }),
        resolved: buffer(BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC),
        mapped: buffer(BufferUsages::COPY_DST | BufferUsages::MAP_READ),
        period: render.world().resource::<RenderQueue>().get_timestamp_period().into(),
        views: AtomicU32::new(0),
    };
    let shadows = per_view_shadow_pass::<EARLY_SHADOW_PASS>;
    let prepass = || Core3dSystems::Prepass;
    render
        .insert_resource(marks)
        .add_systems(
            Render,
            (|marks: Res<Marks>| marks.views.store(0, Relaxed)).before(RenderSystems::Render),
        )
        .add_systems(
            Core3d,
            (
                write(Mark::ShadowsBegin).in_set(prepass()).after(early_prepass).before(shadows),
                write(Mark::ShadowsEnd).in_set(prepass()).after(shadows).before(late_prepass),
                write(Mark::MainEnd)
                    .in_set(Core3dSystems::MainPass)
                    .after(main_transparent_pass_3d),
            ),
        )
        .add_systems(
            RenderGraph,
            (
                begin.in_set(RenderGraphSystems::Begin),
                end.after(RenderGraphSystems::Render).before(RenderGraphSystems::Submit),
            ),
        );
}

/// The system that writes a mark of a view. Views are drawn one after the other.
fn write(mark: Mark) -> impl Fn(Res<Marks>, RenderContext) {
    move |marks, mut context| {
        // The first mark of a view counts it.
        let first = u32::from(matches!(mark, Mark::ShadowsBegin));
        let view = marks.views.fetch_add(first, Relaxed) + first - 1;
        if view < VIEWS {
            context.command_encoder().write_timestamp(&marks.queries, mark.index(view));
        }
    }
}

fn begin(marks: Res<Marks>, device: Res<RenderDevice>, mut pending: ResMut<PendingCommandBuffers>) {
    let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
    encoder.write_timestamp(&marks.queries, Mark::FrameBegin.index(0));
    // Encoders that are pushed unfinished are submitted after all buffers.
    pending.push([encoder.finish()]);
}

fn end(marks: Res<Marks>, device: Res<RenderDevice>, mut pending: ResMut<PendingCommandBuffers>) {
    let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
    encoder.write_timestamp(&marks.queries, Mark::FrameEnd.index(0));
    // A query that was not written may not be resolved.
    let written = 0..OF_FRAME + OF_VIEW * marks.views.load(Relaxed).min(VIEWS);
    encoder.resolve_query_set(&marks.queries, written, &marks.resolved, 0);
    encoder.copy_buffer_to_buffer(&marks.resolved, 0, &marks.mapped, 0, Some(BYTES));
    pending.push_encoder(encoder);
}

/// The timestamps of the last frame. Waits for the GPU. `None` if nothing was drawn, or without
/// marks.
pub fn read(app: &App) -> Option<Timestamps> {
    let world = app.get_sub_app(RenderApp)?.world();
    let marks = world.get_resource::<Marks>()?;
    let views = marks.views.load(Relaxed).min(VIEWS);
    marks.mapped.slice(..).map_async(MapMode::Read, |_| {});
    world.resource::<RenderDevice>().poll(PollType::wait_indefinitely()).ok()?;
    let ticks = {
        let bytes = marks.mapped.slice(..).get_mapped_range();
        bytes.as_chunks().0.iter().map(|&ticks| u64::from_le_bytes(ticks)).collect()
    };
    marks.mapped.unmap();
    (views > 0).then_some(Timestamps { ticks, views, period: marks.period })
}
