//! Runs the compute shader that selects instances.

use bevy_asset::{AssetServer, load_embedded_asset};
use bevy_ecs::prelude::*;
use bevy_log::error_once;
use bevy_math::{UVec2, UVec4};
use bevy_mesh::Mesh;
use bevy_platform::collections::HashMap;
use bevy_render::mesh::allocator::MeshAllocator;
use bevy_render::mesh::{RenderMesh, RenderMeshBufferInfo};
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{
    BindGroup, BindGroupEntries, Buffer, BufferDescriptor, BufferId, BufferUsages,
    CachedComputePipelineId, CommandEncoderDescriptor, ComputePassDescriptor,
    ComputePipelineDescriptor, PipelineCache, StorageBuffer, UniformBuffer,
};
use bevy_render::renderer::{RenderContext, RenderDevice, RenderQueue};
use bevy_render::view::RetainedViewEntity;

use super::extract::Extracted;
use super::layouts;
use super::rows::{Look, Params, TileRow, ViewRow, Wind};
use super::views::Views;
use crate::plants::drawn::DrawnInView;
use crate::plants::material::INSTANCE;
use crate::plants::record::BYTES;

/// The arguments of a draw, in words and bytes.
const ARGUMENTS: u64 = 5;
pub(super) const ARGUMENT_BYTES: u64 = 4 * ARGUMENTS;
/// The workgroups along the first axis, as many as all devices have. More are along the third.
const ROW: u32 = 65_535;

/// The steps of selection.
#[derive(Resource)]
pub(super) struct Pipelines {
    count: CachedComputePipelineId,
    make_room: CachedComputePipelineId,
    write: CachedComputePipelineId,
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
            layout: vec![layouts::shared(), second],
            shader: shader.clone(),
            entry_point: Some(entry_point.into()),
            ..ComputePipelineDescriptor::default()
        })
    };
    commands.insert_resource(Pipelines {
        count: queue("count", layouts::instances()),
        make_room: queue("make_room", layouts::draws()),
        write: queue("write", layouts::instances()),
    });
}

/// The most bytes of a buffer on a device: whole words.
fn most_bytes(device: &RenderDevice) -> u64 {
    let limits = device.limits();
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) & !3
}

/// A buffer that the device alone writes, as large as it has ever had to be.
#[derive(Default)]
struct Scratch {
    buffer: Option<Buffer>,
}

impl Scratch {
    /// Makes it at least that large. What it had is lost.
    fn reserve(&mut self, bytes: u64, usage: BufferUsages, device: &RenderDevice) {
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < bytes) {
            let most = most_bytes(device).max(bytes);
            self.buffer = Some(device.create_buffer(&BufferDescriptor {
                label: Some("plants"),
                size: bytes.next_power_of_two().clamp(256, most.max(256)),
                usage: usage | BufferUsages::STORAGE,
                mapped_at_creation: false,
            }));
        }
    }
}

/// All that is on the device.
#[derive(Resource, Default)]
pub(super) struct Buffers {
    pub wind: UniformBuffer<Wind>,
    params: UniformBuffer<Params>,
    views: StorageBuffer<Vec<ViewRow>>,
    tiles: StorageBuffer<Vec<TileRow>>,
    looks: StorageBuffer<Vec<Look>>,
    blocks: StorageBuffer<Vec<UVec2>>,
    draws: StorageBuffer<Vec<UVec4>>,
    records: Scratch,
    counters: Scratch,
    arguments: Scratch,
    instances: Scratch,
    draws_changed: bool,
    groups: Option<[BindGroup; 3]>,
    /// The buffers that are bound.
    bound_at: [Option<BufferId>; 10],
    /// What vertex shaders read.
    pub wind_group: Option<BindGroup>,
    /// The number of each view.
    numbers: HashMap<RetainedViewEntity, u32>,
    /// Whether the arguments of draws are those of this frame.
    pub is_ready: bool,
}

impl Buffers {
    /// The buffer of instances, and that of arguments with the place of those of a draw in a view.
    pub fn draw(&self, view: &RetainedViewEntity, draw: u32) -> Option<(&Buffer, &Buffer, u64)> {
        let view = u64::from(*self.numbers.get(view).filter(|_| self.is_ready)?);
        let place = view * self.draws.get().len() as u64 + u64::from(draw);
        let (instances, arguments) =
            (self.instances.buffer.as_ref()?, self.arguments.buffer.as_ref()?);
        Some((instances, arguments, place * ARGUMENT_BYTES))
    }

