//! Checks that touching chunks agree on their border.
//!
//! It reads the inputs of the vertex shader: the tag of each drawn chunk. From the lowest bit, a
//! tag has five bits for the weight at each corner, then two for the neighbour at each side. A side
//! next to a finer chunk keeps its shape, and one next to a coarser chunk takes the coarser shape.
//! Along a side between chunks of one level, the weights at its ends decide, so they must be equal.

use bevy::platform::collections::HashMap;
use bevy_orogeny::advanced::ChunkKey;

use super::{Chunks, Drawn};

/// The number of bits of a weight, and of a side. Sides come after the four weights.
const WEIGHT: usize = 5;
const SIDE: usize = 2;

/// The meaning of the bits of a side.
const SAME: u32 = 0;
const COARSER: u32 = 1;
const FINER: u32 = 2;

/// The directions of the four sides of a chunk: -x, +x, -z and +z.
const SIDES: [[i64; 2]; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/// Finds two chunks that disagree.
///
/// # Errors
/// The first fault.
pub fn check(drawn: &[Drawn], chunks: &Chunks) -> Result<(), String> {
    let mut weights: HashMap<ChunkKey, u32> = HashMap::default();
    for &Drawn { key, tag, .. } in drawn {
        for (side, step) in SIDES.into_iter().enumerate() {
            let tagged = (tag >> (4 * WEIGHT + SIDE * side)) & mask(SIDE);
            let there = relation(chunks, key, step);
            if tagged != there {
                return Err(format!(
                    "side {side} of {key:?} has tag {tagged}, but its neighbour is {there}"
                ));
            }
        }
        for (corner, step) in [[0, 0], [1, 0], [0, 1], [1, 1]].into_iter().enumerate() {
            let weight = (tag >> (WEIGHT * corner)) & mask(WEIGHT);
            // A corner is identified by the chunk whose first corner it is.
            let owner = offset_by(key, step);
            let other = *weights.entry(owner).or_insert(weight);
            if other != weight {
                return Err(format!("weights {other} and {weight} at corner {corner} of {key:?}"));
            }
        }
    }
    Ok(())
}

fn mask(bits: usize) -> u32 {
    (1 << bits) - 1
}

/// The chunk of the same level at an offset, in chunks.
fn offset_by(key: ChunkKey, [dx, dz]: [i64; 2]) -> ChunkKey {
    ChunkKey { x: key.x + dx, z: key.z + dz, ..key }
}

/// The neighbour that is drawn at a side of a chunk.
fn relation(chunks: &Chunks, key: ChunkKey, step: [i64; 2]) -> u32 {
    let neighbour = offset_by(key, step);
    if chunks.contains_key(&neighbour) {
        SAME
    } else if chunks.contains_key(&neighbour.parent()) {
        COARSER
    } else if key.lod > 0 && neighbour.children().iter().any(|child| chunks.contains_key(child)) {
        FINER
    } else {
        // The edge of the terrain.
        SAME
    }
}
