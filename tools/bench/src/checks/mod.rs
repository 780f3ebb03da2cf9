//! Whether the drawn chunks cover the ground without holes, and fit together without seams.

mod cover;
mod seams;
#[cfg(test)]
mod tests;

use bevy::mesh::MeshTag;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, ChunkKey, Layout};

/// A chunk that is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    pub key: ChunkKey,
    /// The number of changes of the terrain before it.
    pub revision: u32,
    /// Its `MeshTag`, from which the vertex shader reads its borders.
    pub tag: u32,
}

/// All drawn chunks.
type Chunks = HashMap<ChunkKey, Drawn>;

/// The chunks of the only terrain of an app that are drawn, as the renderer sees them.
pub fn drawn(app: &mut App) -> Vec<Drawn> {
    let mut chunks =
        app.world_mut().query_filtered::<(&Chunk, &Visibility, &MeshTag), With<Mesh3d>>();
    let all = chunks.iter(app.world());
    let visible = all.filter(|(_, visibility, _)| **visibility == Visibility::Inherited);
    visible
        .map(|(chunk, _, tag)| Drawn { key: chunk.key, revision: chunk.revision, tag: tag.0 })
        .collect()
}

/// Looks for a hole and for a seam in what is drawn, for viewers at these (x, z) with this range.
///
/// A hole is a point within the range of a viewer that is in no chunk or in two. Touching chunks
/// more than one level apart and chunks of different revisions count as one.
pub fn holes_and_seams(
    layout: &Layout,
    drawn: &[Drawn],
    viewers: &[[f64; 2]],
    range: f64,
) -> [Result<(), String>; 2] {
    let chunks: Chunks = drawn.iter().map(|chunk| (chunk.key, *chunk)).collect();
    [cover::check(layout, drawn, &chunks, viewers, range), seams::check(drawn, &chunks)]
}
