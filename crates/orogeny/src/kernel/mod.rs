//! SIMD noise over grids and batches of scattered points: every noise in two dimensions, lattice
//! noise in two to four.
//!
//! May use `derivative`, `float`, `lattice` and `simd`, and no other module: callers pass plain
//! data. Start reading at [`lattice_octaves`], which fills a grid with a sum of octaves.
//! [`pointwise`] (simplex, cellular), [`damping`] and [`erosion`] are independent of it.
//!
//! # Lattice noise on a grid
//!
//! Lattice noise is separable. [`axis_table`] computes what depends on one axis once per column
//! and once per row. Along a lattice row the noise is an affine function of the offset above that
//! row (see `lattice::interpolate`); [`lattice_row`] computes its coefficients for a vector of
//! columns. Every sample row between two lattice rows then costs a few products
//! ([`row_writers`]), and the upper lattice row of one cell is the lower row of the next. Each
//! lane hashes its own two corners, even where lanes share a cell, so nothing is gathered.
//!
//! [`bands`] cuts the grid into bands of rows, and each band into strips one vector wide.
//! [`octave_passes`] adds one octave to a strip. All octaves of a strip are added before the next
//! strip, so the [`accumulators`] stay in the L1 cache.
//!
//! Scattered points share no rows or columns, so each lane has its own two lattice rows
//! ([`points`]). So do the points of grids in rotated octaves. A single point has an octave in each
//! lane ([`octave_lanes`]). Three and four dimensions are in [`space`].
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

mod accumulators;
mod axis_table;
mod axis_weights;
mod bands;
mod corners;
mod damping;
mod directions;
mod erosion;
mod lattice_cells;
mod lattice_octaves;
mod lattice_row;
mod octave_lanes;
mod octave_passes;
mod octave_terms;
mod operand;
mod points;
mod pointwise;
mod positions;
mod rotation;
mod row_writers;
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
pub(crate) use lattice_octaves::{LatticeOctave, fill as fill_lattice_octaves};
pub(crate) use octave_lanes::{MAX_OCTAVES, OctaveLanes};
pub(crate) use octave_terms::{OctaveTerm, OctaveTerms};
pub(crate) use operand::{Operand, OperandDerivatives};
pub(crate) use pointwise::{
    CellularKernel, CellularMeasure, PointwiseKind, PointwiseNoise, SimplexKernel,
    fill as fill_pointwise,
};
pub(crate) use positions::{Coordinates, KernelPositions};
pub(crate) use rotation::Rotation;
pub(crate) use tables::KernelTables;

/// The maximum number of dimensions.
pub(crate) const MAX_DIMENSIONS: usize = 4;

/// The number of lanes of the widest vector.
const MAX_LANES: usize = 16;

/// The slices that a fill writes to, all of one length.
pub(crate) struct OutputSlices<'a> {
    pub value: &'a mut [f32],
    /// The derivatives along each axis, with empty slices beyond the last axis. `None` writes
    /// values only.
    pub slopes: Option<[&'a mut [f32]; MAX_DIMENSIONS]>,
    /// The second derivatives xx, xz and zz. Only with `slopes`.
    pub bends: Option<[&'a mut [f32]; 3]>,
}
