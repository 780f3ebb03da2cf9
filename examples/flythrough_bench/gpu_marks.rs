//! Timestamps of the GPU at the ends of a frame, and between passes that Bevy records no spans of.
//!
//! Command buffers are submitted in the order of their systems, so a system between two others
//! writes a timestamp between their commands.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::core_pipeline::core_3d::main_transparent_pass_3d;
use bevy::core_pipeline::prepass::node::{early_prepass, late_prepass};
use bevy::core_pipeline::{Core3d, Core3dSystems};
use bevy::pbr::{EARLY_SHADOW_PASS, per_view_shadow_pass};
use bevy::prelude::*;
use bevy::render::renderer::{
    PendingCommandBuffers, RenderContext, RenderDevice, RenderGraph, RenderGraphSystems,
    RenderQueue,
};
use bevy::render::{Render, RenderApp, RenderSystems};
use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoderDescriptor, MapMode, PollType, QuerySet,
    QuerySetDescriptor, QueryType,
};

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

/// Adds the marks. Call it after `App::finish`, on a GPU with timestamp queries.
pub fn add(app: &mut App) {
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
