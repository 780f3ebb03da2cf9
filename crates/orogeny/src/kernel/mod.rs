//! SIMD noise over grids and batches of scattered points: every noise in two dimensions, lattice
//! noise in two to four.
//!
//! May use `derivative`, `float`, `lattice` and `simd`, and no other module: callers pass plain
//! data. [`lattice`] is noise on lattices, with the way of one octave through its files;
//! [`pointwise`] (simplex, cellular), [`damping`] and [`erosion`] are independent of it. Three and
//! four dimensions are in [`space`].
//!
//! # Same bits everywhere
//!
//! Every operation has the order of the scalar code, and no product is fused with a sum. So the
//! results are bit-identical to those of the scalar code at every SIMD level, on every machine.
//!
//! # Inlining
//!
//! A function compiled for the baseline instruction set cannot use wider registers. So every
//! function that takes SIMD values is `#[inline(always)]`, and none passes them through
//! `array::map` or plain closures, which the compiler may not inline: a kernel with one such call
//! is ten times slower. The outermost functions call `Simd::vectorize`, once for each part of the
//! work: at opt-level 0 a stack frame has every vector of its part (tests/stack.rs).

mod corners;
mod damping;
mod directions;
mod erosion;
mod lattice;
mod lattice_cells;
mod operand;
mod pointwise;
mod positions;
mod sample_lanes;
mod space;
mod table_lookup;
mod tables;
mod traversal;

pub(crate) use damping::{DampingKernel, SlopedSlices, add as add_damped};
pub(crate) use directions::Directions;
pub(crate) use erosion::{
    Crest, ErosionKernel, ErosionOctave, JITTER as EROSION_JITTER, fill as fill_erosion,
};
pub(crate) use lattice::octave_lanes::{MAX_OCTAVES, OctaveLanes};
pub(crate) use lattice::octave_terms::{OctaveTerm, OctaveTerms};
pub(crate) use lattice::octaves::{LatticeOctave, fill as fill_lattice_octaves};
pub(crate) use lattice::rotation::Rotation;
pub(crate) use operand::{Operand, OperandDerivatives};
pub(crate) use pointwise::{
    CellularKernel, CellularMeasure, PointwiseKind, PointwiseNoise, SimplexKernel,
    fill as fill_pointwise,
};
pub(crate) use positions::{Coordinates, KernelPositions};
pub(crate) use tables::KernelTables;

/// The maximum number of dimensions.
pub(crate) const MAX_DIMENSIONS: usize = 4;

/// The number of lanes of the widest vector.
pub(crate) const MAX_LANES: usize = 16;

/// The slices that a fill writes to, all of one length.
pub(crate) struct OutputSlices<'a> {
    pub value: &'a mut [f32],
    /// The derivatives along each axis, with empty slices beyond the last axis. `None` writes
    /// values only.
    pub slopes: Option<[&'a mut [f32]; MAX_DIMENSIONS]>,
    /// The second derivatives xx, xz and zz. Only with `slopes`.
    pub bends: Option<[&'a mut [f32]; 3]>,
}
