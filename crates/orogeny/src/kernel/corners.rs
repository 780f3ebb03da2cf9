//! Lattice corners in SIMD lanes: their gradients, of which a hashed lattice has 16 even
//! directions, and their values.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::MAX_DIMENSIONS;
use crate::kernel::octave::LatticeOctave;
use crate::lattice::hash::{self, Key};
use crate::lattice::{CornerLookup, CornerRule};

/// The [`CornerRule`] of an octave, with its amplitude folded in.
#[derive(Clone, Debug, Default)]
pub(super) enum PreparedCorners {
    /// The even directions, with or without values.
    Directions { gradients: Directions, amplitude: f32 },
    /// Values only.
    Values { amplitude: f32 },
    /// The even gradients in three or four dimensions, with values or without: each component is
    /// zero or plus or minus a number.
    Edges { component: f32, amplitude: f32 },
    /// Corners are looked up in the lattice one by one.
    #[default]
    LookUp,
}

impl PreparedCorners {
    pub fn new(octave: &LatticeOctave) -> Self {
        let amplitude = octave.amplitude;
        match octave.corners {
            CornerRule::EvenDirections(pairs) => {
                Self::Directions { gradients: Directions::new(pairs, amplitude), amplitude }
            }
            CornerRule::ValuesOnly => Self::Values { amplitude },
            CornerRule::Edges(component) => {
                Self::Edges { component: component * amplitude, amplitude }
            }
            CornerRule::LookUp => Self::LookUp,
        }
    }
}

/// The gradients and values of a vector of corners, times the amplitude.
pub(super) struct CornerLanes<S: Simd> {
    pub gx: S::f32s,
    pub gz: S::f32s,
    pub value: S::f32s,
}

/// How to find the corners of an octave.
pub(super) trait LaneCorners {
    /// Whether corners have values.
    fn have_values(&self) -> bool;

    /// The corners at the crossings of columns `x` and rows `z`.
    fn lanes<S: Simd>(&self, simd: S, x: S::u32s, z: S::u32s) -> CornerLanes<S>;
}

/// The corners of hashed lattices with values: with even directions, or with zero gradients.
pub(super) struct ValuedCorners<'a> {
    gradients: Option<&'a Directions>,
    amplitude: f32,
}

impl<'a> ValuedCorners<'a> {
    /// `None` if the octave's corners have no values, or must be looked up.
    pub fn new(corners: &'a PreparedCorners, has_values: bool) -> Option<Self> {
        let (gradients, amplitude) = match corners {
            PreparedCorners::Directions { gradients, amplitude } => (Some(gradients), *amplitude),
            PreparedCorners::Values { amplitude } => (None, *amplitude),
            PreparedCorners::Edges { .. } | PreparedCorners::LookUp => return None,
        };
        has_values.then_some(Self { gradients, amplitude })
    }
}

impl LaneCorners for ValuedCorners<'_> {
    #[inline(always)]
    fn have_values(&self) -> bool {
        true
    }

    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, x: S::u32s, z: S::u32s) -> CornerLanes<S> {
        let hash = x * z;
        let value = values(simd, hash, self.amplitude);
        let [gx, gz] = match self.gradients {
            Some(directions) => directions.gradients(simd, hash),
            // Zero has the sign of the amplitude, as in the scalar code.
            None => [S::f32s::splat(simd, 0.0 * self.amplitude); 2],
        };
        CornerLanes { gx, gz, value }
    }
}

/// The corners of any lattice, in two to four dimensions.
pub(super) struct LookedUpCorners<'a> {
    pub has_values: bool,
    lattice: &'a dyn CornerLookup,
    amplitude: f32,
}

impl<'a> LookedUpCorners<'a> {
    pub fn new(octave: &'a LatticeOctave) -> Self {
        let &LatticeOctave { ref lattice, has_values, amplitude, .. } = octave;
        Self { has_values, lattice: &**lattice, amplitude }
    }

    /// The gradients and the values where lattice lines cross, given one line for each axis.
    ///
    /// Not inlined, so that it does not spill the vectors around it.
    #[inline(never)]
    pub fn look_up<S: Simd, const N: usize>(
        &self,
        lines: &[S::u32s; N],
        gradient: &mut [S::f32s; N],
        value: &mut S::f32s,
    ) {
        let mut slices = [&[][..]; MAX_DIMENSIONS];
        for (slice, line) in slices.iter_mut().zip(lines) {
            *slice = line.as_slice();
        }
        let mut out: [&mut [f32]; MAX_DIMENSIONS + 1] = Default::default();
        out[N] = value.as_mut_slice();
        for (out, component) in out.iter_mut().zip(gradient) {
            *out = component.as_mut_slice();
        }
        self.lattice.corners(&slices[..N], self.has_values, &mut out[..=N]);
        out.iter_mut().flat_map(|lanes| lanes.iter_mut()).for_each(|x| *x *= self.amplitude);
    }
}

