//! The errors of chunks, which decide about the levels of detail.
//!
//! Each chunk brings its [`Relief`] when it is built. That of one that is not built is estimated
//! from its parent: as high, with the error that the parent expects of it.
//!
//! Levels need more than that: see [`selection`](crate::lod::selection). A chunk's
//! [`Reach`] also has the errors of the 16 chunks of the next finer level that it consists of or
//! touches, and of those below these, larger by 1 / [`MORPH`] for each level. So errors grow
//! towards the roots, and around what is rough, and each level has morphed away before the next
//! coarser one begins to, even at a step, whose error is the same at all levels.

use bevy_platform::collections::HashMap;
use orogeny::Field;

use crate::chunk::balance;
use crate::chunk::key::{ChunkKey, MAX_LOD};
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::relief::Relief;
use crate::lod::level_range::MORPH;

/// What the levels around a chunk depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reach {
    /// The larger of the chunk's own relief and of `finer`, whose error counts more: it decides up
    /// to where the chunk is split.
    pub own: Relief,
    /// The relief of the chunks of finer levels that it consists of or touches.
    pub finer: Relief,
}

/// The errors of the chunks that were built, and the proven ones of all levels.
#[derive(Clone, Debug, Default)]
pub struct ChunkErrors {
    known: HashMap<ChunkKey, Known>,
    /// The proven errors of the levels, the finest first. Without any they are infinite.
    proven: Vec<f64>,
    /// The proven maximum of the heights.
    bound: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    own: Relief,
    finer: Relief,
}

impl Known {
    /// Until where the chunk is needed.
    fn all(self) -> Relief {
        self.own.max(Relief { error: self.finer.error / MORPH, ..self.finer })
    }
}

impl ChunkErrors {
    /// No chunks of a builder.
    pub fn new(builder: &ChunkBuilder) -> Self {
        let (field, layout) = (builder.ground(), builder.layout());
        let levels = 0..=MAX_LOD + 1;
        let error = |lod| field.interpolation_error(layout.spacing(lod));
        let errors: Vec<f64> = levels.clone().map(error).collect();
        let proven = levels.zip(errors.windows(2)).map(|(lod, pair)| match pair {
            &[own, next] if builder.is_balanced(lod) => own + balance::reach(next),
            pair => pair[0],
        });
        Self {
            known: HashMap::default(),
            proven: proven.collect(),
            bound: Some(field.bounds().max),
        }
    }

    /// Takes over what is known of chunks of other ground, until it is set.
    pub(crate) fn take_estimates(&mut self, other: &Self) {
        self.known.clone_from(&other.known);
    }

    /// Sets the relief of a chunk that was built. Returns whether that changes anything.
    pub fn set(&mut self, key: ChunkKey, relief: Relief) -> bool {
        let before = self.known.get(&key).copied();
        if before.is_some_and(|known| known.own == relief) {
            return false;
        }
        let finer = before.map_or_else(|| self.finer(key), |known| known.finer);
        self.replace(key, Some(Known { own: relief, finer }));
        true
    }

    /// Forgets a chunk.
    pub fn forget(&mut self, key: ChunkKey) {
        if self.known.contains_key(&key) {
            self.replace(key, None);
        }
    }

    /// Forgets all other chunks.
    pub fn retain(&mut self, mut keep: impl FnMut(ChunkKey) -> bool) {
        // Those of finer levels first, so that what they add to coarser ones ends.
        let mut gone: Vec<_> = self.known.keys().copied().filter(|&key| !keep(key)).collect();
        gone.sort_unstable();
        gone.into_iter().for_each(|key| self.forget(key));
    }

    /// The error of a level that is proven, in metres. Infinite if the field has no bounds.
    pub fn proven(&self, lod: u8) -> f64 {
        self.proven.get(usize::from(lod)).copied().unwrap_or(f64::INFINITY)
    }

    /// The height that no ground exceeds. Infinite if that is unknown.
    pub fn bound(&self) -> f64 {
        self.bound.unwrap_or(f64::INFINITY)
    }

    /// The relief of a chunk that was built.
    pub fn get(&self, key: ChunkKey) -> Option<Relief> {
        self.known.get(&key).map(|known| known.own)
    }

    /// The relief of a chunk and its reach. If it was not built, they are estimated from its
    /// parent's relief; 0 without one.
    pub fn reach(&self, key: ChunkKey, parent: Option<Relief>) -> (Relief, Reach) {
        match self.known.get(&key) {
            Some(known) => (known.own, Reach { own: known.all(), finer: known.finer }),
            None => {
                let own = parent.map(expected).unwrap_or_default();
                (own, Reach { own, finer: expected(own) })
            }
        }
    }

    /// Changes a chunk, and then what depends on it, level by level.
    fn replace(&mut self, key: ChunkKey, new: Option<Known>) {
        let old = match new {
            Some(new) => self.known.insert(key, new),
            None => self.known.remove(&key),
        };
        if old.map(Known::all) == new.map(Known::all) {
            return;
        }
        for above in touched_parents(key) {
            if let Some(&known) = self.known.get(&above) {
                let finer = self.finer(above);
                if finer != known.finer {
                    self.replace(above, Some(Known { finer, ..known }));
                }
            }
        }
    }

    /// The relief of the chunks of finer levels that a chunk consists of or touches.
    fn finer(&self, key: ChunkKey) -> Relief {
        let mut all = Relief::default();
        let Some(lod) = key.lod.checked_sub(1) else { return all };
        for z in 2 * key.z - 1..=2 * key.z + 2 {
            for x in 2 * key.x - 1..=2 * key.x + 2 {
                if let Some(known) = self.known.get(&ChunkKey { lod, x, z }) {
                    all = all.max(known.all());
                }
            }
        }
        all
    }
}

/// What a chunk expects of those of the next finer level. Beyond these, errors shrink by half: few
/// things are as rough at all scales, and chunks that are built for nothing cost more than some
/// that are asked for a moment later.
fn expected(relief: Relief) -> Relief {
    let Relief { error, shrinking, .. } = relief;
    Relief { error: shrinking * error, shrinking: shrinking.min(0.5), ..relief }
}

/// The four chunks of the next coarser level that a chunk is a part of or touches.
fn touched_parents(ChunkKey { lod, x, z }: ChunkKey) -> [ChunkKey; 4] {
    [(-1, -1), (1, -1), (-1, 1), (1, 1)].map(|(dx, dz)| ChunkKey {
        lod: lod + 1,
        x: (x + dx) >> 1,
        z: (z + dz) >> 1,
    })
}
