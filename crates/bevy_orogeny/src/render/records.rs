//! Writes the records of plants into their buffers.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_render::render_asset::RenderAssets;
use bevy_render::renderer::RenderQueue;
use bevy_render::storage::GpuShaderBuffer;
use bevy_render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems};

use crate::scatter::pool::{Pool, Write};
use crate::scatter::record::Record;

/// Records that wait for their buffer.
#[derive(Resource, Default)]
struct Writes(Vec<Write>);

pub(crate) fn build(app: &mut App) {
    let Some(app) = app.get_sub_app_mut(RenderApp) else { return };
    app.init_resource::<Writes>()
        .add_systems(ExtractSchedule, extract)
        .add_systems(Render, write.in_set(RenderSystems::PrepareResources));
}

fn extract(mut main: ResMut<MainWorld>, mut writes: ResMut<Writes>) {
    if let Some(mut pool) = main.get_resource_mut::<Pool>() {
        writes.0.append(&mut pool.bypass_change_detection().writes);
    }
}

fn write(
    mut writes: ResMut<Writes>,
    buffers: Res<RenderAssets<GpuShaderBuffer>>,
    queue: Res<RenderQueue>,
) {
    let mut bytes = Vec::new();
    writes.0.retain(|write| {
        let Some(GpuShaderBuffer { buffer, .. }) = buffers.get(&write.buffer) else { return true };
        bytes.clear();
        bytes.extend(write.records.iter().flat_map(bytes_of));
        queue.write_buffer(buffer, write.offset(), &bytes);
        false
    });
}

fn bytes_of(record: &Record) -> impl Iterator<Item = u8> {
    record.iter().flat_map(|word| word.to_le_bytes())
}
