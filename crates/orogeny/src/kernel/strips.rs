//! The grid, strip by strip: as many columns as a vector has lanes.
//!
//! Columns that do not fill a vector are few or many. Many are a vector with idle lanes; one or two, as on the usual
//! grids of 2^n + 1 points, run with their lanes along z.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::lines::{Table, Tables};
use crate::kernel::passes::{Points, Strip, Sums, Term, add};
use crate::kernel::{MAX_LANES, Octave};

/// Fills the grid that the tables describe.
#[inline(always)]
pub(super) fn fill<'a, S: Simd, const ORDER: u8>(
    simd: S,
    octave: &dyn Fn(usize) -> Octave<'a>,
    tables: &[Table],
    sums: &mut [Vec<f32>; 9],
    target: [&mut [f32]; 6],
) {
    let Some(Table { columns, rows }) = tables.first() else { return };
    let lanes = S::f32s::LEN;
    let (width, height) = (columns.len, rows.len);
    let [value, dx, dz, xx, xz, zz] = target;
    let mut at = 0;
    while at < width {
        let columns = lanes.min(width - at);
        let only = Term { octave: octave(0), first: true };
        let is_plain = only.octave.shape.is_none() && only.octave.slope != 0.0;
        if columns == lanes && tables.len() == 1 && is_plain && ORDER < 2 {
            // It is not summed.
            let weights = [&mut [][..], &mut [], &mut []];
            let unused = Sums::new::<0>(sums, height * lanes, lanes);
            let (dx, dz) = if ORDER >= 1 { (&mut *dx, &mut *dz) } else { (unused.dx, unused.dz) };
            let bends = [&mut [][..], &mut [], &mut []];
            let mut rows = Sums { value: &mut *value, dx, dz, bends, stride: width, at, weights };
            add::<S, _, ORDER>(simd, &Strip, &only, &tables[0], at, &mut rows);
            at += columns;
            continue;
        }
        let mut sums = Sums::new::<ORDER>(sums, height * lanes + MAX_LANES, lanes);
        // A point with corners of its own costs about as much as six that share theirs.
        let is_tail = 6 * columns <= lanes;
        for (i, table) in tables.iter().enumerate() {
            let term = Term { octave: octave(i), first: i == 0 };
            if is_tail {
                add::<S, _, ORDER>(simd, &Points { is_column: true }, &term, table, at, &mut sums);
            } else {
                add::<S, _, ORDER>(simd, &Strip, &term, table, at, &mut sums);
            }
        }
        let columns = if is_tail { 1 } else { columns };
        copy::<S>(sums.value, is_tail, columns, height, &mut value[at..], width);
        if ORDER >= 1 {
            copy::<S>(sums.dx, is_tail, columns, height, &mut dx[at..], width);
            copy::<S>(sums.dz, is_tail, columns, height, &mut dz[at..], width);
        }
        if ORDER == 2 {
            let [sum_xx, sum_xz, sum_zz] = sums.bends;
            copy::<S>(sum_xx, is_tail, columns, height, &mut xx[at..], width);
            copy::<S>(sum_xz, is_tail, columns, height, &mut xz[at..], width);
            copy::<S>(sum_zz, is_tail, columns, height, &mut zz[at..], width);
        }
        at += columns;
    }
}

/// How many scattered points are worked on at a time: their sums stay in the nearest cache.
const BLOCK: usize = 256;

/// Fills scattered points, given as x and z in turns.
#[inline(always)]
pub(super) fn fill_points<'a, S: Simd, const ORDER: u8>(
    simd: S,
    count: usize,
    octave: &dyn Fn(usize) -> Octave<'a>,
    points: &[f64],
    tables: &mut Tables,
    target: [&mut [f32]; 6],
) {
    let Tables { octaves, sums, .. } = tables;
    let Some(table) = octaves.first_mut() else { return };
    let mut sums = Sums::new::<ORDER>(sums, BLOCK + MAX_LANES, S::f32s::LEN);
    let [value, dx, dz, xx, xz, zz] = target;
    let mut at = 0;
    for block in points.chunks(2 * BLOCK) {
        let len = block.len() / 2;
        for i in 0..count {
            let term = Term { octave: octave(i), first: i == 0 };
            table.scatter(simd, &term.octave, block, ORDER == 2);
            add::<S, _, ORDER>(simd, &Points { is_column: false }, &term, table, 0, &mut sums);
        }
        value[at..at + len].copy_from_slice(&sums.value[..len]);
        if ORDER >= 1 {
            dx[at..at + len].copy_from_slice(&sums.dx[..len]);
            dz[at..at + len].copy_from_slice(&sums.dz[..len]);
        }
        if ORDER == 2 {
            xx[at..at + len].copy_from_slice(&sums.bends[0][..len]);
            xz[at..at + len].copy_from_slice(&sums.bends[1][..len]);
            zz[at..at + len].copy_from_slice(&sums.bends[2][..len]);
        }
        at += len;
    }
}

/// Copies a strip, or a column without gaps, to every row of a grid.
#[inline(always)]
fn copy<S: Simd>(
    from: &[f32],
    is_column: bool,
    columns: usize,
    rows: usize,
    to: &mut [f32],
    width: usize,
) {
    if is_column {
        scatter(&from[..rows], to, width);
    } else {
        copy_rows::<S>(from, columns, rows, to, width);
    }
}

/// Copies the first numbers of each row of a strip to every row of a grid.
#[inline(always)]
fn copy_rows<S: Simd>(from: &[f32], columns: usize, rows: usize, to: &mut [f32], width: usize) {
    let lanes = S::f32s::LEN;
    for (from, to) in from.chunks_exact(lanes).take(rows).zip(to.chunks_mut(width)) {
        if columns == lanes {
            to[..lanes].copy_from_slice(from);
        } else {
            to[..columns].copy_from_slice(&from[..columns]);
        }
    }
}

/// Copies a column to every row of a grid.
#[inline(always)]
fn scatter(from: &[f32], to: &mut [f32], width: usize) {
    for (from, to) in from.iter().zip(to.iter_mut().step_by(width)) {
        *to = *from;
    }
}
