//! The grid, strip by strip: as many columns as a vector has lanes.
//!
//! Columns that do not fill a vector are few or many. Many are a vector with idle lanes; one or two, as on the usual
//! grids of 2^n + 1 points, run with their lanes along z.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;
use fearless_simd_macros::simd;

use crate::kernel::corners::{Corners, Directions, LaneCorners, Listed, Values};
use crate::kernel::lines::{Lines, Table, Tables};
use crate::kernel::row::{AxisLanes, Between, Height, LatticeRow, Ramps};
use crate::kernel::{MAX_LANES, Octave};

/// The numbers of a strip, in rows of a vector each that begin every `stride` numbers; or those of a column or of scattered points, without gaps.
struct Sums<'a> {
    value: &'a mut [f32],
    /// Empty where slopes are not asked for.
    dx: &'a mut [f32],
    dz: &'a mut [f32],
    stride: usize,
}

/// What is filled with which octave.
struct Term<'a> {
    octave: Octave<'a>,
    /// Whether it is the first one, which finds nothing to be added to.
    first: bool,
}

/// Fills the grid that the tables describe.
#[inline(always)]
pub(super) fn fill<'a, S: Simd, const SLOPES: bool>(
    simd: S,
    octave: &dyn Fn(usize) -> Octave<'a>,
    tables: &[Table],
    sums: &mut [Vec<f32>; 3],
    target: [&mut [f32]; 3],
) {
    let Some(Table { columns, rows }) = tables.first() else { return };
    let lanes = S::f32s::LEN;
    let (width, height) = (columns.len, rows.len);
    let [value, dx, dz] = target;
    let mut at = 0;
    while at < width {
        let columns = lanes.min(width - at);
        if columns == lanes && tables.len() == 1 {
            // A single octave is not summed.
            let slopes = if SLOPES { at } else { 0 };
            let (dx, dz) = (&mut dx[slopes..], &mut dz[slopes..]);
            let mut rows = Sums { value: &mut value[at..], dx, dz, stride: width };
            let term = Term { octave: octave(0), first: true };
            add::<S, _, SLOPES>(simd, &Strip, &term, &tables[0], at, &mut rows);
            at += columns;
            continue;
        }
        let mut sums = Sums::new::<SLOPES>(sums, height * lanes + MAX_LANES, lanes);
        // A point with corners of its own costs about as much as six that share theirs.
        let is_tail = 6 * columns <= lanes;
        for (i, table) in tables.iter().enumerate() {
            let term = Term { octave: octave(i), first: i == 0 };
            if is_tail {
                add::<S, _, SLOPES>(simd, &Points { is_column: true }, &term, table, at, &mut sums);
            } else {
                add::<S, _, SLOPES>(simd, &Strip, &term, table, at, &mut sums);
            }
        }
        let columns = if is_tail { 1 } else { columns };
        copy::<S>(sums.value, is_tail, columns, height, &mut value[at..], width);
        if SLOPES {
            copy::<S>(sums.dx, is_tail, columns, height, &mut dx[at..], width);
            copy::<S>(sums.dz, is_tail, columns, height, &mut dz[at..], width);
        }
        at += columns;
    }
}

/// How many scattered points are worked on at a time: their sums stay in the nearest cache.
const BLOCK: usize = 256;

/// Fills scattered points, given as x and z in turns.
#[inline(always)]
pub(super) fn fill_points<'a, S: Simd, const SLOPES: bool>(
    simd: S,
    count: usize,
    octave: &dyn Fn(usize) -> Octave<'a>,
    points: &[f64],
    tables: &mut Tables,
    target: [&mut [f32]; 3],
) {
    let Tables { octaves, sums, .. } = tables;
    let Some(table) = octaves.first_mut() else { return };
    let mut sums = Sums::new::<SLOPES>(sums, BLOCK + MAX_LANES, S::f32s::LEN);
    let [value, dx, dz] = target;
    let mut at = 0;
    for block in points.chunks(2 * BLOCK) {
        let len = block.len() / 2;
        for i in 0..count {
            let term = Term { octave: octave(i), first: i == 0 };
            table.scatter(simd, &term.octave, block);
            add::<S, _, SLOPES>(simd, &Points { is_column: false }, &term, table, 0, &mut sums);
        }
        value[at..at + len].copy_from_slice(&sums.value[..len]);
        if SLOPES {
            dx[at..at + len].copy_from_slice(&sums.dx[..len]);
            dz[at..at + len].copy_from_slice(&sums.dz[..len]);
        }
        at += len;
    }
}