    /// The arguments of all draws of all views.
    pub fn arguments(&self) -> Option<&Buffer> {
        self.arguments.buffer.as_ref().filter(|_| self.is_ready)
    }

    /// All views, in which nothing is drawn yet.
    pub fn views(&self) -> Vec<DrawnInView> {
        let mut all: Vec<(u32, DrawnInView)> = Vec::new();
        for (id, &number) in &self.numbers {
            let is_shadow = self.views.get()[number as usize].is_camera == 0;
            let (view, subview) = (id.main_entity.id(), id.subview_index);
            let (instances, triangles, draws) = (0, 0, 0);
            let row = DrawnInView { view, is_shadow, subview, instances, triangles, draws };
            all.push((number, row));
        }
        all.sort_unstable_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, view)| view).collect()
    }

    /// The buffers that are to be bound.
    fn bound(&self) -> [Option<BufferId>; 10] {
        [
            self.params.buffer(),
            self.views.buffer(),
            self.counters.buffer.as_ref(),
            self.blocks.buffer(),
            self.tiles.buffer(),
            self.records.buffer.as_ref(),
            self.looks.buffer(),
            self.instances.buffer.as_ref(),
            self.draws.buffer(),
            self.arguments.buffer.as_ref(),
        ]
        .map(|buffer| buffer.map(Buffer::id))
    }

    /// Finds out where the meshes of draws are.
    fn place_draws(
        &mut self,
        extracted: &Extracted,
        meshes: &RenderAssets<RenderMesh>,
        allocator: &MeshAllocator,
    ) {
        let draws = self.draws.get_mut();
        self.draws_changed = draws.len() != extracted.draws.len();
        draws.resize(extracted.draws.len(), UVec4::ZERO);
        for (known, draw) in draws.iter_mut().zip(&extracted.draws) {
            let [count, first, vertex] = place(draw.mesh, meshes, allocator).unwrap_or_default();
            let now = UVec4::new(draw.shape, count, first, vertex);
            self.draws_changed |= *known != now;
            *known = now;
        }
    }

    /// Makes room for records, and writes those that wait.
    fn write_records(
        &mut self,
        extracted: &mut Extracted,
        device: &RenderDevice,
        queue: &RenderQueue,
    ) {
        let bytes = u64::from(extracted.capacity) * BYTES as u64;
        let old = self.records.buffer.clone();
        let usage = BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        self.records.reserve(bytes, usage, device);
        let Some(new) = &self.records.buffer else { return };
        if let Some(old) = old.filter(|old| old.id() != new.id()) {
            let mut encoder =
                device.create_command_encoder(&CommandEncoderDescriptor { label: Some("plants") });
            encoder.copy_buffer_to_buffer(&old, 0, new, 0, old.size());
            queue.submit([encoder.finish()]);
        }
        let mut bytes = Vec::new();
        for write in extracted.writes.drain(..) {
            bytes.clear();
            bytes.extend(write.records.iter().flatten().flat_map(|word| word.to_le_bytes()));
            queue.write_buffer(new, u64::from(write.start) * BYTES as u64, &bytes);
        }
    }
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
    if buffers.wind.buffer().is_none() || *buffers.wind.get() != extracted.wind.into() {
        buffers.wind.set(extracted.wind.into());
        buffers.wind.write_buffer(device, queue);
    }
    if buffers.wind_group.is_none()
        && let Some(wind) = buffers.wind.binding()
    {
        let layout = cache.get_bind_group_layout(&layouts::wind());
        let entries = BindGroupEntries::single(wind);
        buffers.wind_group = Some(device.create_bind_group("plants_wind", &layout, &entries));
    }
    if extracted.capacity == 0 || extracted.draws.is_empty() {
        return;
    }
    buffers.write_records(extracted, device, queue);
    views.rows(extracted, buffers.views.get_mut(), &mut buffers.numbers);
    let view_count = buffers.views.get().len() as u64;
    if extracted.blocks.is_empty() || view_count == 0 {
        return;
    }
    buffers.views.write_buffer(device, queue);
    let blocks = extracted.blocks.len() as u32;
    if core::mem::take(&mut extracted.rows_changed) || buffers.looks.buffer().is_none() {
        buffers.looks.set(extracted.looks.clone());
        buffers.looks.write_buffer(device, queue);
    }
    if core::mem::take(&mut extracted.tiles_changed) || buffers.tiles.buffer().is_none() {
        buffers.tiles.set(extracted.tiles.clone());
        buffers.tiles.write_buffer(device, queue);
        buffers.blocks.set(extracted.blocks.iter().copied().map(UVec2::from).collect());
        buffers.blocks.write_buffer(device, queue);
        let draws = extracted.draws.len() as u32;
        buffers.params.set(Params::new(extracted.shapes, draws, blocks));
        buffers.params.write_buffer(device, queue);
    }
    buffers.place_draws(extracted, &meshes, &allocator);
    if buffers.draws_changed || buffers.draws.buffer().is_none() {
        buffers.draws.write_buffer(device, queue);
    }
    let of_view = |view: &ViewRow| u64::from(extracted.records[usize::from(view.is_camera == 0)]);
    let instances: u64 = buffers.views.get().iter().map(of_view).sum();
    let counters = 8 * view_count * u64::from(extracted.shapes);
    let arguments = view_count * extracted.draws.len() as u64 * ARGUMENT_BYTES;
    let sizes = [instances * INSTANCE, counters, arguments];
    if sizes.into_iter().any(|bytes| bytes > most_bytes(device)) {
        error_once!("too many plants in too many views: none are drawn");
        return;
    }
    buffers.instances.reserve(sizes[0], BufferUsages::VERTEX, device);
    buffers.counters.reserve(sizes[1], BufferUsages::COPY_DST, device);
    let usage = BufferUsages::INDIRECT | BufferUsages::COPY_SRC;
    buffers.arguments.reserve(sizes[2], usage, device);
    let bound = buffers.bound();
    if buffers.groups.is_none() || buffers.bound_at != bound {
        buffers.bound_at = bound;
        buffers.groups = buffers.bind(device, &cache);
    }
    buffers.is_ready = buffers.groups.is_some();
}

