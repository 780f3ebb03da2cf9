//! Runs the compute shader that selects instances.

use bevy_asset::{AssetServer, load_embedded_asset};
use bevy_ecs::prelude::*;
use bevy_log::error_once;
use bevy_math::UVec2;
use bevy_render::mesh::RenderMesh;
use bevy_render::mesh::allocator::MeshAllocator;
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{
    BindGroupEntries, BufferUsages, CachedComputePipelineId, ComputePassDescriptor,
    ComputePipelineDescriptor, PipelineCache,
};
use bevy_render::renderer::{RenderContext, RenderDevice, RenderQueue};

use super::buffers::{self, BLOCK, Buffers, Params, most_bytes};
use super::extract::Extracted;
use super::views::Views;
use super::wind::{self, Wind};

/// The workgroups along the first axis, as many as all devices have. More are along the third.
const ROW: u32 = 65_535;

/// The steps of selection.
#[derive(Resource)]
pub(super) struct Pipelines {
    count: CachedComputePipelineId,
    make_room: CachedComputePipelineId,
    write_instances: CachedComputePipelineId,
    write_arguments: CachedComputePipelineId,
}

pub(super) fn queue_pipelines(
    mut commands: Commands,
    cache: Res<PipelineCache>,
    assets: Res<AssetServer>,
) {
    let shader = load_embedded_asset!(assets.as_ref(), "select.wgsl");
    let queue = |entry_point: &'static str, second| {
        cache.queue_compute_pipeline(ComputePipelineDescriptor {
            label: Some(format!("plants: {entry_point}").into()),
            layout: vec![buffers::shared_layout(), second],
            shader: shader.clone(),
            entry_point: Some(entry_point.into()),
            ..ComputePipelineDescriptor::default()
        })
    };
    commands.insert_resource(Pipelines {
        count: queue("count", buffers::instances_layout()),
        make_room: queue("make_room", buffers::instances_layout()),
        write_instances: queue("write_instances", buffers::instances_layout()),
        write_arguments: queue("write_arguments", buffers::draws_layout()),
    });
}

/// Writes what changed, and finds room for what is selected.
pub(super) fn prepare(
    mut extracted: ResMut<Extracted>,
    mut buffers: ResMut<Buffers>,
    views: Views,
    meshes: Res<RenderAssets<RenderMesh>>,
    allocator: Res<MeshAllocator>,
    cache: Res<PipelineCache>,
    (device, queue): (Res<RenderDevice>, Res<RenderQueue>),
) {
    let (extracted, buffers) = (&mut *extracted, &mut *buffers);
    buffers.is_ready = false;
    let (device, queue) = (&*device, &*queue);
    let wind = Wind::new(extracted.wind, &extracted.bodies);
    if buffers.wind.buffer().is_none() || *buffers.wind.get() != wind {
        buffers.wind.set(wind);
        buffers.wind.write_buffer(device, queue);
    }
    if buffers.wind_group.is_none()
        && let Some(wind) = buffers.wind.binding()
    {
        let layout = cache.get_bind_group_layout(&wind::layout());
        let entries = BindGroupEntries::single(wind);
        buffers.wind_group = Some(device.create_bind_group("plants_wind", &layout, &entries));
    }
    if extracted.capacity == 0 || extracted.draws.is_empty() {
        return;
    }
    buffers.write_records(extracted, device, queue);
    views.rows(extracted, buffers.views.get_mut(), &mut buffers.numbers);
    let view_count = buffers.views.get().len() as u32;
    if extracted.blocks.is_empty() || view_count == 0 {
        return;
    }
    buffers.views.write_buffer(device, queue);
    let blocks = extracted.blocks.len() as u32;
    if core::mem::take(&mut extracted.rows_changed) || buffers.variants.buffer().is_none() {
        buffers.variants.set(extracted.variants.clone());
        buffers.variants.write_buffer(device, queue);
    }
    if core::mem::take(&mut extracted.tiles_changed) || buffers.tiles.buffer().is_none() {
        buffers.tiles.set(extracted.tiles.clone());
        buffers.tiles.write_buffer(device, queue);
        buffers.blocks.set(extracted.blocks.iter().copied().map(UVec2::from).collect());
        buffers.blocks.write_buffer(device, queue);
    }
    let counts = [extracted.shapes, extracted.draws.len() as u32, blocks, view_count];
    let params = Params::new(counts, buffers.room);
    if buffers.params.buffer().is_none() || *buffers.params.get() != params {
        buffers.params.set(params);
        buffers.params.write_buffer(device, queue);
    }
    buffers.place_draws(extracted, &meshes, &allocator);
    if buffers.draws_changed || buffers.draws.buffer().is_none() {
        buffers.draws.write_buffer(device, queue);
    }
    // Each shape in each view has some words; hundreds of views would be needed.
    if params.counter_bytes().max(params.argument_bytes()) > most_bytes(device) {
        error_once!("no plants are drawn: there are too many models in too many views");
        return;
    }
    buffers.instances.resize(buffers.room.bytes(), BufferUsages::VERTEX, device);
    let usage = BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
    buffers.counters.reserve(params.counter_bytes(), usage, device);
    let usage = BufferUsages::INDIRECT | BufferUsages::COPY_SRC;
    buffers.arguments.reserve(params.argument_bytes(), usage, device);
    let bound = buffers.bound();
    if buffers.groups.is_none() || buffers.bound_at != bound {
        buffers.bound_at = bound;
        buffers.groups = buffers.bind(device, &cache);
    }
    buffers.is_ready = buffers.groups.is_some();
}

/// Selects the instances of all views.
pub(super) fn run(
    mut context: RenderContext,
    mut buffers: ResMut<Buffers>,
    pipelines: Res<Pipelines>,
    cache: Res<PipelineCache>,
    extracted: Res<Extracted>,
) {
    if !buffers.is_ready {
        return;
    }
    let steps = [
        pipelines.count,
        pipelines.make_room,
        pipelines.write_instances,
        pipelines.write_arguments,
    ]
    .map(|step| cache.get_compute_pipeline(step));
    let (
        [Some(count), Some(make_room), Some(write_instances), Some(write_arguments)],
        Some([shared, instances, draws]),
        Some(counters),
    ) = (steps, &buffers.groups, &buffers.counters.buffer)
    else {
        // Still being compiled.
        buffers.is_ready = false;
        return;
    };
    let views = buffers.views.get().len() as u32;
    let blocks = extracted.blocks.len() as u32;
    let [across, rows] = [blocks.min(ROW), blocks.div_ceil(ROW)];
    let draw_groups = (extracted.draws.len() as u32).div_ceil(BLOCK);
    let encoder = context.command_encoder();
    encoder.clear_buffer(counters, 0, None);
    let descriptor = ComputePassDescriptor { label: Some("plants"), timestamp_writes: None };
    let mut pass = encoder.begin_compute_pass(&descriptor);
    pass.set_bind_group(0, shared, &[]);
    pass.set_bind_group(1, instances, &[]);
    pass.set_pipeline(count);
    pass.dispatch_workgroups(across, views, rows);
    pass.set_pipeline(make_room);
    pass.dispatch_workgroups(1, 1, 1);
    pass.set_pipeline(write_instances);
    pass.dispatch_workgroups(across, views, rows);
    pass.set_bind_group(1, draws, &[]);
    pass.set_pipeline(write_arguments);
    pass.dispatch_workgroups(draw_groups, views, 1);
}
