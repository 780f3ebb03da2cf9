//! Measures what the renderer and the GPU take for a frame, for `HoldFrameTime`.
//!
//! The renderer waits for a window's next image in `prepare_windows`, and when it presents one. The
//! GPU writes the time when it begins the first and ends the last commands of a frame, which are
//! submitted together: it waits for nothing in between.

use core::time::Duration;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy_app::App;
use bevy_camera::Camera3d;
use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;
#[cfg(not(target_arch = "wasm32"))]
use bevy_render::pipelined_rendering::RenderAppChannels;
use bevy_render::render_resource::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoder, CommandEncoderDescriptor,
    ComputePassDescriptor, MapMode, WgpuFeatures,
};
use bevy_render::renderer::{
    PendingCommandBuffers, RenderDevice, RenderGraph, RenderGraphSystems, RenderQueue, WgpuWrapper,
};
use bevy_render::view::ViewTarget;
use bevy_render::view::window::prepare_windows;
use bevy_render::{Render, RenderApp, RenderStartup, RenderSystems};
use wgpu::{ComputePassTimestampWrites, QuerySet, QuerySetDescriptor, QueryType};

use crate::lod::frame_clock::{FrameClock, Gpu};

pub(super) fn build(app: &mut App) {
    let Some(clock) = app.world().get_resource::<FrameClock>().cloned() else { return };
    // A browser has one thread for all.
    #[cfg(not(target_arch = "wasm32"))]
    app.add_systems(bevy_app::Startup, note_pipelining);
    let Some(app) = app.get_sub_app_mut(RenderApp) else { return };
    app.insert_resource(clock)
        .init_resource::<Work>()
        .add_systems(RenderStartup, make_timer)
        .add_systems(
            Render,
            (
                begin.before(RenderSystems::ExtractCommands),
                pause.in_set(RenderSystems::PrepareViews).before(prepare_windows),
                go_on.in_set(RenderSystems::PrepareViews).after(prepare_windows),
            ),
        )
        .add_systems(
            RenderGraph,
            (
                start_timer.in_set(RenderGraphSystems::Begin),
                stop_timer.after(RenderGraphSystems::Render).before(RenderGraphSystems::Submit),
                end.in_set(RenderGraphSystems::Finish),
            ),
        );
}

/// Whether the renderer has a thread of its own.
#[cfg(not(target_arch = "wasm32"))]
fn note_pipelining(clock: Res<FrameClock>, channels: Option<Res<RenderAppChannels>>) {
    clock.set_pipelined(channels.is_some());
}

/// The work of the renderer for a frame so far.
#[derive(Resource, Default)]
struct Work {
    since: Option<Instant>,
    done: Duration,
}

impl Work {
    fn pause(&mut self) {
        self.done += self.since.take().map_or(Duration::ZERO, |since| since.elapsed());
    }
}

fn begin(mut work: ResMut<Work>, clock: Res<FrameClock>) {
    *work = Work { since: clock.is_wanted().then(Instant::now), done: Duration::ZERO };
}

fn pause(mut work: ResMut<Work>) {
    work.pause();
}

fn go_on(mut work: ResMut<Work>, clock: Res<FrameClock>) {
    work.since = clock.is_wanted().then(Instant::now);
}

/// The times of the GPU; none if it has no timestamps.
#[derive(Resource)]
struct Timer {
    /// Nanoseconds of a unit of timestamps.
    unit: f32,
    slots: Option<[Slot; SLOTS]>,
    /// The slot of the frame that is drawn.
    current: Option<usize>,
}

/// How many frames may be on their way. Others are not measured.
const SLOTS: usize = 4;
/// Two timestamps of 8 bytes.
const BYTES: u64 = 16;

struct Slot {
    queries: WgpuWrapper<QuerySet>,
    resolved: Buffer,
    read: Buffer,
    is_used: bool,
    answer: Arc<Answer>,
}

/// What became of the timestamps of a frame.
#[derive(Default)]
struct Answer {
    can_be_read: AtomicBool,
    are_lost: AtomicBool,
}

