//! What selection has on the device.

use bevy_asset::AssetId;
use bevy_ecs::resource::Resource;
use bevy_math::{UVec2, UVec4};
use bevy_mesh::Mesh;
use bevy_platform::collections::HashMap;
use bevy_render::mesh::allocator::MeshAllocator;
use bevy_render::mesh::{RenderMesh, RenderMeshBufferInfo};
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::{
    BindGroup, BindGroupEntries, Buffer, BufferDescriptor, BufferId, BufferUsages,
    CommandEncoderDescriptor, PipelineCache, StorageBuffer, UniformBuffer,
};
use bevy_render::renderer::{RenderDevice, RenderQueue};
use bevy_render::view::RetainedViewEntity;

use super::extract::Extracted;
use super::layouts;
use super::rows::{Look, Params, TileRow, ViewRow, Wind};
use crate::plants::drawn::DrawnInView;
use crate::plants::record::BYTES;

/// The bytes of the arguments of a draw: five words.
pub(super) const ARGUMENT_BYTES: u64 = 20;

/// The most bytes of a buffer on a device: whole words.
pub(super) fn most_bytes(device: &RenderDevice) -> u64 {
    let limits = device.limits();
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) & !3
}

/// A buffer that the device alone writes, as large as it has ever had to be.
#[derive(Default)]
pub(super) struct Scratch {
    pub buffer: Option<Buffer>,
}

impl Scratch {
    /// Makes it at least that large. What it had is lost.
    pub fn reserve(&mut self, bytes: u64, usage: BufferUsages, device: &RenderDevice) {
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
    pub params: UniformBuffer<Params>,
    pub views: StorageBuffer<Vec<ViewRow>>,
    pub tiles: StorageBuffer<Vec<TileRow>>,
    pub looks: StorageBuffer<Vec<Look>>,
    pub blocks: StorageBuffer<Vec<UVec2>>,
    pub draws: StorageBuffer<Vec<UVec4>>,
    records: Scratch,
    pub counters: Scratch,
    pub arguments: Scratch,
    pub instances: Scratch,
    pub draws_changed: bool,
    pub groups: Option<[BindGroup; 3]>,
    /// The buffers that are bound.
    pub bound_at: [Option<BufferId>; 10],
    /// What vertex shaders read.
    pub wind_group: Option<BindGroup>,
    /// The number of each view.
    pub numbers: HashMap<RetainedViewEntity, u32>,
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
    pub fn bound(&self) -> [Option<BufferId>; 10] {
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
    pub fn place_draws(
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
    pub fn write_records(
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

    /// Binds all buffers; `None` while some are missing.
    pub fn bind(&self, device: &RenderDevice, cache: &PipelineCache) -> Option<[BindGroup; 3]> {
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

/// The number of indices of a mesh, and where its indices and its vertices begin.
fn place(
    mesh: AssetId<Mesh>,
    meshes: &RenderAssets<RenderMesh>,
    allocator: &MeshAllocator,
) -> Option<[u32; 3]> {
    let RenderMeshBufferInfo::Indexed { count, .. } = meshes.get(mesh)?.buffer_info else {
        return None;
    };
    let first = allocator.mesh_index_slice(&mesh)?.range.start;
    Some([count, first, allocator.mesh_vertex_slice(&mesh)?.range.start])
}
