//! Cuts a grid into bands of rows, and each band into strips one vector wide.
//!
//! Columns left over at the right edge form a vector with idle lanes. If they are only one or two,
//! as on a grid of 2^n + 1 points, they are filled column by column, with lanes along z.

use alloc::vec::Vec;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::lattice::accumulators::{Accumulators, components};
use crate::kernel::lattice::octave_passes::{Part, add_to_points, add_to_strip, finish_strip};
use crate::kernel::lattice::octaves::LatticeOctave;
use crate::kernel::tables::OctaveTable;

/// The bytes of accumulators in a band: half of an L1 cache of 48 KiB, or most of one of 32 KiB.
pub(in crate::kernel) const BAND: usize = 25 << 10;

/// Fills the grid that the tables describe. There is one table for each octave.
#[inline(always)]
pub(in crate::kernel) fn fill<S: Simd, const ORDER: u8>(
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