fn make_timer(mut commands: Commands, device: Res<RenderDevice>, queue: Res<RenderQueue>) {
    let has_timestamps = device.features().contains(WgpuFeatures::TIMESTAMP_QUERY);
    let buffer = |label, usage| {
        let label = Some(label);
        device.create_buffer(&BufferDescriptor {
            label,
            size: BYTES,
            usage,
            mapped_at_creation: false,
        })
    };
    let slot = |_| Slot {
        queries: WgpuWrapper::new(device.wgpu_device().create_query_set(&QuerySetDescriptor {
            label: Some("orogeny: time of the GPU"),
            ty: QueryType::Timestamp,
            count: 2,
        })),
        resolved: buffer(
            "orogeny: timestamps",
            BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
        ),
        read: buffer("orogeny: read timestamps", BufferUsages::COPY_DST | BufferUsages::MAP_READ),
        is_used: false,
        answer: Arc::default(),
    };
    commands.insert_resource(Timer {
        unit: queue.get_timestamp_period(),
        slots: has_timestamps.then(|| [0, 1, 2, 3].map(slot)),
        current: None,
    });
}

/// An empty pass that writes the time when it begins or ends.
fn write_time(encoder: &mut CommandEncoder, queries: &QuerySet, [begin, end]: [Option<u32>; 2]) {
    encoder.begin_compute_pass(&ComputePassDescriptor {
        label: Some("orogeny: time of the GPU"),
        timestamp_writes: Some(ComputePassTimestampWrites {
            query_set: queries,
            beginning_of_pass_write_index: begin,
            end_of_pass_write_index: end,
        }),
    });
}

/// Reads the frames that are done, and begins to time this one, if a 3D view is drawn.
fn start_timer(
    mut timer: ResMut<Timer>,
    views: Query<(), (With<Camera3d>, With<ViewTarget>)>,
    clock: Res<FrameClock>,
    device: Res<RenderDevice>,
    mut pending: ResMut<PendingCommandBuffers>,
) {
    let Timer { unit, slots, current } = &mut *timer;
    *current = None;
    if slots.iter().flatten().any(|slot| slot.answer.are_lost.load(Ordering::Acquire)) {
        *slots = None;
        clock.write(|parts| parts.gpu = Gpu::Unknown);
    }
    let Some(slots) = slots else { return };
    for slot in slots.iter_mut() {
        if slot.answer.can_be_read.swap(false, Ordering::Acquire) {
            let bytes = slot.read.slice(..).get_mapped_range();
            let [begun, ended] = [&bytes[..8], &bytes[8..]]
                .map(|part| part.try_into().map_or(0, u64::from_le_bytes));
            drop(bytes);
            slot.read.unmap();
            slot.is_used = false;
            // Counters of some devices jump.
            if let Some(units) = ended.checked_sub(begun) {
                let nanos = (units as f64 * f64::from(*unit)) as u64;
                clock.write(|parts| parts.gpu = Gpu::Took(Duration::from_nanos(nanos)));
            }
        }
    }
    if !clock.is_wanted() || views.is_empty() {
        return;
    }
    *current = slots.iter().position(|slot| !slot.is_used);
    if let Some(free) = *current {
        let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
        write_time(&mut encoder, &slots[free].queries, [Some(0), None]);
        pending.push([encoder.finish()]);
    }
}

fn stop_timer(
    timer: Res<Timer>,
    device: Res<RenderDevice>,
    mut pending: ResMut<PendingCommandBuffers>,
) {
    let (Some(slots), Some(current)) = (&timer.slots, timer.current) else { return };
    let slot = &slots[current];
    let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
    write_time(&mut encoder, &slot.queries, [None, Some(1)]);
    encoder.resolve_query_set(&slot.queries, 0..2, &slot.resolved, 0);
    encoder.copy_buffer_to_buffer(&slot.resolved, 0, &slot.read, 0, BYTES);
    // After those of all passes.
    pending.push_encoder(encoder);
}

/// Tells what the renderer took, and asks for the timestamps.
fn end(
    mut work: ResMut<Work>,
    mut timer: ResMut<Timer>,
    views: Query<(), (With<Camera3d>, With<ViewTarget>)>,
    clock: Res<FrameClock>,
) {
    work.pause();
    let has_timestamps = timer.slots.is_some();
    if !views.is_empty() {
        clock.write(|parts| {
            parts.renderer = Some(work.done);
            if has_timestamps && parts.gpu == Gpu::Unknown {
                parts.gpu = Gpu::Waiting;
            }
        });
    }
    let Timer { slots: Some(slots), current, .. } = &mut *timer else { return };
    if let Some(slot) = current.take().map(|current| &mut slots[current]) {
        slot.is_used = true;
        let answer = slot.answer.clone();
        slot.read.slice(..).map_async(MapMode::Read, move |result| {
            let now = if result.is_ok() { &answer.can_be_read } else { &answer.are_lost };
            now.store(true, Ordering::Release);
        });
    }
}
