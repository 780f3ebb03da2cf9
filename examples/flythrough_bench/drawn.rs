//! The chunks that are drawn, as the renderer would find them.

use bevy::platform::collections::HashMap;
use bevy_orogeny::ChunkKey;

/// A chunk that is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    pub key: ChunkKey,
    /// Counts the changes of the terrain.
    pub revision: u32,
    /// What it tells the vertex shader of its borders.
    pub tag: u32,
}

/// Them all, by their places.
pub type Chunks = HashMap<ChunkKey, Drawn>;

/// The four sides of a chunk: towards smaller and larger x, smaller and larger z.
pub const SIDES: [[i64; 2]; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/// The chunk of the same level, so many chunks away.
pub fn beside(key: ChunkKey, [dx, dz]: [i64; 2]) -> ChunkKey {
    ChunkKey { x: key.x + dx, z: key.z + dz, ..key }
}
