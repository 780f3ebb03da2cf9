//! Adds one octave to the accumulators of a strip, a column, or a block of scattered points.
//!
//! Each pass is compiled three times: for the default lattice, which is hashed, with even
//! directions and without values; for hashed lattices with values; and for lattices that are looked
//! up. One copy that selects the lattice at run time is up to 1.5 times as slow, since a call that
//! looks up corners spills the vectors around it.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::corners::{LaneCorners, LookedUpCorners, ValuedCorners};
use crate::kernel::lattice::axis_table::AxisTable;
use crate::kernel::lattice::row::{AxisLanes, CellPolynomial, Ramps, RowCoefficients};
use crate::kernel::lattice::row_writers::{
    Accumulators, AddJets, AddNoise, AddTerms, GridRow, RowWriter, add_jets, add_terms, put_either,
};
use crate::kernel::octave::{LatticeOctave, OctaveTerm};
use crate::kernel::tables::OctaveTable;

/// The part of a grid, or of a block of points, that is being filled.
pub(super) struct Part {
    /// The first column.
    pub column: usize,
    pub rows: Range<usize>,
}

/// Calls a pass with the code for the octave's lattice.
macro_rules! call_pass {
    (
        $octave:expr, $table:expr, $sums:expr,
        $pass:ident::<$S:ident, $ORDER:ident>($simd:expr $(, $argument:expr)*)
    ) => {
        let parameters = &$table.parameters;
        if $ORDER >= 1 && parameters.is_flat() && parameters.first {
            // Adding to -0 changes no bits.
            $sums.sums.fill(-0.0);
        }
        if let Some(corners) = parameters.directions() {
            flat_or!($pass::<$S, $ORDER>($simd, corners, $table $(, $argument)*));
        } else if let Some(corners) =
            &ValuedCorners::new(&parameters.corners, parameters.has_values)
        {
            flat_or!($pass::<$S, $ORDER>($simd, corners, $table $(, $argument)*));
        } else {
            let corners = &LookedUpCorners::new($octave);
            flat_or!($pass::<$S, $ORDER>($simd, corners, $table $(, $argument)*));
        }
    };
}

/// Calls the pass without derivatives if the octave adds none.
macro_rules! flat_or {
    (
        $pass:ident::<$S:ident, $ORDER:ident>(
            $simd:expr, $corners:expr, $table:expr $(, $argument:expr)*
        )
    ) => {
        if $ORDER == 0 || $table.parameters.is_flat() {
            $pass::<$S, _, 0>($simd, $corners, $table $(, $argument)*);
        } else {
            $pass::<$S, _, $ORDER>($simd, $corners, $table $(, $argument)*);
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
    call_pass!(octave, table, sums, add_strip::<S, ORDER>(simd, part, sums));
}

#[inline(always)]
fn add_strip<S: Simd, C: LaneCorners, const ORDER: u8>(
    simd: S,
    corners: &C,
    table: &OctaveTable,
    part: &Part,
    sums: &mut Accumulators,
) {
    // `const`, so that no code is generated for the unused branch.
    if const { ORDER == 2 } {
        add_jets_to_strip(simd, corners, table, part, sums);
    } else if let Some(term) = table.parameters.term {
        add_terms_to_strip::<S, C, ORDER>(simd, corners, table, part, sums, term);
    } else {
        add_noise_to_strip::<S, C, ORDER>(simd, corners, table, part, sums);
    }
}

/// Adds plain noise, without second derivatives, as the last octave of whole vectors of columns.
/// The finished rows go straight to the grid, where stores can wait for memory while the next rows
/// are computed.
#[inline(always)]
pub(super) fn finish_strip<S: Simd, const ORDER: u8>(
    simd: S,
    octave: &LatticeOctave,
    table: &OctaveTable,
    part: &Part,
    sums: &mut Accumulators,
    out: &mut [&mut [f32]; 6],
) {
    call_pass!(octave, table, sums, finish_noise::<S, ORDER>(simd, part, sums, out));
}

/// Adds an octave to points that each have two lattice rows of their own: scattered points, or the
/// points of one column of a grid.
#[inline(always)]
pub(super) fn add_to_points<S: Simd, const ORDER: u8>(
    simd: S,
    octave: &LatticeOctave,
    table: &OctaveTable,
    part: &Part,
    is_column: bool,
    sums: &mut Accumulators,
) {
    call_pass!(octave, table, sums, add_points::<S, ORDER>(simd, part, is_column, sums));
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

/// Adds the noise.
fn add_noise_to_strip<S: Simd, C: LaneCorners, const ORDER: u8>(
    simd: S,
    corners: &C,
    OctaveTable { columns, rows, parameters, .. }: &OctaveTable,
    part: &Part,
    Accumulators { sums, stride, .. }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let ramps = Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, part.column));
            // One iterator for the whole strip. The finest octaves have one sample row between
            // lattice rows; an iterator for each would cost as much as that row.
            let sums = rows.offsets[part.rows.clone()].iter().zip(sums.chunks_exact_mut(*stride));
            let writer = AddNoise::new(sums, parameters);
            write_strip::<S, C, _, ORDER>(simd, corners, &ramps, rows, writer);
        },
    );
}