/// The number of indices of a mesh, and where its indices and its vertices begin.
fn place(
    mesh: bevy_asset::AssetId<Mesh>,
    meshes: &RenderAssets<RenderMesh>,
    allocator: &MeshAllocator,
) -> Option<[u32; 3]> {
    let RenderMeshBufferInfo::Indexed { count, .. } = meshes.get(mesh)?.buffer_info else {
        return None;
    };
    let first = allocator.mesh_index_slice(&mesh)?.range.start;
    Some([count, first, allocator.mesh_vertex_slice(&mesh)?.range.start])
}

impl Buffers {
    fn bind(&self, device: &RenderDevice, cache: &PipelineCache) -> Option<[BindGroup; 3]> {
        let layout = |descriptor| cache.get_bind_group_layout(&descriptor);
        // All of each buffer, not what was written last: it may be written again, with more.
        let (views, blocks, tiles) =
            (self.views.buffer()?, self.blocks.buffer()?, self.tiles.buffer()?);
        let (looks, draws) = (self.looks.buffer()?, self.draws.buffer()?);
        let shared = BindGroupEntries::sequential((
            self.params.binding()?,
            views.as_entire_binding(),
            self.counters.buffer.as_ref()?.as_entire_binding(),
        ));
        let instances = BindGroupEntries::sequential((
            blocks.as_entire_binding(),
            tiles.as_entire_binding(),
            self.records.buffer.as_ref()?.as_entire_binding(),
            looks.as_entire_binding(),
            self.instances.buffer.as_ref()?.as_entire_binding(),
        ));
        let draws = BindGroupEntries::sequential((
            draws.as_entire_binding(),
            self.arguments.buffer.as_ref()?.as_entire_binding(),
        ));
        Some([
            device.create_bind_group("plants_shared", &layout(layouts::shared()), &shared),
            device.create_bind_group("plants_instances", &layout(layouts::instances()), &instances),
            device.create_bind_group("plants_draws", &layout(layouts::draws()), &draws),
        ])
    }
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
    let get = |pipeline| cache.get_compute_pipeline(pipeline);
    let steps = (get(pipelines.count), get(pipelines.make_room), get(pipelines.write));
    let (
        (Some(count), Some(make_room), Some(write)),
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
    let encoder = context.command_encoder();
    encoder.clear_buffer(counters, 0, None);
    let descriptor = ComputePassDescriptor { label: Some("plants"), timestamp_writes: None };
    let mut pass = encoder.begin_compute_pass(&descriptor);
    pass.set_bind_group(0, shared, &[]);
    pass.set_bind_group(1, instances, &[]);
    pass.set_pipeline(count);
    pass.dispatch_workgroups(across, views, rows);
    pass.set_bind_group(1, draws, &[]);
    pass.set_pipeline(make_room);
    pass.dispatch_workgroups(1, views, 1);
    pass.set_bind_group(1, instances, &[]);
    pass.set_pipeline(write);
    pass.dispatch_workgroups(across, views, rows);
}
