//! The grid, strip by strip: as many columns as a vector has lanes.
//!
//! Columns that do not fill a vector are few or many. Many are a vector with idle lanes; one or two, as on the usual
//! grids of 2^n + 1 points, run with their lanes along z.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::corners::{Corners, Directions, LaneCorners, Listed, Values};
use crate::kernel::lines::{Lines, Table};
use crate::kernel::row::{AxisLanes, Between, Height, LatticeRow, Ramps, RowParts};
use crate::kernel::{MAX_LANES, Octave, Target};

/// The sums of a strip or a column: values, and derivatives along x and z. A vector for each row of a strip, or for as many rows of a column
/// as it has lanes.
struct Sums<'a> {
    value: &'a mut [f32],
    dx: &'a mut [f32],
    dz: &'a mut [f32],
}

/// Fills the grid that the tables describe.
#[inline(always)]
pub(super) fn fill<'a, S: Simd>(
    simd: S,
    octave: &dyn Fn(usize) -> Octave<'a>,
    tables: &[Table],
    sums: &mut [Vec<f32>; 3],
    target: Target,
) {
    let Some(Table { columns, rows }) = tables.first() else { return };
    let lanes = S::f32s::LEN;
    let (width, height) = (columns.len, rows.len);
    let [value, dx, dz] = sums;
    let room = height * lanes + MAX_LANES;
    value.resize(room, 0.0);
    dx.resize(room, 0.0);
    dz.resize(room, 0.0);
    let mut sums = Sums { value, dx, dz };

    let mut at = 0;
    while at < width {
        let columns = lanes.min(width - at);
        // A point with corners of its own costs about as much as six that share theirs.
        if 6 * columns <= lanes {
            sums.clear(height.next_multiple_of(lanes));
            for (i, table) in tables.iter().enumerate() {
                add::<S, true>(simd, &octave(i), table, at, &mut sums);
            }
            scatter(&sums.value[..height], &mut target.value[at..], width);
            scatter(&sums.dx[..height], &mut target.dx[at..], width);
            scatter(&sums.dz[..height], &mut target.dz[at..], width);
            at += 1;
        } else {
            sums.clear(height * lanes);
            for (i, table) in tables.iter().enumerate() {
                add::<S, false>(simd, &octave(i), table, at, &mut sums);
            }
            copy_rows::<S>(sums.value, columns, height, &mut target.value[at..], width);
            copy_rows::<S>(sums.dx, columns, height, &mut target.dx[at..], width);
            copy_rows::<S>(sums.dz, columns, height, &mut target.dz[at..], width);
            at += columns;
        }
    }
}

impl Sums<'_> {
    /// To anything added to -0, nothing happens.
    #[inline(always)]
    fn clear(&mut self, len: usize) {
        self.value[..len].fill(-0.0);
        self.dx[..len].fill(-0.0);
        self.dz[..len].fill(-0.0);
    }
}

/// Adds an octave to a column or to a strip, with the kernel made for its lattice.
#[inline(always)]
fn add<S: Simd, const COLUMN: bool>(
    simd: S,
    octave: &Octave,
    table: &Table,
    at: usize,
    sums: &mut Sums,
) {
    match (octave.corners, octave.heights) {
        (Corners::Directions(pairs), false) => {
            let corners = Directions::new(pairs, octave.amplitude);
            add_with::<S, _, COLUMN, false>(simd, &corners, octave.slope, table, at, sums);
        }
        (Corners::Directions(pairs), true) => {
            let corners = Directions::new(pairs, octave.amplitude);
            add_with::<S, _, COLUMN, true>(simd, &corners, octave.slope, table, at, sums);
        }
        (Corners::Values, _) => {
            let corners = Values { amplitude: octave.amplitude };
            add_with::<S, _, COLUMN, true>(simd, &corners, octave.slope, table, at, sums);
        }
        (Corners::Listed, false) => {
            let corners = Listed::new(octave);
            add_with::<S, _, COLUMN, false>(simd, &corners, octave.slope, table, at, sums);
        }
        (Corners::Listed, true) => {
            let corners = Listed::new(octave);
            add_with::<S, _, COLUMN, true>(simd, &corners, octave.slope, table, at, sums);
        }
    }
}

#[inline(always)]
fn add_with<S: Simd, C: LaneCorners, const COLUMN: bool, const HEIGHTS: bool>(
    simd: S,
    corners: &C,
    slope: f32,
    table: &Table,
    at: usize,
    sums: &mut Sums,
) {
    if COLUMN {
        add_column::<S, C, HEIGHTS>(simd, corners, slope, table, at, sums);
    } else {
        add_strip::<S, C, HEIGHTS>(simd, corners, slope, table, at, sums);
    }
}

