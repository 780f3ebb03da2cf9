//! Lattices: the gradients and values at integer points, which noise interpolates.
//!
//! May use `derivative`, `float` and `limits`, and no other module. Start reading at `cell`, which
//! splits a position exactly into a lattice cell and the offset in it, then `hash`, then
//! `interpolate`, which blends the corners of a cell. `hashed`, `permutation` and `explicit` are
//! the three kinds of lattice; `AnyLattice` is one of them with its period.

mod any_lattice;
pub(crate) mod axis;
pub(crate) mod cell;
mod explicit;
pub(crate) mod fade;
mod gradients;
pub(crate) mod hash;
mod hashed;
pub(crate) mod interpolate;
pub(crate) mod mapping;
mod permutation;

use alloc::sync::Arc;

pub use cell::MAX_CELL;
pub use explicit::LatticeGrid;
pub use fade::Fade;
pub use gradients::Gradients;
pub use permutation::{PERLIN, Permutation, PermutationTable};

pub(crate) use any_lattice::{AnyLattice, AnyPoints, with_points};
pub(crate) use explicit::Explicit;
pub(crate) use gradients::even_directions;
pub(crate) use hashed::Hashed;
pub(crate) use permutation::Permuted;

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
