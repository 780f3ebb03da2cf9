//! Lattice noise: sums of octaves on grids and at scattered points.
//!
//! Lattice noise is separable. [`axis_table`] computes what depends on one axis once per column
//! and once per row. Along a lattice row the noise is an affine function of the offset above that
//! row (see `lattice::interpolate`); [`row`] computes its coefficients for a vector of columns.
//! Every sample row between two lattice rows then costs a few products ([`row_writers`]), and the
//! upper lattice row of one cell is the lower row of the next. Each lane hashes its own two
//! corners, even where lanes share a cell, so nothing is gathered.
//!
//! # The way of an octave through a grid
//!
//! ```text
//! fill                              chooses a SIMD level and how many derivatives
//!   for each octave
//!     axis_table  columns, rows     cell, offset, fade and its derivatives, once per axis
//!   fill_bands
//!     for each band of rows         so high that its accumulators stay in the L1 cache
//!       for each strip of columns   one vector wide; one or two columns left over go by points
//!         for each octave           octave_passes: a copy for each sort of lattice
//!           for each cell along z   a run of rows between two lattice rows
//!             row                   the lower row is the last upper one; the upper one is hashed
//!                                   by corners
//!             row_writers           for each row: a polynomial of degree 1 in the offset and in
//!                                   its fade, a term of the octave, added to accumulators
//!         the last octave, or a copy of the accumulators, writes to the grid
//! ```
//!
//! Columns left over at the right edge of a grid form a vector with idle lanes. If they are only
//! one or two, as on a grid of 2^n + 1 points, they are filled column by column, with lanes along
//! z.
//!
//! Scattered points share no rows or columns, so each lane has its own two lattice rows
//! ([`fill_points`]). So do the points of grids in rotated octaves. A single point
//! has an octave in each lane ([`octave_lanes`]).

pub(super) mod axis_table;
pub(super) mod octave_lanes;
mod octave_passes;
pub(super) mod row;
pub(super) mod row_writers;

use alloc::vec::Vec;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::lattice::octave_passes::{Part, add_to_points, add_to_strip, finish_strip};
use crate::kernel::lattice::row_writers::{Accumulators, components};
use crate::kernel::octave::LatticeOctave;
use crate::kernel::tables::{KernelTables, OctaveTable};
use crate::kernel::{Coordinates, KernelPositions, MAX_DIMENSIONS, OutputSlices};
use crate::simd::dispatch;

/// Writes the sum of `octaves` in the plane to `out`.
pub(super) fn fill(
    octaves: &[LatticeOctave],
    positions: KernelPositions,
    tables: &mut KernelTables,
    out: OutputSlices,
) {
    let level = tables.level;
    let OutputSlices { value, slopes, second } = out;
    match (slopes, second) {
        (Some([dx, dz, ..]), Some([xx, xz, zz])) => {
            let out = [value, dx, dz, xx, xz, zz];
            dispatch!(level, simd => fill_with::<_, 2>(simd, octaves, positions, tables, out));
        }
        (Some([dx, dz, ..]), None) => {
            let out = [value, dx, dz, &mut [], &mut [], &mut []];
            dispatch!(level, simd => fill_with::<_, 1>(simd, octaves, positions, tables, out));
        }
        (None, _) => {
            let out = [value, &mut [], &mut [], &mut [], &mut [], &mut []];
            dispatch!(level, simd => fill_with::<_, 0>(simd, octaves, positions, tables, out));
        }
    }
}

/// `ORDER` 0 writes values, 1 also gradients, 2 also second derivatives.
fn fill_with<S: Simd, const ORDER: u8>(
    simd: S,
    octaves: &[LatticeOctave],
    positions: KernelPositions,
    tables: &mut KernelTables,
    out: [&mut [f32]; 6],
) {
    simd.vectorize(
        #[inline(always)]
        || match positions {
            // The rows of rotated octaves are not those of the grid.
            KernelPositions::Grid(axes) if octaves.iter().all(|o| o.rotation.is_none()) => {
                tables.prepare(octaves.len());
                let KernelTables { octaves: octave_tables, accumulators, .. } = tables;
                for (i, (octave, table)) in octaves.iter().zip(&mut *octave_tables).enumerate() {
                    table.fill(simd, octave, i == 0, axes, ORDER == 2);
                    table.rows.find_offsets();
                }
                let octave_tables = &mut octave_tables[..octaves.len()];
                fill_bands::<S, ORDER>(simd, octaves, octave_tables, accumulators, out);
            }
            _ => {
                tables.prepare(1);
                fill_points::<S, ORDER>(simd, octaves, positions, tables, out);
            }
        },
    );
}