impl LaneCorners for LookedUpCorners<'_> {
    #[inline(always)]
    fn have_values(&self) -> bool {
        self.has_values
    }

    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, x: S::u32s, z: S::u32s) -> CornerLanes<S> {
        let mut value = S::f32s::splat(simd, 0.0);
        let mut gradient = [value; 2];
        self.look_up::<S, 2>(&[x, z], &mut gradient, &mut value);
        let [gx, gz] = gradient;
        CornerLanes { gx, gz, value }
    }
}

/// The values for hashes, times the amplitude.
#[inline(always)]
pub(super) fn values<S: Simd>(simd: S, hash: S::u32s, amplitude: f32) -> S::f32s {
    let value: S::f32s = mixed::<S>(hash).to_float();
    value / S::f32s::splat(simd, (1u32 << 31) as f32) * amplitude
}

/// [`hash::premix`] of cells within 2^31 of zero.
#[inline(always)]
pub(super) fn premixed<S: Simd>(cells: S::u32s, key: &Key) -> S::u32s {
    let simd = cells.token();
    let [first, second] = key.near;
    premixed_by::<S>(cells, [S::u32s::splat(simd, first), S::u32s::splat(simd, second)])
}

/// The same, with the words of a key for each lane.
#[inline(always)]
pub(super) fn premixed_by<S: Simd>(cells: S::u32s, [first, second]: [S::u32s; 2]) -> S::u32s {
    let mut hash = cells ^ first;
    hash = ((hash ^ (hash >> 15)) * hash::MIX[0]) ^ second;
    hash = (hash ^ (hash >> 12)) * hash::MIX[1];
    (hash ^ (hash >> 15)) | 1
}

/// [`hash::mix`].
#[inline(always)]
pub(super) fn mixed<S: Simd>(mut hash: S::u32s) -> S::i32s {
    hash = (hash ^ (hash >> 15)) * hash::MIX[0];
    hash = (hash ^ (hash >> 12)) * hash::MIX[1];
    (hash ^ (hash >> 15)).bitcast()
}

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
        match looked_up(simd, &self.table, hash) {
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

/// Looks up two tables by the upper four bits of hashes. With eight lanes the highest bit is
/// ignored, and the caller must apply it. `None` on a CPU without such an instruction.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[inline(always)]
fn looked_up<S: Simd>(simd: S, [a, b]: &[[f32; 16]; 2], hash: S::u32s) -> Option<[S::f32s; 2]> {
    use fearless_simd::prelude::*;
    use fearless_simd::{Level, f32x8, f32x16, u32x8, u32x16};

    let index = hash >> 28;
    match simd.level() {
        Level::Avx512(avx512) => {
            let index = u32x16::from_slice(avx512, index.as_slice());
            let a = x86::permuted16(avx512, f32x16::from_slice(avx512, a), index);
            let b = x86::permuted16(avx512, f32x16::from_slice(avx512, b), index);
            Some([S::f32s::from_slice(simd, a.as_slice()), S::f32s::from_slice(simd, b.as_slice())])
        }
        Level::Avx2(avx2) => {
            let index = u32x8::from_slice(avx2, index.as_slice());
            let a = x86::permuted8(avx2, f32x8::from_slice(avx2, &a[..8]), index);
            let b = x86::permuted8(avx2, f32x8::from_slice(avx2, &b[..8]), index);
            Some([S::f32s::from_slice(simd, a.as_slice()), S::f32s::from_slice(simd, b.as_slice())])
        }
        _ => None,
    }
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
#[inline(always)]
fn looked_up<S: Simd>(_: S, _: &[[f32; 16]; 2], _: S::u32s) -> Option<[S::f32s; 2]> {
    None
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    #[cfg(target_arch = "x86")]
    use core::arch::x86::{_mm256_permutevar8x32_ps, _mm512_permutexvar_ps};
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::{_mm256_permutevar8x32_ps, _mm512_permutexvar_ps};

    use fearless_simd::prelude::*;
    use fearless_simd::{Avx2, Avx512, f32x8, f32x16, kernel, u32x8, u32x16};

    kernel!(
        #[inline(always)]
        pub(super) fn permuted16(
            avx512: Avx512,
            table: f32x16<Avx512>,
            index: u32x16<Avx512>,
        ) -> f32x16<Avx512> {
            _mm512_permutexvar_ps(index.into(), table.into()).simd_into(avx512)
        }
    );

    kernel!(
        #[inline(always)]
        pub(super) fn permuted8(avx2: Avx2, table: f32x8<Avx2>, index: u32x8<Avx2>) -> f32x8<Avx2> {
            _mm256_permutevar8x32_ps(table.into(), index.into()).simd_into(avx2)
        }
    );
}
