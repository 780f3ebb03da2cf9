//! The drawn chunks, as the renderer sees them.

use bevy::platform::collections::HashMap;
use bevy_orogeny::ChunkKey;

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
pub type Chunks = HashMap<ChunkKey, Drawn>;

/// The directions of the four sides of a chunk: -x, +x, -z and +z.
pub const SIDES: [[i64; 2]; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/// The chunk of the same level at an offset, in chunks.
pub fn offset_by(key: ChunkKey, [dx, dz]: [i64; 2]) -> ChunkKey {
    ChunkKey { x: key.x + dx, z: key.z + dz, ..key }
}
