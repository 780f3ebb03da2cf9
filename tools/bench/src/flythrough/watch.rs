//! Observes chunks: their latency and size.

use std::time::Instant;

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_orogeny::TerrainReady;
use bevy_orogeny::advanced::{ChunkReady, ChunkRemoved};

/// The observations.
#[derive(Resource, Default)]
pub struct Watch {
    /// The times from a chunk's task to its mesh, in milliseconds, since the last frame that took
    /// them.
    pub latencies: Vec<f64>,
    /// The bytes of the mesh of each chunk.
    bytes: HashMap<Entity, usize>,
    /// The sum of these bytes.
    pub total_bytes: usize,
    /// The time of the last `TerrainReady`.
    pub ready: Option<Instant>,
}

/// Adds the observers.
pub fn add(app: &mut App) {
    app.init_resource::<Watch>().add_observer(on_ready).add_observer(on_removed).add_observer(
        |_: On<TerrainReady>, mut watch: ResMut<Watch>| {
            watch.ready = Some(Instant::now());
        },
    );
}

fn on_ready(
    event: On<ChunkReady>,
    mut watch: ResMut<Watch>,
    chunks: Query<&Mesh3d>,
    meshes: Res<Assets<Mesh>>,
) {
    watch.latencies.push(1e3 * event.latency.as_secs_f64());
    // A renderer takes the data, but only at the end of the frame.
    let Some(mesh) = chunks.get(event.chunk).ok().and_then(|mesh| meshes.get(&mesh.0)) else {
        return;
    };
    let indices = mesh.get_index_buffer_bytes().map_or(0, <[u8]>::len);
    let bytes = mesh.get_vertex_buffer_size() + indices;
    watch.bytes.insert(event.chunk, bytes);
    watch.total_bytes += bytes;
}

fn on_removed(event: On<ChunkRemoved>, mut watch: ResMut<Watch>) {
    if let Some(bytes) = watch.bytes.remove(&event.chunk) {
        watch.total_bytes -= bytes;
    }
}
