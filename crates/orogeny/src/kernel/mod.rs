//! SIMD noise over grids and batches of scattered points: every noise in two dimensions, lattice
//! noise in two to four.
//!
//! May use `arrays`, `derivative`, `float`, `lattice` and `simd`, and no other module: callers pass
//! plain data. [`lattice`] is noise on lattices, with the way of one octave through its files;
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

mod cells;
mod corners;
mod damping;
mod erosion;
mod lattice;
mod octave;
mod pointwise;
mod positions;
mod sample_lanes;
mod space;
mod tables;

pub(crate) use corners::Directions;
pub(crate) use damping::{DampingKernel, SlopedSlices, add as add_damped};
pub(crate) use erosion::{
    Crest, ErosionKernel, ErosionOctave, JITTER as EROSION_JITTER, fill as fill_erosion,
};
pub(crate) use lattice::octave_lanes::{MAX_OCTAVES, OctaveLanes};
pub(crate) use octave::{LatticeOctave, OctaveTerm, OctaveTerms, Rotation};
pub(crate) use pointwise::{
    CellularKernel, CellularMeasure, PointwiseKind, PointwiseNoise, SimplexKernel,
    fill as fill_pointwise,
};
pub(crate) use positions::{Coordinates, KernelPositions};
pub(crate) use sample_lanes::{Operand, OperandDerivatives};
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
    pub second: Option<[&'a mut [f32]; 3]>,
}

/// Writes the sum of octaves of lattice noise, in two to four dimensions, to `out`. Second
/// derivatives and terms require two.
pub(crate) fn fill_lattice_octaves(
    octaves: &[LatticeOctave],
    positions: KernelPositions,
    tables: &mut KernelTables,
    out: OutputSlices,
) {
    match positions.dimensions() {
        3 => space::fill::<3>(octaves, positions, tables, out),
        4 => space::fill::<4>(octaves, positions, tables, out),
        _ => lattice::fill(octaves, positions, tables, out),
    }
}