impl<'a> Sums<'a> {
    /// Room for `len` sums.
    #[inline(always)]
    fn new<const SLOPES: bool>(
        [value, dx, dz]: &'a mut [Vec<f32>; 3],
        len: usize,
        stride: usize,
    ) -> Self {
        let slopes = if SLOPES { len } else { 0 };
        value.resize(value.len().max(len), 0.0);
        dx.resize(dx.len().max(slopes), 0.0);
        dz.resize(dz.len().max(slopes), 0.0);
        Self { value, dx, dz, stride }
    }
}

/// What is filled at a time.
trait Pass {
    /// Adds an octave, to the values alone unless `SLOPES`.
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool, const SLOPES: bool>(
        &self,
        simd: S,
        corners: &C,
        term: &Term,
        table: &Table,
        at: usize,
        sums: &mut Sums,
    );
}

/// Adds an octave, with the code made for its lattice.
#[inline(always)]
fn add<S: Simd, P: Pass, const SLOPES: bool>(
    simd: S,
    pass: &P,
    term: &Term,
    table: &Table,
    at: usize,
    sums: &mut Sums,
) {
    if !SLOPES || term.octave.slope == 0.0 {
        if SLOPES && term.first {
            // To anything added to -0, nothing happens.
            sums.dx.fill(-0.0);
            sums.dz.fill(-0.0);
        }
        add_with::<S, P, false>(simd, pass, term, table, at, sums);
    } else {
        add_with::<S, P, true>(simd, pass, term, table, at, sums);
    }
}

/// A function of its own, so that it is compiled once for whoever calls it.
#[simd]
fn add_with<S: Simd, P: Pass, const SLOPES: bool>(
    simd: S,
    pass: &P,
    term: &Term,
    table: &Table,
    at: usize,
    sums: &mut Sums,
) {
    let octave = &term.octave;
    match (octave.corners, octave.heights) {
        (Corners::Directions(pairs), false) => {
            let corners = Directions::new(pairs, octave.amplitude);
            pass.add::<S, _, false, SLOPES>(simd, &corners, term, table, at, sums);
        }
        (Corners::Directions(pairs), true) => {
            let corners = Directions::new(pairs, octave.amplitude);
            pass.add::<S, _, true, SLOPES>(simd, &corners, term, table, at, sums);
        }
        (Corners::Values, true) => {
            let corners = Values { amplitude: octave.amplitude };
            pass.add::<S, _, true, SLOPES>(simd, &corners, term, table, at, sums);
        }
        (Corners::Values | Corners::Listed, false) => {
            pass.add::<S, _, false, SLOPES>(simd, &Listed::new(octave), term, table, at, sums);
        }
        (Corners::Listed, true) => {
            pass.add::<S, _, true, SLOPES>(simd, &Listed::new(octave), term, table, at, sums);
        }
    }
}

/// The columns from `at` on, a vector of them, row by row.
struct Strip;

impl Pass for Strip {
    #[inline(always)]
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool, const SLOPES: bool>(
        &self,
        simd: S,
        corners: &C,
        term: &Term,
        Table { columns, rows }: &Table,
        at: usize,
        sums: &mut Sums,
    ) {
        let ramps = Ramps::new(AxisLanes::neighbours(simd, columns, at));
        let slope = term.octave.slope;
        // The last lattice row: the upper one of the last cell.
        let mut last: Option<(u32, LatticeRow<S>)> = None;
        let mut start = 0;
        for run in &rows.runs {
            let [below, above] = run.lines;
            let lower = match last {
                Some((line, row)) if line == below => row,
                _ => row::<S, C, HEIGHTS, SLOPES>(simd, corners, &ramps, below),
            };
            let upper = row::<S, C, HEIGHTS, SLOPES>(simd, corners, &ramps, above);
            last = Some((above, upper));
            let between = Between::new(&lower, &upper);
            let range = start..run.end;
            // A factor of 1 changes no bits.
            match (term.first, slope == 1.0) {
                (true, true) => {
                    add_rows::<S, SLOPES, true, true>(simd, &between, rows, range, slope, sums);
                }
                (true, false) => {
                    add_rows::<S, SLOPES, true, false>(simd, &between, rows, range, slope, sums);
                }
                (false, true) => {
                    add_rows::<S, SLOPES, false, true>(simd, &between, rows, range, slope, sums);
                }
                (false, false) => {
                    add_rows::<S, SLOPES, false, false>(simd, &between, rows, range, slope, sums);
                }
            }
            start = run.end;
        }
    }
}

