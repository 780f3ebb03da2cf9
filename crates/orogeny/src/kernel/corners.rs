//! Lattice corners in vectors.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::{Octave, Plane, permute};
use crate::lattice::Corner;
use crate::lattice::hash::{self, Key};

/// How the kernel comes by lattice corners.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Corners {
    /// The hashed lattice with the 16 even directions, given by the components of the first two.
    Directions([[f32; 2]; 2]),
    /// The hashed lattice with heights alone.
    Values,
    /// Any lattice, corner by corner.
    Listed,
}

/// The same with what all corners share.
#[derive(Clone, Debug, Default)]
pub(super) enum Prepared {
    Directions(Directions),
    Values(Values),
    #[default]
    Listed,
}

impl Prepared {
    pub fn new(octave: &Octave) -> Self {
        let amplitude = octave.amplitude;
        match octave.corners {
            Corners::Directions(pairs) => Self::Directions(Directions::new(pairs, amplitude)),
            Corners::Values => Self::Values(Values { amplitude }),
            Corners::Listed => Self::Listed,
        }
    }
}

/// Gradients and heights of a vector of corners.
pub(super) struct CornerLanes<S: Simd> {
    pub gx: S::f32s,
    pub gz: S::f32s,
    pub height: S::f32s,
}

/// What belongs to lattice corners, times the amplitude.
pub(super) trait LaneCorners {
    /// The corners at the crossings of columns `x` and rows `z`; heights are left at zero unless
    /// `HEIGHTS`.
    fn lanes<S: Simd, const HEIGHTS: bool>(
        &self,
        simd: S,
        x: S::u32s,
        z: S::u32s,
    ) -> CornerLanes<S>;
}

/// See [`Corners::Directions`]: each component is one of four numbers with a sign.
#[derive(Clone, Debug)]
pub(crate) struct Directions {
    /// The components by bit 28 of the hash, times the amplitude; bit 29 swaps them, bits 31 and 30
    /// are their signs.
    pairs: [[f32; 2]; 2],
    /// The components along x and z by the upper four bits of the hash.
    table: [[f32; 16]; 2],
    amplitude: f32,
}

impl Directions {
    #[inline(always)]
    pub fn new([[a, b], [c, d]]: [[f32; 2]; 2], amplitude: f32) -> Self {
        let pairs = [[a * amplitude, b * amplitude], [c * amplitude, d * amplitude]];
        let mut table = [[0.0; 16]; 2];
        for bits in 0..16 {
            let [long, short] = pairs[bits & 1];
            let [x, z] = if bits & 2 == 0 { [long, short] } else { [short, long] };
            table[0][bits] = if bits & 8 == 0 { x } else { -x };
            table[1][bits] = if bits & 4 == 0 { z } else { -z };
        }
        Self { pairs, table, amplitude }
    }

    /// Both components, without a table.
    #[inline(always)]
    fn selected<S: Simd>(&self, simd: S, hash: S::u32s) -> [S::f32s; 2] {
        let signed: S::i32s = hash.bitcast();
        let zero = S::i32s::splat(simd, 0);
        let swapped = (signed << 2).simd_lt(zero);
        let second = (signed << 3).simd_lt(zero);
        let [[long0, short0], [long1, short1]] = self.pairs;
        let long = second.select(S::f32s::splat(simd, long1), S::f32s::splat(simd, long0));
        let short = second.select(S::f32s::splat(simd, short1), S::f32s::splat(simd, short0));
        [
            signed_by(simd, swapped.select(short, long), hash),
            signed_by(simd, swapped.select(long, short), hash << 1),
        ]
    }
}