/// The bytes of accumulators in a band: half of an L1 cache of 48 KiB, or most of one of 32 KiB.
pub(in crate::kernel) const BAND: usize = 25 << 10;

/// Fills the grid that the tables describe. There is one table for each octave.
#[inline(always)]
fn fill_bands<S: Simd, const ORDER: u8>(
    simd: S,
    octaves: &[LatticeOctave],
    tables: &mut [OctaveTable],
    accumulators: &mut [Vec<f32>; 2],
    mut out: [&mut [f32]; 6],
) {
    let Some(OctaveTable { columns, rows, parameters, .. }) = tables.first() else { return };
    let (lanes, [width, height]) = (S::f32s::LEN, [columns.len, rows.len]);
    let band = if tables.len() > 1 || width <= lanes {
        let buffers = if parameters.term.is_some() { 2 } else { 1 };
        BAND / (buffers * components(ORDER) * size_of::<S::f32s>())
    } else {
        // A single octave is limited by its stores. The band must be so low that its cache lines,
        // which neighbouring strips share, are still cached when the next strip writes them. That
        // includes grids whose width is a power of two, where rows compete for few cache sets.
        32 / components(ORDER)
    };
    let mut sums = Accumulators::new(accumulators, band.min(height), components(ORDER) * lanes);
    // Bands of nearly equal height.
    let bands = height.div_ceil(band);
    let band = height.div_ceil(bands.max(1)).max(1);
    for start in (0..height).step_by(band) {
        let rows = start..height.min(start + band);
        for table in &mut *tables {
            table.rows.find_runs(rows.clone());
        }
        let mut part = Part { column: 0, rows };
        while part.column < width {
            let columns = lanes.min(width - part.column);
            // A point with two lattice rows of its own costs about as much as six points that share
            // them.
            if 6 * columns <= lanes {
                fill_column::<S, ORDER>(simd, octaves, tables, &part, &mut sums, &mut out);
                part.column += 1;
            } else {
                fill_strip::<S, ORDER>(simd, octaves, tables, &part, &mut sums, &mut out);
                part.column += columns;
            }
        }
    }
}

/// Fills a column, with the lanes of vectors along z.
#[inline(always)]
fn fill_column<S: Simd, const ORDER: u8>(
    simd: S,
    octaves: &[LatticeOctave],
    tables: &[OctaveTable],
    part: &Part,
    sums: &mut Accumulators,
    out: &mut [&mut [f32]; 6],
) {
    for (octave, table) in octaves.iter().zip(tables) {
        add_to_points::<S, ORDER>(simd, octave, table, part, true, sums);
    }
    copy_column::<S, ORDER>(sums, part, out, tables[0].columns.len);
}

/// Fills a vector of columns, or the remaining columns.
#[inline(always)]
fn fill_strip<S: Simd, const ORDER: u8>(
    simd: S,
    octaves: &[LatticeOctave],
    tables: &[OctaveTable],
    part: &Part,
    sums: &mut Accumulators,
    out: &mut [&mut [f32]; 6],
) {
    let Some((last, _)) = tables.split_last() else { return };
    let width = last.columns.len;
    let is_whole = part.column + S::f32s::LEN <= width;
    // `const`, so that no code is generated for the unused branch.
    let finishes = const { ORDER < 2 } && is_whole && last.parameters.term.is_none();
    let count = tables.len() - usize::from(finishes);
    for (octave, table) in octaves[..count].iter().zip(tables) {
        add_to_strip::<S, ORDER>(simd, octave, table, part, sums);
    }
    if const { ORDER < 2 } && finishes {
        finish_strip::<S, ORDER>(simd, &octaves[count], last, part, sums, out);
        if ORDER == 1 && last.parameters.is_flat() {
            // The last octave adds no derivatives: they are still in the accumulators.
            copy_strip::<S>(sums, part, out, width, 1);
        }
        return;
    }
    copy_strip::<S>(sums, part, out, width, 0);
}

