//! Lattice corners in SIMD lanes: their gradients and values.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::MAX_DIMENSIONS;
use crate::kernel::directions::Directions;
use crate::kernel::lattice::octaves::LatticeOctave;
use crate::kernel::tables::OctaveParameters;
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
    pub fn new(octave: &'a OctaveParameters) -> Option<Self> {
        let (gradients, amplitude) = match &octave.corners {
            PreparedCorners::Directions { gradients, amplitude } => (Some(gradients), *amplitude),
            PreparedCorners::Values { amplitude } => (None, *amplitude),
            PreparedCorners::Edges { .. } | PreparedCorners::LookUp => return None,
        };
        octave.has_values.then_some(Self { gradients, amplitude })
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