#[inline(always)]
fn row<S: Simd, C: LaneCorners, const HEIGHTS: bool, const SLOPES: bool>(
    simd: S,
    corners: &C,
    ramps: &Ramps<S>,
    line: u32,
) -> LatticeRow<S> {
    LatticeRow::new::<C, HEIGHTS, SLOPES>(simd, corners, ramps, S::u32s::splat(simd, line))
}

/// The rows of a strip between two lattice rows.
#[inline(always)]
fn add_rows<S: Simd, const SLOPES: bool, const FIRST: bool, const WHOLE: bool>(
    simd: S,
    between: &Between<S>,
    rows: &Lines,
    range: Range<usize>,
    slope: f32,
    sums: &mut Sums,
) {
    let stride = sums.stride;
    let dt = S::f32s::splat(simd, rows.dt);
    let slope = S::f32s::splat(simd, slope);
    // Not iterators: setting them up would cost more than the one row that the finest octaves have between lattice rows.
    for row in range {
        let height = Height::of_row(simd, &rows.heights[row], dt);
        let at = row * stride;
        put::<S, FIRST>(simd, &mut sums.value[at..], between.value(&height));
        if SLOPES {
            let (x, z) = (between.dx(&height), between.dz(&height));
            let (x, z) = if WHOLE { (x, z) } else { (x * slope, z * slope) };
            put::<S, FIRST>(simd, &mut sums.dx[at..], x);
            put::<S, FIRST>(simd, &mut sums.dz[at..], z);
        }
    }
}

/// Adds to the first sums, or replaces them.
#[inline(always)]
fn put<S: Simd, const FIRST: bool>(simd: S, sums: &mut [f32], term: S::f32s) {
    let sums = &mut sums[..S::f32s::LEN];
    let sum = if FIRST { term } else { S::f32s::from_slice(simd, sums) + term };
    sum.store_slice(sums);
}

/// Points with a row each, a vector of them at a time: scattered ones, or those of a column, from `at` on.
struct Points {
    /// Whether all share the column `at`.
    is_column: bool,
}

impl Pass for Points {
    #[inline(always)]
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool, const SLOPES: bool>(
        &self,
        simd: S,
        corners: &C,
        term: &Term,
        Table { columns, rows }: &Table,
        at: usize,
        sums: &mut Sums,
    ) {
        let slope = S::f32s::splat(simd, term.octave.slope);
        for start in (0..rows.len).step_by(S::f32s::LEN) {
            let x = if self.is_column {
                AxisLanes::one(simd, columns, at)
            } else {
                AxisLanes::neighbours(simd, columns, at + start)
            };
            let (x, z) = (Ramps::new(x), AxisLanes::neighbours(simd, rows, start));
            let lower = LatticeRow::new::<C, HEIGHTS, SLOPES>(simd, corners, &x, z.below);
            let upper = LatticeRow::new::<C, HEIGHTS, SLOPES>(simd, corners, &x, z.above);
            let (between, height) = (Between::new(&lower, &upper), z.height());
            let first = term.first;
            put_either(simd, first, &mut sums.value[start..], between.value(&height));
            if SLOPES {
                put_either(simd, first, &mut sums.dx[start..], between.dx(&height) * slope);
                put_either(simd, first, &mut sums.dz[start..], between.dz(&height) * slope);
            }
        }
    }
}

#[inline(always)]
fn put_either<S: Simd>(simd: S, first: bool, sums: &mut [f32], term: S::f32s) {
    if first {
        put::<S, true>(simd, sums, term);
    } else {
        put::<S, false>(simd, sums, term);
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
