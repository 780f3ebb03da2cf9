//! The layouts of bind groups.

use bevy_render::render_resource::binding_types::{
    storage_buffer_read_only_sized, storage_buffer_sized, uniform_buffer,
};
use bevy_render::render_resource::{
    BindGroupLayoutDescriptor, BindGroupLayoutEntries, ShaderStages,
};

use super::rows::{Params, Wind};

/// What vertex shaders of plants read in the place of meshes: the wind.
pub(in crate::plants) fn wind() -> BindGroupLayoutDescriptor {
    let entries =
        BindGroupLayoutEntries::single(ShaderStages::VERTEX, uniform_buffer::<Wind>(false));
    BindGroupLayoutDescriptor::new("plants_wind", &entries)
}

/// What all compute shaders read: the parameters, the views and the counters.
pub(super) fn shared() -> BindGroupLayoutDescriptor {
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

/// Blocks, tiles, records, looks and the instances that are written.
pub(super) fn instances() -> BindGroupLayoutDescriptor {
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
pub(super) fn draws() -> BindGroupLayoutDescriptor {
    let entries = BindGroupLayoutEntries::sequential(
        ShaderStages::COMPUTE,
        (storage_buffer_read_only_sized(false, None), storage_buffer_sized(false, None)),
    );
    BindGroupLayoutDescriptor::new("plants_draws", &entries)
}