/// The columns from `at` on, a vector of them, row by row.
#[inline(always)]
fn add_strip<S: Simd, C: LaneCorners, const HEIGHTS: bool>(
    simd: S,
    corners: &C,
    slope: f32,
    Table { columns, rows }: &Table,
    at: usize,
    sums: &mut Sums,
) {
    let ramps = Ramps::new(AxisLanes::neighbours(simd, columns, at));
    let slopes = S::f32s::splat(simd, slope);
    // The last lattice row: the upper one of the last cell.
    let mut last: Option<(u32, LatticeRow<S>)> = None;
    let mut start = 0;
    for run in &rows.runs {
        let [below, above] = run.lines;
        let lower = match last {
            Some((line, row)) if line == below => row,
            _ => row::<S, C, HEIGHTS>(simd, corners, &ramps, below),
        };
        let upper = row::<S, C, HEIGHTS>(simd, corners, &ramps, above);
        last = Some((above, upper));
        let between = Between::new(&lower, &upper);
        let range = start..run.end;
        if slope == 1.0 {
            add_rows::<S, true>(simd, &between, rows, range, slopes, sums);
        } else {
            add_rows::<S, false>(simd, &between, rows, range, slopes, sums);
        }
        start = run.end;
    }
}

/// The sample rows between two lattice rows.
#[inline(always)]
fn add_rows<S: Simd, const WHOLE_SLOPE: bool>(
    simd: S,
    between: &Between<S>,
    rows: &Lines,
    range: Range<usize>,
    slopes: S::f32s,
    sums: &mut Sums,
) {
    let lanes = S::f32s::LEN;
    let dt = S::f32s::splat(simd, rows.dt);
    let wide = range.start * lanes..range.end * lanes;
    let value = sums.value[wide.clone()].chunks_exact_mut(lanes);
    let dx = sums.dx[wide.clone()].chunks_exact_mut(lanes);
    let dz = sums.dz[wide].chunks_exact_mut(lanes);
    let heights = rows.t[range.clone()]
        .iter()
        .zip(&rows.w1[range.clone()])
        .zip(&rows.w1t[range.clone()])
        .zip(&rows.dw[range.clone()])
        .zip(&rows.dw1t[range]);
    let gradient = WHOLE_SLOPE || slopes[0] != 0.0;
    for (((((((s, v), vs), dv), dvs), value), dx), dz) in heights.zip(value).zip(dx).zip(dz) {
        let height = Height::of_row(simd, &RowParts { s, v, vs, dv, dvs }, dt);
        accumulate(simd, value, between.value(&height));
        if WHOLE_SLOPE {
            accumulate(simd, dx, between.dx(&height));
            accumulate(simd, dz, between.dz(&height));
        } else if gradient {
            accumulate(simd, dx, between.dx(&height) * slopes);
            accumulate(simd, dz, between.dz(&height) * slopes);
        }
    }
}

#[inline(always)]
fn row<S: Simd, C: LaneCorners, const HEIGHTS: bool>(
    simd: S,
    corners: &C,
    ramps: &Ramps<S>,
    line: u32,
) -> LatticeRow<S> {
    LatticeRow::new::<C, HEIGHTS>(simd, corners, ramps, S::u32s::splat(simd, line))
}

/// A column, a vector of rows at a time.
#[inline(always)]
fn add_column<S: Simd, C: LaneCorners, const HEIGHTS: bool>(
    simd: S,
    corners: &C,
    slope: f32,
    Table { columns, rows }: &Table,
    at: usize,
    sums: &mut Sums,
) {
    let lanes = S::f32s::LEN;
    let ramps = Ramps::new(AxisLanes::one(simd, columns, at));
    let slopes = S::f32s::splat(simd, slope);
    for start in (0..rows.len).step_by(lanes) {
        let z = AxisLanes::neighbours(simd, rows, start);
        let lower = LatticeRow::new::<C, HEIGHTS>(simd, corners, &ramps, z.below);
        let upper = LatticeRow::new::<C, HEIGHTS>(simd, corners, &ramps, z.above);
        let between = Between::new(&lower, &upper);
        let height = z.height();
        accumulate(simd, &mut sums.value[start..start + lanes], between.value(&height));
        if slope != 0.0 {
            accumulate(simd, &mut sums.dx[start..start + lanes], between.dx(&height) * slopes);
            accumulate(simd, &mut sums.dz[start..start + lanes], between.dz(&height) * slopes);
        }
    }
}

/// Adds a vector to as many numbers.
#[inline(always)]
fn accumulate<S: Simd>(simd: S, sum: &mut [f32], term: S::f32s) {
    (S::f32s::from_slice(simd, sum) + term).store_slice(sum);
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
