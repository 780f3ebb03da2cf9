//! Lattices: the gradients and values at integer points, which noise interpolates.
//!
//! May use `arrays`, `derivative`, `float` and `limits`, and no other module. Start reading at
//! `cell`, which splits a position exactly into a lattice cell and the offset in it, then `hash`,
//! then `interpolate`, which blends the corners of a cell. `Hashed`, `permutation` and `explicit`
//! are the three kinds of lattice; `AnyLattice` is one of them with its period.

pub(crate) mod cell;
mod explicit;
pub(crate) mod fade;
mod gradients;
pub(crate) mod hash;
pub(crate) mod interpolate;
mod permutation;

pub use cell::MAX_CELL;
pub(crate) use explicit::Explicit;
pub use explicit::LatticeGrid;
pub use fade::Fade;
pub use gradients::Gradients;
pub(crate) use gradients::even_directions;
pub(crate) use permutation::Permuted;
pub use permutation::{PERLIN, Permutation, PermutationTable};

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::arrays;
use crate::lattice::cell::wrap;
use crate::lattice::gradients::even;
use crate::lattice::hash::{Key, corner, derive, mix, premix};

/// The source of the gradients and values of lattice points.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr))]
pub enum Lattice<const N: usize> {
    /// An integer hash of the point's 64-bit coordinates and the seed: no table, no period. Each
    /// lattice line is hashed to 31 bits, so two columns can collide: expect one such pair among
    /// 65,000 columns.
    #[default]
    Hash,
    /// A permutation of 256 numbers, as in Perlin's programs. The noise repeats after 256 cells
    /// along every axis.
    Permutation(Permutation),
    /// Gradients and values listed point by point on a grid that wraps around; a list in one
    /// dimension.
    Grid(LatticeGrid<N>),
}

/// The data at lattice points that noise interpolates: gradients, values, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum LatticeValues {
    /// Gradients only: gradient noise, zero at lattice points.
    #[default]
    Zero,
    /// Values and gradients: the sum of gradient noise and value noise (CMSC 425, lecture 13,
    /// University of Maryland).
    Added,
    /// Values only: value noise, blended by the fade.
    Alone,
    /// Values only, by cubic interpolation through four points along each axis, without a fade.
    /// With v0 .. v3 around the cell from v1 to v2: P t^3 + Q t^2 + R t + v1, P = (v3 - v2) - (v0 -
    /// v1), Q = (v0 - v1) - P, R = v2 - v0. The noise is C1 and overshoots its values. (Hugo Elias,
    /// "Perlin Noise", 1998.)
    FourPoint,
}

/// The tables that the octaves of a noise share.
pub(crate) struct Tables<const N: usize> {
    /// The set of gradients.
    pub gradients: Arc<[[f32; N]]>,
    /// The points of an explicit grid.
    pub corners: Arc<[Corner<N>]>,
}

impl<const N: usize> Tables<N> {
    pub fn of(gradients: Arc<[[f32; N]]>) -> Self {
        Self { gradients, corners: [].into() }
    }
}

/// The gradient and the value of a lattice point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner<const N: usize> {
    pub gradient: [f32; N],
    pub value: f32,
}

/// A lattice, prepared for evaluation.
pub(crate) trait Points<const N: usize> {
    /// The word that all corners on line `cell` across `axis` share. A grid computes it once for
    /// each column and row.
    fn line(&self, axis: usize, cell: i64) -> u32;

    /// The gradient and the value at the crossing of `lines`. The value stays zero unless
    /// `has_values`.
    fn corner(&self, lines: [u32; N], has_values: bool) -> Corner<N>;
}

/// How SIMD code computes the corners of a lattice.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CornerRule {
    /// The hashed lattice with the 16 even directions in two dimensions, given by the first two.
    EvenDirections([[f32; 2]; 2]),
    /// The hashed lattice with the even gradients in three or four dimensions. Each component is
    /// zero or plus or minus this number.
    Edges(f32),
    /// The hashed lattice without gradients: values only.
    ValuesOnly,
    /// Any other: each corner is looked up, see [`CornerLookup`].
    LookUp,
}

/// A lattice whose corners are looked up, for SIMD code.
pub(crate) trait CornerLookup: core::fmt::Debug + Send + Sync {
    /// See [`Points::line`].
    fn line(&self, axis: usize, cell: i64) -> u32;

    /// The corners where `lines` cross, one slice of lines for each axis: the components of the
    /// gradients go to the first slices of `out`, the values to the last. See [`Points::corner`].
    fn corners(&self, lines: &[&[u32]], has_values: bool, out: &mut [&mut [f32]]);
}