/// Copies the accumulators of a strip to the grid, without the first `skipped` components.
#[inline(always)]
fn copy_strip<S: Simd>(
    sums: &Accumulators,
    Part { column, rows }: &Part,
    out: &mut [&mut [f32]; 6],
    width: usize,
    skipped: usize,
) {
    let lanes = S::f32s::LEN;
    let columns = lanes.min(width - column);
    let starts = rows.clone().map(|row| row * width + column);
    for (start, sums) in starts.zip(sums.sums.chunks_exact(sums.stride)) {
        for (vector, out) in sums.chunks_exact(lanes).zip(&mut *out).skip(skipped) {
            copy::<S>(vector, &mut out[start..start + columns]);
        }
    }
}

/// Copies a vector, or its first lanes.
#[inline(always)]
pub(in crate::kernel) fn copy<S: Simd>(vector: &[f32], out: &mut [f32]) {
    // With a length known at compile time, there is no call to memcpy.
    if out.len() == S::f32s::LEN {
        out.copy_from_slice(&vector[..S::f32s::LEN]);
    } else {
        out.copy_from_slice(&vector[..out.len()]);
    }
}

/// Copies accumulators to a column of a grid.
#[inline(always)]
fn copy_column<S: Simd, const ORDER: u8>(
    sums: &Accumulators,
    Part { column, rows }: &Part,
    out: &mut [&mut [f32]; 6],
    width: usize,
) {
    let lanes = S::f32s::LEN;
    for (i, out) in out[..components(ORDER)].iter_mut().enumerate() {
        let sums = sums.sums.chunks_exact(sums.stride).flat_map(|row| &row[i * lanes..][..lanes]);
        let out = out[rows.start * width + column..].iter_mut().step_by(width);
        for (sum, out) in sums.zip(out).take(rows.len()) {
            *out = *sum;
        }
    }
}

/// Points are filled in blocks of this many, so that their sums stay in the L1 cache.
pub(in crate::kernel) const BLOCK: usize = 256;

/// Fills positions in the plane.
#[inline(always)]
fn fill_points<S: Simd, const ORDER: u8>(
    simd: S,
    octaves: &[LatticeOctave],
    positions: KernelPositions,
    tables: &mut KernelTables,
    mut out: [&mut [f32]; 6],
) {
    let KernelTables { octaves: tables, accumulators, block: [block, rotated], .. } = tables;
    let Some(table) = tables.first_mut() else { return };
    let (lanes, len) = (S::f32s::LEN, positions.len());
    let mut sums = Accumulators::new(accumulators, BLOCK / lanes, components(ORDER) * lanes);
    for start in (0..len).step_by(BLOCK) {
        let count = BLOCK.min(len - start);
        positions.block(simd, start..start + count, &mut block[..2]);
        let part = Part { column: 0, rows: 0..count };
        for (i, octave) in octaves.iter().enumerate() {
            let coordinates = rotated_block::<S, 2>(simd, octave, block, rotated);
            table.fill(simd, octave, i == 0, &coordinates[..2], ORDER == 2);
            add_to_points::<S, ORDER>(simd, octave, table, &part, false, &mut sums);
        }
        let starts = (start..start + count).step_by(lanes);
        for (at, sums) in starts.zip(sums.sums.chunks_exact(sums.stride)) {
            let end = (at + lanes).min(start + count);
            for (vector, out) in sums.chunks_exact(lanes).zip(&mut out) {
                copy::<S>(vector, &mut out[at..end]);
            }
        }
    }
}

/// The coordinates of a block as an octave in N dimensions samples them.
#[inline(always)]
pub(in crate::kernel) fn rotated_block<'a, S: Simd, const N: usize>(
    simd: S,
    octave: &LatticeOctave,
    block: &'a [Coordinates; MAX_DIMENSIONS],
    rotated: &'a mut [Coordinates; MAX_DIMENSIONS],
) -> &'a [Coordinates; MAX_DIMENSIONS] {
    let Some(rotation) = &octave.rotation else { return block };
    simd.vectorize(
        #[inline(always)]
        || rotation.apply::<S, N>(simd, block, rotated),
    );
    rotated
}
