//! The grid, band of rows by band, and each strip by strip: as many columns as a vector has lanes.
//!
//! Columns that do not fill a vector are few or many. Many are a vector with idle lanes; one or
//! two, as on the usual grids of 2^n + 1 points, run with their lanes along z.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::Octave;
use crate::kernel::lines::{Table, Tables};
use crate::kernel::passes::{LastStrip, Place, Points, Strip, add};
use crate::kernel::sums::{Sums, parts};

/// How many bytes of sums, and of the weights of terms, are worked on at a time: half of a nearest
/// cache of 48 KiB, most of one of 32.
const BAND: usize = 25 << 10;

/// Fills the grid that the tables describe.
#[inline(always)]
pub(super) fn fill<'a, S: Simd, const ORDER: u8>(
    simd: S,
    octave: &dyn Fn(usize) -> Octave<'a>,
    tables: &mut [Table],
    sums: &mut [Vec<f32>; 2],
    mut target: [&mut [f32]; 6],
) {
    let Some(Table { columns, rows, term }) = tables.first() else { return };
    let (lanes, [width, height]) = (S::f32s::LEN, [columns.len, rows.len]);
    let band = if tables.len() > 1 || width <= lanes {
        let buffers = if term.shape.is_some() { 2 } else { 1 };
        BAND / (buffers * parts(ORDER) * size_of::<S::f32s>())
    } else {
        // One octave alone writes more than it works: so few rows that the next strips find the
        // cache lines that they share with this one, even if the grid is as wide as a power of two,
        // whose rows share few places in the cache.
        32 / parts(ORDER)
    };
    let mut sums = Sums::new::<S, ORDER>(sums, band.min(height));
    // As even as can be.
    let bands = height.div_ceil(band);
    let band = height.div_ceil(bands.max(1)).max(1);
    for start in (0..height).step_by(band) {
        let rows = start..height.min(start + band);
        for table in &mut *tables {
            table.rows.find_runs(rows.clone());
        }
        let mut place = Place { column: 0, rows };
        while place.column < width {
            let columns = lanes.min(width - place.column);
            // A point with corners of its own costs about as much as six that share theirs.
            if 6 * columns <= lanes {
                fill_column::<S, ORDER>(simd, octave, tables, &place, &mut sums, &mut target);
                place.column += 1;
            } else {
                fill_strip::<S, ORDER>(simd, octave, tables, &place, &mut sums, &mut target);
                place.column += columns;
            }
        }
    }
}

/// Fills a column with its lanes along z.
#[inline(always)]
fn fill_column<'a, S: Simd, const ORDER: u8>(
    simd: S,
    octave: &dyn Fn(usize) -> Octave<'a>,
    tables: &[Table],
    place: &Place,
    sums: &mut Sums,
    target: &mut [&mut [f32]; 6],
) {
    for (i, table) in tables.iter().enumerate() {
        let points = Points { is_column: true };
        add::<S, _, ORDER>(simd, points, &|| octave(i), table, place, sums);
    }
    copy_column::<S, ORDER>(sums, place, target, tables[0].columns.len);
}

/// Fills a vector of columns, or as many as there are.
#[inline(always)]
fn fill_strip<'a, S: Simd, const ORDER: u8>(
    simd: S,
    octave: &dyn Fn(usize) -> Octave<'a>,
    tables: &[Table],
    place: &Place,
    sums: &mut Sums,
    target: &mut [&mut [f32]; 6],
) {
    let Some((last, others)) = tables.split_last() else { return };
    for (i, table) in others.iter().enumerate() {
        add::<S, _, ORDER>(simd, Strip, &|| octave(i), table, place, sums);
    }
    let (octave, width) = (|| octave(others.len()), last.columns.len);
    let is_whole = place.column + S::f32s::LEN <= width;
    if !is_whole || ORDER == 2 || last.term.shape.is_some() {
        add::<S, _, ORDER>(simd, Strip, &octave, last, place, sums);
        copy_strip::<S>(sums, place, target, width, 0);
        return;
    }
    add::<S, _, ORDER>(simd, LastStrip { target }, &octave, last, place, sums);
    if ORDER == 1 && last.term.is_flat() {
        // It has left the derivatives where they were.
        copy_strip::<S>(sums, place, target, width, 1);
    }
}

/// Copies sums to the columns of a grid from the given one on, a vector of them, as far as there
/// are any; without the first parts of the sums.
#[inline(always)]
fn copy_strip<S: Simd>(
    sums: &Sums,
    Place { column, rows }: &Place,
    target: &mut [&mut [f32]; 6],
    width: usize,
    without: usize,
) {
    let lanes = S::f32s::LEN;
    let columns = lanes.min(width - column);
    let starts = rows.clone().map(|row| row * width + column);
    for (start, sums) in starts.zip(sums.numbers.chunks_exact(sums.stride)) {
        for (part, target) in sums.chunks_exact(lanes).zip(&mut *target).skip(without) {
            copy::<S>(part, &mut target[start..start + columns]);
        }
    }
}

/// Copies a vector, or the first ones of its lanes.
#[inline(always)]
fn copy<S: Simd>(vector: &[f32], target: &mut [f32]) {
    // What the compiler knows the length of needs no call.
    if target.len() == S::f32s::LEN {
        target.copy_from_slice(&vector[..S::f32s::LEN]);
    } else {
        target.copy_from_slice(&vector[..target.len()]);
    }
}

/// Copies sums to a column of a grid.
#[inline(always)]
fn copy_column<S: Simd, const ORDER: u8>(
    sums: &Sums,
    Place { column, rows }: &Place,
    target: &mut [&mut [f32]; 6],
    width: usize,
) {
    let lanes = S::f32s::LEN;
    for (i, target) in target[..parts(ORDER)].iter_mut().enumerate() {
        let sums =
            sums.numbers.chunks_exact(sums.stride).flat_map(|row| &row[i * lanes..][..lanes]);
        let target = target[rows.start * width + column..].iter_mut().step_by(width);
        for (sum, target) in sums.zip(target).take(rows.len()) {
            *target = *sum;
        }
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
    mut target: [&mut [f32]; 6],
) {
    let Tables { octaves, sums, .. } = tables;
    let Some(table) = octaves.first_mut() else { return };
    let lanes = S::f32s::LEN;
    let mut sums = Sums::new::<S, ORDER>(sums, BLOCK / lanes);
    for (block, points) in points.chunks(2 * BLOCK).enumerate() {
        let place = Place { column: 0, rows: 0..points.len() / 2 };
        for i in 0..count {
            let octave = || octave(i);
            table.scatter(simd, &octave(), i == 0, points, ORDER == 2);
            let scattered = Points { is_column: false };
            add::<S, _, ORDER>(simd, scattered, &octave, table, &place, &mut sums);
        }
        let starts = place.rows.step_by(lanes);
        for (start, sums) in starts.zip(sums.numbers.chunks_exact(sums.stride)) {
            let len = lanes.min(points.len() / 2 - start);
            let start = block * BLOCK + start;
            for (part, target) in sums.chunks_exact(lanes).zip(&mut target) {
                copy::<S>(part, &mut target[start..start + len]);
            }
        }
    }
}