/// Adds the noise as the last octave, and writes the finished rows to the grid.
fn finish_noise<S: Simd, C: LaneCorners, const ORDER: u8>(
    simd: S,
    corners: &C,
    OctaveTable { columns, rows, parameters, .. }: &OctaveTable,
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
            let sums = rows.offsets[part.rows.clone()].iter().zip(sums.chunks_exact(*stride));
            let sums = sums.zip(value[band.clone()].chunks_exact_mut(width));
            if ORDER == 0 {
                let finished = sums.map(|((offset, sums), value)| {
                    (offset, GridRow { sums, out: [value, &mut [], &mut []], column })
                });
                let writer = AddNoise::new(finished, parameters);
                write_strip::<S, C, _, ORDER>(simd, corners, &ramps, rows, writer);
            } else {
                let dx = dx[band.clone()].chunks_exact_mut(width);
                let dz = dz[band].chunks_exact_mut(width);
                let finished = sums.zip(dx.zip(dz)).map(|(((offset, sums), value), (dx, dz))| {
                    (offset, GridRow { sums, out: [value, dx, dz], column })
                });
                let writer = AddNoise::new(finished, parameters);
                write_strip::<S, C, _, ORDER>(simd, corners, &ramps, rows, writer);
            }
        },
    );
}

/// Adds noise with its second derivatives.
fn add_jets_to_strip<S: Simd, C: LaneCorners>(
    simd: S,
    corners: &C,
    OctaveTable { columns, rows, parameters, .. }: &OctaveTable,
    part: &Part,
    Accumulators { sums, stride, .. }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let ramps = Ramps::new(AxisLanes::consecutive::<2>(simd, columns, part.column));
            let offsets = rows.offsets[part.rows.clone()].iter();
            let sums = offsets.zip(sums.chunks_exact_mut(*stride));
            let writer = AddJets { rows: sums, parameters };
            write_strip::<S, C, _, 2>(simd, corners, &ramps, rows, writer);
        },
    );
}

/// Adds the terms of a fractal.
fn add_terms_to_strip<S: Simd, C: LaneCorners, const ORDER: u8>(
    simd: S,
    corners: &C,
    OctaveTable { columns, rows, parameters, .. }: &OctaveTable,
    part: &Part,
    Accumulators { sums, weights, stride }: &mut Accumulators,
    term: (OctaveTerm, f32),
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let ramps = Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, part.column));
            let offsets = rows.offsets[part.rows.clone()].iter();
            let sums = offsets.zip(sums.chunks_exact_mut(*stride));
            let sums = sums.zip(weights.chunks_exact_mut(*stride));
            let writer = AddTerms { rows: sums, parameters, term };
            write_strip::<S, C, _, ORDER>(simd, corners, &ramps, rows, writer);
        },
    );
}

/// Adds an octave to points that each have two lattice rows of their own.
fn add_points<S: Simd, C: LaneCorners, const ORDER: u8>(
    simd: S,
    corners: &C,
    OctaveTable { columns, rows, parameters, .. }: &OctaveTable,
    part: &Part,
    is_column: bool,
    Accumulators { sums, weights, stride }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
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
                let (cell, offset) = (CellPolynomial::new(&lower, &upper), z.offsets());
                if ORDER == 2 {
                    add_jets::<S>(simd, &cell, &offset, parameters, sums);
                    continue;
                }
                if let Some(term) = parameters.term {
                    add_terms::<S, ORDER>(simd, &cell, &offset, parameters, term, sums, weights);
                    continue;
                }
                put_either(simd, first, sums, 0, cell.value(&offset));
                if ORDER >= 1 {
                    let [dx, dz] = parameters.gradient(&cell, &offset);
                    put_either(simd, first, sums, 1, dx);
                    put_either(simd, first, sums, 2, dz);
                }
            }
        },
    );
}
