//! What selection has on the device: buffers in the formats of `select.wgsl`, and how they are
//! bound.

use bevy_asset::AssetId;
use bevy_ecs::resource::Resource;
use bevy_math::{UVec2, UVec4, Vec3, Vec4};
use bevy_mesh::Mesh;
use bevy_platform::collections::HashMap;
use bevy_render::mesh::allocator::MeshAllocator;
use bevy_render::mesh::{RenderMesh, RenderMeshBufferInfo};
use bevy_render::render_asset::RenderAssets;
use bevy_render::render_resource::binding_types::{
    storage_buffer_read_only_sized, storage_buffer_sized, uniform_buffer,
};
use bevy_render::render_resource::{
    BindGroup, BindGroupEntries, BindGroupLayoutDescriptor, BindGroupLayoutEntries, Buffer,
    BufferDescriptor, BufferId, BufferUsages, CommandEncoderDescriptor, PipelineCache,
    ShaderStages, ShaderType, StorageBuffer, UniformBuffer,
};
use bevy_render::renderer::{RenderDevice, RenderQueue};
use bevy_render::view::RetainedViewEntity;

use super::drawn::DrawnInView;
use super::extract::Extracted;
use super::room::Room;
use super::views::GpuView;
use super::wind::Wind;
use crate::plants::packed::BYTES;
use crate::plants::store::VariantRow;
use crate::plants::tiers::{Class, JITTER, TIERS, Tier};

/// The bytes of the arguments of a draw: five words.
pub(super) const ARGUMENT_BYTES: u64 = 20;

/// The most bytes of a buffer on a device: whole words.
pub(super) fn most_bytes(device: &RenderDevice) -> u64 {
    let limits = device.limits();
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) & !3
}

/// A buffer that the device alone writes.
#[derive(Default)]
pub(super) struct Scratch {
    pub buffer: Option<Buffer>,
}

impl Scratch {
    /// Makes it that large, however large it is. What it had is lost.
    pub fn resize(&mut self, size: u64, usage: BufferUsages, device: &RenderDevice) {
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() != size) {
            self.buffer = Some(device.create_buffer(&BufferDescriptor {
                label: Some("plants"),
                size,
                usage: usage | BufferUsages::STORAGE,
                mapped_at_creation: false,
            }));
        }
    }

    /// Makes it at least that large. What it had is lost.
    pub fn reserve(&mut self, bytes: u64, usage: BufferUsages, device: &RenderDevice) {
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < bytes) {
            let most = most_bytes(device).max(bytes);
            self.resize(bytes.next_power_of_two().clamp(256, most.max(256)), usage, device);
        }
    }
}

/// All that is on the device.
#[derive(Resource, Default)]
pub(super) struct Buffers {
    pub wind: UniformBuffer<Wind>,
    pub params: UniformBuffer<Params>,
    pub views: StorageBuffer<Vec<GpuView>>,
    pub tiles: StorageBuffer<Vec<GpuTile>>,
    pub variants: StorageBuffer<Vec<GpuVariant>>,
    pub blocks: StorageBuffer<Vec<UVec2>>,
    pub draws: StorageBuffer<Vec<UVec4>>,
    records: Scratch,
    pub counters: Scratch,
    pub arguments: Scratch,
    pub instances: Scratch,
    pub room: Room,
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

