//! Checks, from their keys alone, that the drawn chunks cover the ground.

use bevy::platform::collections::HashMap;
use bevy_orogeny::advanced::{ChunkKey, Layout};

use super::{Chunks, Drawn};

/// Finds a hole.
///
/// # Errors
/// The first fault.
pub fn check(
    layout: &Layout,
    drawn: &[Drawn],
    chunks: &Chunks,
    viewers: &[[f64; 2]],
    range: f64,
) -> Result<(), String> {
    let Some(first) = drawn.first() else { return Err("nothing is drawn".into()) };
    if let Some(other) = drawn.iter().find(|chunk| chunk.revision != first.revision) {
        return Err(format!("revisions {} and {} are mixed", first.revision, other.revision));
    }
    if chunks.len() != drawn.len() {
        return Err("a chunk is drawn twice".into());
    }
    let top = drawn.iter().map(|chunk| chunk.key.lod).max().unwrap_or_default();
    // Squares of a quadtree overlap only if one is the other's ancestor. So a square of the
    // coarsest level is covered exactly once if no drawn chunk in it has a drawn ancestor, and
    // their areas add up.
    let mut areas: HashMap<ChunkKey, u128> = HashMap::default();
    for &Drawn { key, .. } in drawn {
        if let Some(above) = ancestor(chunks, key, key.lod + 1, top) {
            return Err(format!("{key:?} lies over {above:?}"));
        }
        for neighbour in key.neighbours() {
            if let Some(coarse) = ancestor(chunks, neighbour, key.lod + 2, top) {
                return Err(format!("{key:?} touches {coarse:?}"));
            }
        }
        *areas.entry(key.ancestor(top)).or_default() += area(key.lod);
    }
    for &viewer in viewers {
        let [low, high] = [-range, range].map(|d| layout.key_at(top, viewer.map(|x| x + d)));
        for z in low.z..=high.z {
            for x in low.x..=high.x {
                let key = ChunkKey { lod: top, x, z };
                if layout.distance(key, viewer) <= range && areas.get(&key) != Some(&area(top)) {
                    return Err(format!("{key:?} is not covered for a viewer at {viewer:?}"));
                }
            }
        }
    }
    Ok(())
}

/// The area of a chunk, in chunks of level 0.
fn area(lod: u8) -> u128 {
    1 << (2 * u32::from(lod))
}

/// The nearest drawn ancestor between two levels.
fn ancestor(chunks: &Chunks, key: ChunkKey, from: u8, to: u8) -> Option<ChunkKey> {
    (from..=to).map(|lod| key.ancestor(lod)).find(|above| chunks.contains_key(above))
}
