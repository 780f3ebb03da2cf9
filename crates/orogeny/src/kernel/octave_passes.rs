//! Adds one octave to the accumulators of a strip, a column, or a block of scattered points.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::accumulators::{Accumulators, put_either};
use crate::kernel::axis_table::{AxisTable, RowHeight};
use crate::kernel::corners::{AnyCorners, LaneCorners, PreparedCorners};
use crate::kernel::directions::Directions;
use crate::kernel::lattice_octaves::LatticeOctave;
use crate::kernel::lattice_row::{AxisLanes, CellPolynomial, Ramps, RowCoefficients};
use crate::kernel::octave_terms::OctaveTerm;
use crate::kernel::row_writers::{
    AddJets, AddNoise, AddTerms, GridRow, OutputRow, RowWriter, add_jets, add_terms,
};
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
    if const { ORDER < 2 } {
        if let Some(corners) = table.parameters.default_noise() {
            flat_or!(table, sums, ORDER, add_default::<S>(simd, corners, table, part, sums));
            return;
        }
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

/// Adds the default noise.
fn add_default<S: Simd, const ORDER: u8>(
    simd: S,
    corners: &Directions,
    OctaveTable { columns, rows, parameters }: &OctaveTable,
    part: &Part,
    Accumulators { sums, stride, .. }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let ramps = Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, part.column));
            // One iterator for the whole strip. The finest octaves have one sample row between lattice
            // rows; an iterator for each would cost as much as that row.
            let sums = rows.heights[part.rows.clone()].iter().zip(sums.chunks_exact_mut(*stride));
            add_noise::<S, _, _, _, ORDER>(simd, corners, &ramps, rows, parameters, sums);
        },
    )
}

/// Adds any noise, or the terms that a fractal makes of it.
#[inline(always)]
fn add_any<S: Simd, const ORDER: u8>(
    simd: S,
    octave: &LatticeOctave,
    table: &OctaveTable,
    part: &Part,
    sums: &mut Accumulators,
) {
    // `const` keeps the compiler from generating the branch that is never taken.
    if const { ORDER == 2 } {
        add_any_jets(simd, octave, table, part, sums);
    } else if let Some(term) = table.parameters.term {
        add_any_terms::<S, ORDER>(simd, octave, table, part, sums, term);
    } else {
        add_any_noise::<S, ORDER>(simd, octave, table, part, sums);
    }
}

fn add_any_jets<S: Simd>(
    simd: S,
    octave: &LatticeOctave,
    OctaveTable { columns, rows, parameters }: &OctaveTable,
    part: &Part,
    Accumulators { sums, stride, .. }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let corners = &AnyCorners::new(octave, parameters);
            let ramps = Ramps::new(AxisLanes::consecutive::<2>(simd, columns, part.column));
            let heights = rows.heights[part.rows.clone()].iter();
            let sums = heights.zip(sums.chunks_exact_mut(*stride));
            let writer = AddJets { rows: sums, parameters };
            write_strip::<S, _, _, 2>(simd, corners, &ramps, rows, writer);
        },
    )
}

fn add_any_terms<S: Simd, const ORDER: u8>(
    simd: S,
    octave: &LatticeOctave,
    OctaveTable { columns, rows, parameters }: &OctaveTable,
    part: &Part,
    Accumulators { sums, weights, stride }: &mut Accumulators,
    term: (OctaveTerm, f32),
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let corners = &AnyCorners::new(octave, parameters);
            let ramps = Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, part.column));
            let heights = rows.heights[part.rows.clone()].iter();
            let sums = heights.zip(sums.chunks_exact_mut(*stride));
            let sums = sums.zip(weights.chunks_exact_mut(*stride));
            let writer = AddTerms { rows: sums, parameters, term };
            write_strip::<S, _, _, ORDER>(simd, corners, &ramps, rows, writer);
        },
    )
}

fn add_any_noise<S: Simd, const ORDER: u8>(
    simd: S,
    octave: &LatticeOctave,
    OctaveTable { columns, rows, parameters }: &OctaveTable,
    part: &Part,
    Accumulators { sums, stride, .. }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let corners = &AnyCorners::new(octave, parameters);
            let ramps = Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, part.column));
            if parameters.first {
                // Adding to -0 changes no bits.
                sums.fill(-0.0);
            }
            let heights = rows.heights[part.rows.clone()].iter();
            let sums = heights.zip(sums.chunks_exact_mut(*stride));
            let writer = AddNoise::<_, false> { rows: sums, slope: parameters.slope };
            write_strip::<S, _, _, ORDER>(simd, corners, &ramps, rows, writer);
        },
    )
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

