//! Timestamps of the GPU between passes that Bevy records no spans of.
//!
//! Command buffers are submitted in the order of their systems, so a system between two others
//! writes a timestamp between their commands.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::core_pipeline::core_3d::{main_opaque_pass_3d, main_transparent_pass_3d};
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

/// The marks of a view: before and after its shadows, before and after its main passes.
const MARKS: u32 = 4;
/// The maximum number of views.
const VIEWS: u32 = 4;
const BYTES: u64 = 8 * (MARKS * VIEWS) as u64;

/// GPU times between marks, in milliseconds, of all views together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Intervals {
    /// The shadow maps of directional lights.
    pub shadows: f64,
    /// From the shadows to the main passes: mostly the tables of the atmosphere.
    pub before_main: f64,
    /// The opaque and the transparent pass, and the sky between them.
    pub main: f64,
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
            count: MARKS * VIEWS,
        }),
        resolved: buffer(BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC),
        mapped: buffer(BufferUsages::COPY_DST | BufferUsages::MAP_READ),
        period: render.world().resource::<RenderQueue>().get_timestamp_period().into(),
        views: AtomicU32::new(0),
    };
    let shadows = per_view_shadow_pass::<EARLY_SHADOW_PASS>;
    render
        .insert_resource(marks)
        .add_systems(
            Render,
            (|marks: Res<Marks>| marks.views.store(0, Relaxed)).before(RenderSystems::Render),
        )
        .add_systems(
            Core3d,
            (
                mark::<0>.in_set(Core3dSystems::Prepass).after(early_prepass).before(shadows),
                mark::<1>.in_set(Core3dSystems::Prepass).after(shadows).before(late_prepass),
                mark::<2>.in_set(Core3dSystems::MainPass).before(main_opaque_pass_3d),
                mark::<3>.in_set(Core3dSystems::MainPass).after(main_transparent_pass_3d),
            ),
        )
        .add_systems(
            RenderGraph,
            resolve.after(RenderGraphSystems::Render).before(RenderGraphSystems::Submit),
        );
}

/// Writes a timestamp. Views are drawn one after the other.
fn mark<const MARK: u32>(marks: Res<Marks>, mut context: RenderContext) {
    let first = u32::from(MARK == 0);
    // The first mark of a view counts it.
    let view = marks.views.fetch_add(first, Relaxed) + first - 1;
    if view < VIEWS {
        context.command_encoder().write_timestamp(&marks.queries, MARKS * view + MARK);
    }
}

fn resolve(
    marks: Res<Marks>,
    device: Res<RenderDevice>,
    mut pending: ResMut<PendingCommandBuffers>,
) {
    let count = MARKS * marks.views.load(Relaxed).min(VIEWS);
    if count > 0 {
        let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
        encoder.resolve_query_set(&marks.queries, 0..count, &marks.resolved, 0);
        encoder.copy_buffer_to_buffer(&marks.resolved, 0, &marks.mapped, 0, Some(BYTES));
        pending.push_encoder(encoder);
    }
}

/// The intervals of the last frame. Waits for the GPU. `None` without marks.
pub fn read(app: &App) -> Option<Intervals> {
    let world = app.get_sub_app(RenderApp)?.world();
    let marks = world.get_resource::<Marks>()?;
    let views = marks.views.load(Relaxed).min(VIEWS);
    marks.mapped.slice(..).map_async(MapMode::Read, |_| {});
    world.resource::<RenderDevice>().poll(PollType::wait_indefinitely()).ok()?;
    let ticks: Vec<u64> = {
        let bytes = marks.mapped.slice(..).get_mapped_range();
        bytes.as_chunks().0.iter().map(|&ticks| u64::from_le_bytes(ticks)).collect()
    };
    marks.mapped.unmap();
    let between = |[from, to]: [usize; 2]| {
        let views = ticks.chunks_exact(MARKS as usize).take(views as usize);
        let sum: u64 = views.map(|marks| marks[to].saturating_sub(marks[from])).sum();
        sum as f64 * marks.period / 1e6
    };
    (views > 0).then(|| Intervals {
        shadows: between([0, 1]),
        before_main: between([1, 2]),
        main: between([2, 3]),
    })
}
