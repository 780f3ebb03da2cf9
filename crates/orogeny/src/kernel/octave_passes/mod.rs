//! Adds one octave to the accumulators of a strip, a column, or a block of scattered points.
//!
//! The default noise has code of its own, [`default_noise`]; one copy of the code, [`any_noise`],
//! serves every other lattice and the terms of fractals, chosen at run time.

mod any_noise;
mod default_noise;

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::accumulators::Accumulators;
use crate::kernel::axis_table::AxisTable;
use crate::kernel::corners::{LaneCorners, PreparedCorners};
use crate::kernel::directions::Directions;
use crate::kernel::lattice_octaves::LatticeOctave;
use crate::kernel::lattice_row::{CellPolynomial, Ramps, RowCoefficients};
use crate::kernel::octave_passes::any_noise::{add_any, add_points};
use crate::kernel::octave_passes::default_noise::{add_default, finish_default};
use crate::kernel::row_writers::RowWriter;
use crate::kernel::tables::{OctaveParameters, OctaveTable};

/// The part of a grid, or of a block of points, that is worked on.
pub(super) struct Part {
    /// The first column.
    pub column: usize,
    pub rows: Range<usize>,
}

/// Adds an octave without derivatives if it has none to add. Otherwise calls with the same order.
macro_rules! flat_or {
    ($table:expr, $sums:expr, $ORDER:ident, $add:ident::<$S:ident>($($argument:expr),*)) => {
        if $ORDER == 0 || $table.parameters.is_flat() {
            if $ORDER >= 1 && $table.parameters.first {
                // Adding to -0 changes no bits.
                $sums.sums.fill(-0.0);
            }
            $add::<$S, 0>($($argument),*);
        } else {
            $add::<$S, $ORDER>($($argument),*);
        }
    };
}

/// Adds an octave to a vector of columns, row by row.
#[inline(always)]
pub(super) fn add_to_strip<S: Simd, const ORDER: u8>(
    simd: S,
    octave: &LatticeOctave,
    table: &OctaveTable,
    part: &Part,
    sums: &mut Accumulators,
) {
    // `const` keeps the compiler from generating the branch that is never taken.
    if const { ORDER < 2 }
        && let Some(corners) = table.parameters.default_noise()
    {
        flat_or!(table, sums, ORDER, add_default::<S>(simd, corners, table, part, sums));
        return;
    }
    flat_or!(table, sums, ORDER, add_any::<S>(simd, octave, table, part, sums));
}

impl OctaveParameters {
    /// The corners of the default noise, added as it is.
    pub fn default_noise(&self) -> Option<&Directions> {
        match &self.corners {
            PreparedCorners::Directions { gradients, .. }
                if !self.has_values && self.term.is_none() =>
            {
                Some(gradients)
            }
            _ => None,
        }
    }
}

/// Adds the default noise as the last octave of whole vectors of columns. The finished rows go
/// straight to the grid, where stores can wait for memory while the next rows are computed.
#[inline(always)]
pub(super) fn finish_strip<S: Simd, const ORDER: u8>(
    simd: S,
    corners: &Directions,
    table: &OctaveTable,
    part: &Part,
    sums: &mut Accumulators,
    out: &mut [&mut [f32]; 6],
) {
    flat_or!(table, sums, ORDER, finish_default::<S>(simd, corners, table, part, sums, out));
}

/// Adds an octave to points that have two lattice rows each: scattered points, or the points of one
/// column of a grid.
#[inline(always)]
pub(super) fn add_to_points<S: Simd, const ORDER: u8>(
    simd: S,
    octave: &LatticeOctave,
    table: &OctaveTable,
    part: &Part,
    is_column: bool,
    sums: &mut Accumulators,
) {
    flat_or!(table, sums, ORDER, add_points::<S>(simd, octave, table, part, is_column, sums));
}

/// Writes a strip, lattice row by lattice row.
#[inline(always)]
fn write_strip<S: Simd, C: LaneCorners, W: RowWriter<S>, const ORDER: u8>(
    simd: S,
    corners: &C,
    ramps: &Ramps<S>,
    table: &AxisTable,
    mut writer: W,
) {
    let dt = S::f32s::splat(simd, table.dt);
    // The upper lattice row of the previous cell is the lower one of the next.
    let mut last: Option<(u32, RowCoefficients<S>)> = None;
    for run in &table.runs {
        let [below, above] = run.lines;
        let lower = match last {
            Some((line, row)) if line == below => row,
            _ => lattice_row::<S, C, ORDER>(simd, corners, ramps, below),
        };
        let upper = lattice_row::<S, C, ORDER>(simd, corners, ramps, above);
        last = Some((above, upper));
        writer.write::<ORDER>(simd, &CellPolynomial::new(&lower, &upper), dt, run.count);
    }
}

#[inline(always)]
fn lattice_row<S: Simd, C: LaneCorners, const ORDER: u8>(
    simd: S,
    corners: &C,
    ramps: &Ramps<S>,
    line: u32,
) -> RowCoefficients<S> {
    RowCoefficients::new::<C, ORDER>(simd, corners, ramps, S::u32s::splat(simd, line))
}
