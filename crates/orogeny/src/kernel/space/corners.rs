//! Lattice corners in three and four dimensions, in SIMD lanes.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::corners::{LookedUpCorners, PreparedCorners, values};
use crate::kernel::tables::OctaveParameters;

/// The gradients and values of a vector of corners, times the amplitude.
pub(super) struct CornerLanes<S: Simd, const N: usize> {
    pub gradient: [S::f32s; N],
    pub value: S::f32s,
}

/// The source of corners.
pub(super) trait SpaceCorners {
    /// Whether corners have values.
    fn have_values(&self) -> bool;

    /// The corners where lattice lines cross, given one line for each axis.
    fn lanes<S: Simd, const N: usize>(&self, simd: S, lines: [S::u32s; N]) -> CornerLanes<S, N>;
}

/// The corners of a hashed lattice with the even gradients, or without gradients.
pub(super) struct HashedCorners {
    /// The components of gradients that are not zero, times the amplitude. `None` without
    /// gradients.
    component: Option<f32>,
    amplitude: f32,
    has_values: bool,
}

impl HashedCorners {
    /// `None` if the octave's corners are looked up.
    pub fn new(octave: &OctaveParameters) -> Option<Self> {
        let (component, amplitude) = match octave.corners {
            PreparedCorners::Edges { component, amplitude } => (Some(component), amplitude),
            PreparedCorners::Values { amplitude } => (None, amplitude),
            PreparedCorners::Directions { .. } | PreparedCorners::LookUp => return None,
        };
        Some(Self { component, amplitude, has_values: octave.has_values })
    }
}

impl SpaceCorners for HashedCorners {
    #[inline(always)]
    fn have_values(&self) -> bool {
        self.has_values
    }

    /// The operations of [`hash::corner`](crate::lattice::hash::corner), in its order.
    #[inline(always)]
    fn lanes<S: Simd, const N: usize>(&self, simd: S, lines: [S::u32s; N]) -> CornerLanes<S, N> {
        let mut hash = lines[0] * lines[1];
        for line in &lines[2..] {
            hash = ((hash ^ (hash >> 16)) | 1) * *line;
        }
        // Zero has the sign of the amplitude, as it has in the scalar code.
        let zero = S::f32s::splat(simd, 0.0 * self.amplitude);
        let mut gradient = [zero; N];
        if let Some(component) = self.component {
            if N == 3 {
                gradient[..3].copy_from_slice(&cube_edges(simd, component, zero, hash));
            } else {
                gradient[..4].copy_from_slice(&hypercube_edges(simd, component, zero, hash));
            }
        }
        let value = if self.has_values { values(simd, hash, self.amplitude) } else { zero };
        CornerLanes { gradient, value }
    }
}

/// Edge i = (12 hash) >> 32 of a cube, of 12. The component that is zero is the last, the middle or
/// the first by i / 4; the lowest bits of i are the signs of the other two.
#[inline(always)]
fn cube_edges<S: Simd>(simd: S, component: f32, zero: S::f32s, hash: S::u32s) -> [S::f32s; 3] {
    let low = ((hash & 0xffff) * 12) >> 16;
    let index = ((hash >> 16) * 12 + low) >> 16;
    let (a, b) = (signed(simd, component, index << 31), signed(simd, component, index << 30));
    let group: S::i32s = index.bitcast();
    let is_first = group.simd_lt(S::i32s::splat(simd, 4));
    let is_last = group.simd_ge(S::i32s::splat(simd, 8));
    [is_last.select(zero, a), is_first.select(b, is_last.select(a, zero)), is_first.select(zero, b)]
}

/// Edge i = hash >> 27 of a hypercube, of 32. Component i / 8 is zero; the lowest bits of i are the
/// signs of the other three.
#[inline(always)]
fn hypercube_edges<S: Simd>(simd: S, component: f32, zero: S::f32s, hash: S::u32s) -> [S::f32s; 4] {
    let a = signed(simd, component, hash << 4);
    let b = signed(simd, component, hash << 3);
    let c = signed(simd, component, hash << 2);
    let none: S::i32s = (hash >> 30).bitcast();
    let (one, two) = (S::i32s::splat(simd, 1), S::i32s::splat(simd, 2));
    [
        none.simd_lt(one).select(zero, a),
        none.simd_lt(one).select(a, none.simd_eq(one).select(zero, b)),
        none.simd_lt(two).select(b, none.simd_eq(two).select(zero, c)),
        none.simd_gt(two).select(zero, c),
    ]
}

/// A number, negated where the uppermost bit of `bits` is set.
#[inline(always)]
fn signed<S: Simd>(simd: S, number: f32, bits: S::u32s) -> S::f32s {
    let number = S::u32s::splat(simd, number.to_bits());
    (number ^ (bits & S::u32s::splat(simd, 1 << 31))).bitcast()
}

impl SpaceCorners for LookedUpCorners<'_> {
    #[inline(always)]
    fn have_values(&self) -> bool {
        self.has_values
    }

    #[inline(always)]
    fn lanes<S: Simd, const N: usize>(&self, simd: S, lines: [S::u32s; N]) -> CornerLanes<S, N> {
        let mut value = S::f32s::splat(simd, 0.0);
        let mut gradient = [value; N];
        self.look_up::<S, N>(&lines, &mut gradient, &mut value);
        CornerLanes { gradient, value }
    }
}
