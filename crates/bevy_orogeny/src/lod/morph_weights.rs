//! The morph weights at the corners of the chunks that are drawn, from frame to frame.
//!
//! The weights that a [selection](crate::lod::selection) gives follow the viewers. They also change
//! when the error of a chunk becomes known and differs from the estimate. Then weights move towards
//! them at a limited speed, beside what the viewers move.

use bevy_platform::collections::HashMap;

use crate::chunk::key::ChunkKey;
use crate::chunk::morph::{Neighbour, Neighbours};

/// How fast weights may move, per second.
const SPEED: f64 = 3.0;

/// How weights move from a frame to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WeightPace {
    /// They jump.
    AtOnce,
    /// The viewers have moved, in so many seconds: as far as those that are wanted, and a part of
    /// what is left.
    Follow(f64),
    /// Others are wanted, for more than the motion of viewers: they begin to move there.
    Glide(f64),
}

/// The weights of the last frame.
#[derive(Clone, Debug, Default)]
pub struct MorphWeights {
    /// Those at the corners of chunks of each level, as the key of the chunk towards +x and +z.
    at: HashMap<ChunkKey, Weight>,
    /// Those of the frame before. Its room is used for those of the next.
    before: HashMap<ChunkKey, Weight>,
}

/// A weight, and the one that was wanted, unless neighbours decided.
#[derive(Clone, Copy, Debug)]
struct Weight {
    now: f64,
    wanted: Option<f64>,
}

impl Weight {
    fn decided(now: f64) -> Self {
        Self { now, wanted: None }
    }
}

impl MorphWeights {
    /// Moves the weights towards those that `wanted` gives for a level and a corner, for the drawn
    /// chunks and their neighbours. Returns whether they have arrived.
    pub fn update(
        &mut self,
        drawn: impl Iterator<Item = (ChunkKey, Neighbours)>,
        pace: WeightPace,
        wanted: impl Fn(ChunkKey) -> f64,
    ) -> bool {
        core::mem::swap(&mut self.at, &mut self.before);
        let Self { at, before } = self;
        at.clear();
        let mut arrived = true;
        for (key, neighbours) in drawn {
            for (corner, neighbour) in corners(key).into_iter().zip(neighbours.corners) {
                at.entry(corner).or_insert_with(|| {
                    let wanted = match neighbour {
                        Neighbour::Coarser => return Weight::decided(1.0),
                        Neighbour::Finer => return Weight::decided(0.0),
                        Neighbour::Same => wanted(corner),
                    };
                    let seconds = match pace {
                        WeightPace::AtOnce => {
                            return Weight { now: wanted, wanted: Some(wanted) };
                        }
                        WeightPace::Follow(seconds) | WeightPace::Glide(seconds) => seconds,
                    };
                    // A new chunk looks like what it replaces: its children, or its parent.
                    let last = before.get(&corner).copied().unwrap_or_else(|| {
                        let finer = corner.lod.checked_sub(1).map(|lod| ChunkKey {
                            lod,
                            x: 2 * corner.x,
                            z: 2 * corner.z,
                        });
                        let merged = finer.is_some_and(|finer| before.contains_key(&finer));
                        Weight::decided(if merged { 0.0 } else { 1.0 })
                    });
                    let moved = match (pace, last.wanted) {
                        (WeightPace::Follow(_), Some(before)) => (wanted - before).abs(),
                        _ => 0.0,
                    };
                    let most = (SPEED * seconds).max(moved);
                    arrived &= (wanted - last.now).abs() <= most;
                    let now = wanted.clamp(last.now - most, last.now + most);
                    Weight { now, wanted: Some(wanted) }
                });
            }
        }
        arrived
    }

    /// The weights at the corners of a chunk that was drawn in the last update.
    pub fn of(&self, key: ChunkKey) -> [f64; 4] {
        corners(key).map(|corner| self.at.get(&corner).map_or(1.0, |weight| weight.now))
    }
}

/// The corners (0, 0), (1, 0), (0, 1) and (1, 1) of a chunk.
fn corners(key: ChunkKey) -> [ChunkKey; 4] {
    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dz)| ChunkKey {
        x: key.x + dx,
        z: key.z + dz,
        ..key
    })
}

#[cfg(test)]
mod tests {
    use super::WeightPace::{AtOnce, Follow, Glide};
    use super::*;

    #[test]
    fn weights_glide_from_what_was_drawn_before() {
        let parent = ChunkKey { lod: 3, x: 5, z: -2 };
        let drawn = |keys: &[ChunkKey]| {
            keys.iter().map(|&key| (key, Neighbours::default())).collect::<Vec<_>>().into_iter()
        };
        let mut weights = MorphWeights::default();
        assert!(weights.update(drawn(&[parent]), AtOnce, |_| 0.25));
        assert_eq!(weights.of(parent), [0.25; 4]);
        // Its children begin in its shape, also when they arrive while nothing else changes.
        let children = parent.children();
        for pace in [Glide(0.1), Follow(0.1)] {
            assert!(weights.update(drawn(&[parent]), AtOnce, |_| 0.25));
            assert!(!weights.update(drawn(&children), pace, |_| 0.2));
            assert!(weights.of(children[1]).iter().all(|&weight| (weight - 0.7).abs() < 1e-9));
            assert!(!weights.update(drawn(&children), pace, |_| 0.2));
            assert!(weights.update(drawn(&children), pace, |_| 0.2));
            assert_eq!(weights.of(children[2]), [0.2; 4]);
        }
        // And it begins in theirs.
        assert!(!weights.update(drawn(&[parent]), Glide(0.1), |_| 1.0));
        assert!(weights.of(parent).iter().all(|&weight| (weight - 0.3).abs() < 1e-9));
        // A viewer who moves fast is followed, but what was left before is not made up at once.
        weights.update(drawn(&[parent]), AtOnce, |_| 0.0);
        assert!(!weights.update(drawn(&[parent]), Glide(0.1), |_| 0.5));
        assert!(!weights.update(drawn(&[parent]), Follow(0.001), |_| 0.9));
        assert!(weights.of(parent).iter().all(|&weight| (weight - 0.7).abs() < 1e-9));
        weights.update(drawn(&[parent]), AtOnce, |_| 0.3);
        // Neighbours of other levels decide at once.
        let corners = [Neighbour::Coarser, Neighbour::Finer, Neighbour::Same, Neighbour::Same];
        let neighbours = Neighbours { corners, ..Neighbours::default() };
        weights.update([(parent, neighbours)].into_iter(), Glide(0.0), |_| 1.0);
        assert_eq!(weights.of(parent)[..2], [1.0, 0.0]);
        // No time passes, so the others stay.
        assert!((weights.of(parent)[3] - 0.3).abs() < 1e-9);
    }
}