fn finish_default<S: Simd, const ORDER: u8>(
    simd: S,
    corners: &Directions,
    OctaveTable { columns, rows, parameters }: &OctaveTable,
    part: &Part,
    Accumulators { sums, stride, .. }: &mut Accumulators,
    out: &mut [&mut [f32]; 6],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let ramps = Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, part.column));
            let (column, width) = (part.column, columns.len);
            let band = part.rows.start * width..part.rows.end * width;
            let [value, dx, dz, ..] = out;
            let sums = rows.heights[part.rows.clone()].iter().zip(sums.chunks_exact(*stride));
            let sums = sums.zip(value[band.clone()].chunks_exact_mut(width));
            if ORDER == 0 {
                let finished = sums.map(|((height, sums), value)| {
                    (height, GridRow { sums, out: [value, &mut [], &mut []], column })
                });
                add_noise::<S, _, _, _, ORDER>(simd, corners, &ramps, rows, parameters, finished);
            } else {
                let dx = dx[band.clone()].chunks_exact_mut(width);
                let dz = dz[band].chunks_exact_mut(width);
                let finished = sums.zip(dx.zip(dz)).map(|(((height, sums), value), (dx, dz))| {
                    (height, GridRow { sums, out: [value, dx, dz], column })
                });
                add_noise::<S, _, _, _, ORDER>(simd, corners, &ramps, rows, parameters, finished);
            }
        },
    )
}

/// Adds noise as it is.
#[inline(always)]
fn add_noise<'a, S: Simd, C: LaneCorners, I, R: OutputRow, const ORDER: u8>(
    simd: S,
    corners: &C,
    ramps: &Ramps<S>,
    table: &AxisTable,
    parameters: &OctaveParameters,
    rows: I,
) where
    I: Iterator<Item = (&'a RowHeight, R)>,
{
    let slope = parameters.slope;
    if parameters.first {
        let writer = AddNoise::<_, true> { rows, slope };
        write_strip::<S, C, _, ORDER>(simd, corners, ramps, table, writer);
    } else {
        let writer = AddNoise::<_, false> { rows, slope };
        write_strip::<S, C, _, ORDER>(simd, corners, ramps, table, writer);
    }
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

fn add_points<S: Simd, const ORDER: u8>(
    simd: S,
    octave: &LatticeOctave,
    OctaveTable { columns, rows, parameters }: &OctaveTable,
    part: &Part,
    is_column: bool,
    Accumulators { sums, weights, stride }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let corners = &AnyCorners::new(octave, parameters);
            let slope = S::f32s::splat(simd, parameters.slope);
            let first = parameters.first;
            let sums = sums.chunks_exact_mut(*stride).zip(weights.chunks_exact_mut(*stride));
            for (start, (sums, weights)) in part.rows.clone().step_by(S::f32s::LEN).zip(sums) {
                let x = if is_column {
                    AxisLanes::splat::<ORDER>(simd, columns, part.column)
                } else {
                    AxisLanes::consecutive::<ORDER>(simd, columns, start)
                };
                let (x, z) = (Ramps::new(x), AxisLanes::consecutive::<ORDER>(simd, rows, start));
                let lower = RowCoefficients::new::<_, ORDER>(simd, corners, &x, z.below);
                let upper = RowCoefficients::new::<_, ORDER>(simd, corners, &x, z.above);
                let (cell, height) = (CellPolynomial::new(&lower, &upper), z.heights());
                if ORDER == 2 {
                    add_jets::<S>(simd, &cell, &height, parameters, sums);
                    continue;
                }
                if let Some(term) = parameters.term {
                    add_terms::<S, ORDER>(simd, &cell, &height, parameters, term, sums, weights);
                    continue;
                }
                put_either(simd, first, sums, 0, cell.value(&height));
                if ORDER >= 1 {
                    put_either(simd, first, sums, 1, cell.dx(&height) * slope);
                    put_either(simd, first, sums, 2, cell.dz(&height) * slope);
                }
            }
        },
    )
}