/// How an octave maps positions to its lattice: position * frequency + offset along each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LatticeMapping<const N: usize> {
    pub frequency: f64,
    /// The offset of the origin in cells, in [0, 1) along each axis.
    pub offset: [f64; N],
}

/// A lattice of any kind, before its period.
#[derive(Clone, Debug)]
pub(crate) enum AnyPoints<const N: usize> {
    Hashed(Hashed<N>),
    Permuted(Permuted<N>),
    Explicit(Explicit<N>),
}

/// A lattice of any kind that repeats after `period` cells along each axis. 0 means no period.
#[derive(Clone, Debug)]
pub(crate) struct AnyLattice<const N: usize> {
    pub points: AnyPoints<N>,
    pub period: [u32; N],
}

/// Evaluates an expression for the lattice, compiled once for each kind.
macro_rules! with_points {
    ($any:expr, $points:ident => $run:expr) => {
        match $any {
            $crate::lattice::AnyPoints::Hashed($points) => $run,
            $crate::lattice::AnyPoints::Permuted($points) => $run,
            $crate::lattice::AnyPoints::Explicit($points) => $run,
        }
    };
}
pub(crate) use with_points;

impl<const N: usize> AnyLattice<N> {
    /// How SIMD code computes corners.
    pub fn rule(&self) -> CornerRule {
        match &self.points {
            AnyPoints::Hashed(points) => points.rule,
            AnyPoints::Permuted(_) | AnyPoints::Explicit(_) => CornerRule::LookUp,
        }
    }
}

impl<const N: usize> CornerLookup for AnyLattice<N> {
    fn line(&self, axis: usize, cell: i64) -> u32 {
        let cell = wrap(cell, self.period[axis]);
        with_points!(&self.points, points => points.line(axis, cell))
    }

    fn corners(&self, lines: &[&[u32]], has_values: bool, out: &mut [&mut [f32]]) {
        with_points!(&self.points, points => look_up(points, lines, has_values, out));
    }
}

fn look_up<const N: usize>(
    points: &impl Points<N>,
    lines: &[&[u32]],
    has_values: bool,
    out: &mut [&mut [f32]],
) {
    let Some((values, gradients)) = out.split_last_mut() else { return };
    // Slices of one length need no bounds checks in the loop.
    let len = values.len();
    let lines: [&[u32]; N] = arrays::from_fn(|k| &lines[k][..len]);
    let mut gradients = gradients.iter_mut();
    let mut gradients: [&mut [f32]; N] =
        core::array::from_fn(|_| gradients.next().map_or(&mut [][..], |part| &mut part[..len]));
    for i in 0..len {
        let corner = points.corner(arrays::from_fn(|k| lines[k][i]), has_values);
        values[i] = corner.value;
        for (out, component) in gradients.iter_mut().zip(corner.gradient) {
            out[i] = component;
        }
    }
}

/// Gradients and values from a hash of the coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Hashed<const N: usize> {
    pub keys: [Key; N],
    gradients: Arc<[[f32; N]]>,
    /// The rule for SIMD code.
    pub rule: CornerRule,
}

impl<const N: usize> Hashed<N> {
    pub fn new(seed: u64, gradients: Arc<[[f32; N]]>) -> Self {
        let keys = arrays::from_fn(|k| Key::new(derive(seed, k as u64)));
        Self { keys, rule: rule(&gradients), gradients }
    }
}

fn rule<const N: usize>(gradients: &[[f32; N]]) -> CornerRule {
    // Bits, because zeros have signs.
    let bits = |set: &[[f32; N]]| -> Vec<u32> {
        set.as_flattened().iter().map(|part| part.to_bits()).collect()
    };
    let is_even = bits(gradients) == bits(&even::<N>());
    if N == 2 && is_even {
        let [first, second, ..] = even_directions();
        CornerRule::EvenDirections([first, second])
    } else if N >= 3 && is_even {
        let parts = gradients.as_flattened().iter();
        CornerRule::Edges(parts.fold(0.0, |largest, part| part.max(largest)))
    } else if gradients.len() == 1 && bits(gradients).iter().all(|bits| *bits == 0) {
        CornerRule::ValuesOnly
    } else {
        CornerRule::LookUp
    }
}

impl<const N: usize> Points<N> for Hashed<N> {
    #[inline(always)]
    fn line(&self, axis: usize, cell: i64) -> u32 {
        premix(cell, &self.keys[axis])
    }

    #[inline(always)]
    fn corner(&self, lines: [u32; N], has_values: bool) -> Corner<N> {
        let hash = corner(lines);
        let index = (u64::from(hash) * self.gradients.len() as u64) >> 32;
        let value = if has_values { mix(hash) as i32 as f32 / (1u32 << 31) as f32 } else { 0.0 };
        Corner { gradient: self.gradients[index as usize], value }
    }
}