impl LaneCorners for Directions {
    #[inline(always)]
    fn lanes<S: Simd, const HEIGHTS: bool>(
        &self,
        simd: S,
        x: S::u32s,
        z: S::u32s,
    ) -> CornerLanes<S> {
        let hash = x * z;
        let [gx, gz] = match permute::looked_up(simd, &self.table, hash) {
            Some(both) if S::f32s::LEN == 16 => both,
            Some([gx, gz]) => [signed_by(simd, gx, hash), gz],
            None => self.selected(simd, hash),
        };
        CornerLanes {
            gx,
            gz,
            height: if HEIGHTS {
                heights(simd, hash, self.amplitude)
            } else {
                S::f32s::splat(simd, 0.0)
            },
        }
    }
}

/// Numbers, negated where the highest bits are set.
#[inline(always)]
fn signed_by<S: Simd>(simd: S, numbers: S::f32s, bits: S::u32s) -> S::f32s {
    let numbers: S::u32s = numbers.bitcast();
    (numbers ^ (bits & S::u32s::splat(simd, 1 << 31))).bitcast()
}

/// [`hash::premix`] of cells near zero, in lanes.
#[inline(always)]
pub(super) fn premixed<S: Simd>(cells: S::u32s, key: &Key) -> S::u32s {
    let [first, second] = key.near;
    let mut hash = cells ^ first;
    hash = ((hash ^ (hash >> 15)) * hash::MIX[0]) ^ second;
    hash = (hash ^ (hash >> 12)) * hash::MIX[1];
    (hash ^ (hash >> 15)) | 1
}

/// See [`Corners::Values`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
    amplitude: f32,
}

impl LaneCorners for Values {
    #[inline(always)]
    fn lanes<S: Simd, const HEIGHTS: bool>(
        &self,
        simd: S,
        x: S::u32s,
        z: S::u32s,
    ) -> CornerLanes<S> {
        let none = S::f32s::splat(simd, 0.0 * self.amplitude);
        CornerLanes { gx: none, gz: none, height: heights(simd, x * z, self.amplitude) }
    }
}

/// The heights that belong to hashes, times the amplitude.
#[inline(always)]
fn heights<S: Simd>(simd: S, hash: S::u32s, amplitude: f32) -> S::f32s {
    let height: S::f32s = mixed::<S>(hash).to_float();
    height / S::f32s::splat(simd, (1u32 << 31) as f32) * amplitude
}

/// [`hash::mix`] in lanes.
#[inline(always)]
pub(super) fn mixed<S: Simd>(mut hash: S::u32s) -> S::i32s {
    hash = (hash ^ (hash >> 15)) * hash::MIX[0];
    hash = (hash ^ (hash >> 12)) * hash::MIX[1];
    (hash ^ (hash >> 15)).bitcast()
}

/// See [`Corners::Listed`].
pub(super) struct Listed<'a> {
    plane: &'a dyn Plane,
    amplitude: f32,
}

impl<'a> Listed<'a> {
    pub fn new(octave: &Octave<'a>) -> Self {
        Self { plane: octave.plane, amplitude: octave.amplitude }
    }
}

impl LaneCorners for Listed<'_> {
    #[inline(always)]
    fn lanes<S: Simd, const HEIGHTS: bool>(
        &self,
        simd: S,
        x: S::u32s,
        z: S::u32s,
    ) -> CornerLanes<S> {
        let zero = S::f32s::splat(simd, 0.0);
        let mut lanes = CornerLanes::<S> { gx: zero, gz: zero, height: zero };
        let (x, z) = (x.as_slice(), z.as_slice());
        let mut last = None;
        for i in 0..x.len() {
            let lines = [x[i], z[i]];
            // Neighbours mostly share a corner.
            let [gx, gz, height] = match last {
                Some((same, corner)) if same == lines => corner,
                _ => {
                    let Corner { gradient: [gx, gz], height } = self.plane.corner(lines, HEIGHTS);
                    [gx * self.amplitude, gz * self.amplitude, height * self.amplitude]
                }
            };
            last = Some((lines, [gx, gz, height]));
            lanes.gx.as_mut_slice()[i] = gx;
            lanes.gz.as_mut_slice()[i] = gz;
            lanes.height.as_mut_slice()[i] = height;
        }
        lanes
    }
}