    /// The buffer that has the number of instances that all views want, and where in it.
    pub fn wanted(&self) -> Option<(&Buffer, u64)> {
        let counters = self.counters.buffer.as_ref().filter(|_| self.is_ready)?;
        Some((counters, self.params.get().counter_bytes() - 4))
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
            self.variants.buffer(),
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
            let now = UVec4::new(draw.shape as u32, count, first, vertex);
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
        let (variants, draws) = (self.variants.buffer()?, self.draws.buffer()?);
        let shared = BindGroupEntries::sequential((
            self.params.binding()?,
            views.as_entire_binding(),
            self.counters.buffer.as_ref()?.as_entire_binding(),
        ));
        let instances = BindGroupEntries::sequential((
            blocks.as_entire_binding(),
            tiles.as_entire_binding(),
            self.records.buffer.as_ref()?.as_entire_binding(),
            variants.as_entire_binding(),
            self.instances.buffer.as_ref()?.as_entire_binding(),
        ));
        let draws = BindGroupEntries::sequential((
            draws.as_entire_binding(),
            self.arguments.buffer.as_ref()?.as_entire_binding(),
        ));
        Some([
            device.create_bind_group("plants_shared", &layout(shared_layout()), &shared),
            device.create_bind_group("plants_instances", &layout(instances_layout()), &instances),
            device.create_bind_group("plants_draws", &layout(draws_layout()), &draws),
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

/// What all compute shaders read: the parameters, the views and the counters.
pub(super) fn shared_layout() -> BindGroupLayoutDescriptor {
    let entries = BindGroupLayoutEntries::sequential(
        ShaderStages::COMPUTE,
        (
            uniform_buffer::<Params>(false),
            storage_buffer_read_only_sized(false, None),
            storage_buffer_sized(false, None),
        ),
    );
    BindGroupLayoutDescriptor::new("plants_shared", &entries)
}

/// Blocks, tiles, records, variants and the instances that are written.
pub(super) fn instances_layout() -> BindGroupLayoutDescriptor {
    let entries = BindGroupLayoutEntries::sequential(
        ShaderStages::COMPUTE,
        (
            storage_buffer_read_only_sized(false, None),
            storage_buffer_read_only_sized(false, None),
            storage_buffer_read_only_sized(false, None),
            storage_buffer_read_only_sized(false, None),
            storage_buffer_sized(false, None),
        ),
    );
    BindGroupLayoutDescriptor::new("plants_instances", &entries)
}

/// Draws, and their arguments that are written.
pub(super) fn draws_layout() -> BindGroupLayoutDescriptor {
    let entries = BindGroupLayoutEntries::sequential(
        ShaderStages::COMPUTE,
        (storage_buffer_read_only_sized(false, None), storage_buffer_sized(false, None)),
    );
    BindGroupLayoutDescriptor::new("plants_draws", &entries)
}

/// The rings of sizes that `select.wgsl` tells apart.
const RINGS: u64 = 16;

/// The records of a workgroup.
pub const BLOCK: u32 = 64;

#[derive(ShaderType, Clone, Copy, Default, PartialEq)]
struct GpuTier {
    /// The range, and what is kept at its ends.
    range: Vec4,
    /// How much instances widen, and where shadows shrink.
    widen: Vec4,
    /// The level, whether it casts shadows, and the level of these.
    level: UVec4,
}

/// What is the same for all views.
#[derive(ShaderType, Clone, Copy, Default, PartialEq)]
pub struct Params {
    tiers: [GpuTier; TIERS.len()],
    /// For each class, the number of its first tier and the one after its last.
    classes: [UVec4; Class::ALL.len()],
    /// The numbers of shapes, draws, blocks and views.
    counts: UVec4,
    /// The number of instances that there is room for.
    room: UVec4,
    /// By how much ranges differ between instances.
    jitter: Vec4,
}

impl Params {
    pub fn new(counts: [u32; 4], room: Room) -> Self {
        let mut params = Self {
            counts: counts.into(),
            room: UVec4::new(room.capacity, 0, 0, 0),
            jitter: Vec4::splat(JITTER as f32),
            ..Self::default()
        };
        for (row, tier) in params.tiers.iter_mut().zip(&TIERS) {
            let ([near, far], [first, last]) = (tier.range, tier.keep);
            row.range = Vec4::new(near, far, first, last);
            let (level, shadow_level) = (tier.level, tier.shadow_level());
            let ([near, far], [start, end]) = (tier.widen, tier.shade());
            row.widen = Vec4::new(near, far, start, end);
            row.level =
                UVec4::new(level as u32, u32::from(tier.has_shadows), shadow_level as u32, 0);
        }
        for (row, class) in params.classes.iter_mut().zip(Class::ALL) {
            let is_in = |tier: &Tier| tier.class == class;
            let first = TIERS.iter().position(is_in).unwrap_or(0);
            let count = class.tiers().count();
            *row = UVec4::new(first as u32, (first + count) as u32, 0, 0);
        }
        params
    }

    /// The bytes of counters, the last of which is the number of instances that are wanted.
    pub fn counter_bytes(&self) -> u64 {
        let [shapes, _, _, views] = self.counts.to_array().map(u64::from);
        4 * ((RINGS + 5) * shapes * views + 3)
    }

    /// The bytes of the arguments of all draws in all views.
    pub fn argument_bytes(&self) -> u64 {
        let [_, draws, _, views] = self.counts.to_array().map(u64::from);
        draws * views * ARGUMENT_BYTES
    }
}

/// A tile.
#[derive(ShaderType, Clone, Copy, Default, Debug, PartialEq)]
pub struct GpuTile {
    /// The corner of its box, in the world.
    pub base: Vec3,
    /// How far instances reach out of the box.
    pub reach: f32,
    /// The size of the box.
    pub scale: Vec3,
    pub class: u32,
    /// How far the box has moved since the last frame.
    pub moved: Vec3,
    pub first: u32,
    pub count: u32,
    /// Whether shadows fall on it.
    pub is_receiver: u32,
}

/// A variant.
#[derive(ShaderType, Clone, Copy, Default)]
pub struct GpuVariant {
    /// The number of the shape at each level, and by how much the variant is larger.
    shapes: UVec4,
    larger: Vec4,
    class: u32,
    colour: u32,
    /// The height and the radius of its model in metres.
    height: f32,
    radius: f32,
}

impl From<&VariantRow> for GpuVariant {
    fn from(row: &VariantRow) -> Self {
        let [height, radius] = row.size;
        Self {
            shapes: UVec4::from_array(row.shapes.map(|(shape, _)| shape as u32)),
            larger: Vec4::from_array(row.shapes.map(|(_, larger)| larger)),
            class: row.class as u32,
            colour: u32::from(row.variant.colour),
            height,
            radius,
        }
    }
}
