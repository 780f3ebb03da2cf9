//! The 16 even directions of a hashed lattice, in SIMD lanes.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::corners::{CornerLanes, LaneCorners};
use crate::kernel::table_lookup;

/// The gradients of [`CornerRule::EvenDirections`](crate::lattice::CornerRule), times an amplitude:
/// each component is one of four numbers with a sign.
#[derive(Clone, Debug)]
pub(crate) struct Directions {
    /// The components, selected by bit 28 of the hash. Bit 29 swaps them, and bits 31 and 30 are
    /// their signs.
    pairs: [[f32; 2]; 2],
    /// The components along x and z, indexed by the upper four bits of the hash.
    table: [[f32; 16]; 2],
}

impl Directions {
    pub fn new([[a, b], [c, d]]: [[f32; 2]; 2], amplitude: f32) -> Self {
        let pairs = [[a * amplitude, b * amplitude], [c * amplitude, d * amplitude]];
        let mut table = [[0.0; 16]; 2];
        for bits in 0..16 {
            let [long, short] = pairs[bits & 1];
            let [x, z] = if bits & 2 == 0 { [long, short] } else { [short, long] };
            table[0][bits] = if bits & 8 == 0 { x } else { -x };
            table[1][bits] = if bits & 4 == 0 { z } else { -z };
        }
        Self { pairs, table }
    }

    /// The gradients along x and z for hashes.
    #[inline(always)]
    pub(super) fn gradients<S: Simd>(&self, simd: S, hash: S::u32s) -> [S::f32s; 2] {
        match table_lookup::looked_up(simd, &self.table, hash) {
            Some(both) if S::f32s::LEN == 16 => both,
            Some([gx, gz]) => [signed_by(simd, gx, hash), gz],
            None => self.selected(simd, hash),
        }
    }

    /// Computes the same without a table.
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
    fn have_values(&self) -> bool {
        false
    }

    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, x: S::u32s, z: S::u32s) -> CornerLanes<S> {
        let [gx, gz] = self.gradients(simd, x * z);
        CornerLanes { gx, gz, value: S::f32s::splat(simd, 0.0) }
    }
}

/// The numbers, negated where the highest bit of `bits` is set.
#[inline(always)]
fn signed_by<S: Simd>(simd: S, numbers: S::f32s, bits: S::u32s) -> S::f32s {
    let numbers: S::u32s = numbers.bitcast();
    (numbers ^ (bits & S::u32s::splat(simd, 1 << 31))).bitcast()
}
