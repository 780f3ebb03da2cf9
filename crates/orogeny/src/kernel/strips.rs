//! The grid, strip by strip: as many columns as a vector has lanes.
//!
//! Columns that do not fill a vector are few or many. Many are a vector with idle lanes; one or two, as on the usual
//! grids of 2^n + 1 points, run with their lanes along z.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::corners::{Corners, Directions, LaneCorners, Listed, Values};
use crate::kernel::lines::{Lines, Table, Tables};
use crate::kernel::row::{AxisLanes, Between, Height, LatticeRow, Ramps};
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
                add::<S, Column>(simd, &octave(i), table, at, &mut sums);
            }
            scatter(&sums.value[..height], &mut target.value[at..], width);
            scatter(&sums.dx[..height], &mut target.dx[at..], width);
            scatter(&sums.dz[..height], &mut target.dz[at..], width);
            at += 1;
        } else {
            sums.clear(height * lanes);
            for (i, table) in tables.iter().enumerate() {
                add::<S, Strip>(simd, &octave(i), table, at, &mut sums);
            }
            copy_rows::<S>(sums.value, columns, height, &mut target.value[at..], width);
            copy_rows::<S>(sums.dx, columns, height, &mut target.dx[at..], width);
            copy_rows::<S>(sums.dz, columns, height, &mut target.dz[at..], width);
            at += columns;
        }
    }
}

/// How many scattered points are worked on at a time: their sums stay in the nearest cache.
const BLOCK: usize = 256;

/// Fills scattered points, given as x and z in turns.
#[inline(always)]
pub(super) fn fill_points<'a, S: Simd>(
    simd: S,
    count: usize,
    octave: &dyn Fn(usize) -> Octave<'a>,
    points: &[f64],
    tables: &mut Tables,
    target: Target,
) {
    let Tables { octaves, sums: [value, dx, dz], .. } = tables;
    let Some(table) = octaves.first_mut() else { return };
    let room = BLOCK + MAX_LANES;
    value.resize(room.max(value.len()), 0.0);
    dx.resize(room.max(dx.len()), 0.0);
    dz.resize(room.max(dz.len()), 0.0);
    let mut sums = Sums { value, dx, dz };
    let mut at = 0;
    for block in points.chunks(2 * BLOCK) {
        let len = block.len() / 2;
        sums.clear(len + MAX_LANES);
        for i in 0..count {
            let octave = octave(i);
            table.scatter(&octave, block);
            add::<S, Points>(simd, &octave, table, 0, &mut sums);
        }
        target.value[at..at + len].copy_from_slice(&sums.value[..len]);
        target.dx[at..at + len].copy_from_slice(&sums.dx[..len]);
        target.dz[at..at + len].copy_from_slice(&sums.dz[..len]);
        at += len;
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

/// What is filled at a time.
trait Pass {
    /// Adds an octave.
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool>(
        simd: S,
        corners: &C,
        slope: f32,
        table: &Table,
        at: usize,
        sums: &mut Sums,
    );
}

/// Adds an octave, with the code made for its lattice.
#[inline(always)]
fn add<S: Simd, P: Pass>(simd: S, octave: &Octave, table: &Table, at: usize, sums: &mut Sums) {
    let slope = octave.slope;
    match (octave.corners, octave.heights) {
        (Corners::Directions(pairs), false) => {
            let corners = Directions::new(pairs, octave.amplitude);
            P::add::<S, _, false>(simd, &corners, slope, table, at, sums);
        }
        (Corners::Directions(pairs), true) => {
            let corners = Directions::new(pairs, octave.amplitude);
            P::add::<S, _, true>(simd, &corners, slope, table, at, sums);
        }
        (Corners::Values, true) => {
            let corners = Values { amplitude: octave.amplitude };
            P::add::<S, _, true>(simd, &corners, slope, table, at, sums);
        }
        (Corners::Values | Corners::Listed, false) => {
            P::add::<S, _, false>(simd, &Listed::new(octave), slope, table, at, sums);
        }
        (Corners::Listed, true) => {
            P::add::<S, _, true>(simd, &Listed::new(octave), slope, table, at, sums);
        }
    }
}

/// The columns from `at` on, a vector of them, row by row.
struct Strip;

impl Pass for Strip {
    #[inline(always)]
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool>(
        simd: S,
        corners: &C,
        slope: f32,
        Table { columns, rows }: &Table,
        at: usize,
        sums: &mut Sums,
    ) {
        let ramps = Ramps::new(AxisLanes::neighbours(simd, columns, at));
        let lanes = S::f32s::LEN;
        let dt = S::f32s::splat(simd, rows.dt);
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
            let wide = start * lanes..run.end * lanes;
            let value = sums.value[wide.clone()].chunks_exact_mut(lanes);
            let dx = sums.dx[wide.clone()].chunks_exact_mut(lanes);
            let dz = sums.dz[wide].chunks_exact_mut(lanes);
            let heights = rows.heights[start..run.end].iter();
            for (((height, value), dx), dz) in heights.zip(value).zip(dx).zip(dz) {
                let height = Height::of_row(simd, height, dt);
                accumulate(simd, [value, dx, dz], &between, &height, slope);
            }
            start = run.end;
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
struct Column;

impl Pass for Column {
    #[inline(always)]
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool>(
        simd: S,
        corners: &C,
        slope: f32,
        Table { columns, rows }: &Table,
        at: usize,
        sums: &mut Sums,
    ) {
        let ramps = Ramps::new(AxisLanes::one(simd, columns, at));
        for start in (0..rows.len).step_by(S::f32s::LEN) {
            add_lanes::<S, C, HEIGHTS>(simd, corners, slope, &ramps, rows, start, sums);
        }
    }
}

/// Points that share nothing, a vector of them at a time: each has its own column and its own row.
struct Points;

impl Pass for Points {
    #[inline(always)]
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool>(
        simd: S,
        corners: &C,
        slope: f32,
        Table { columns, rows }: &Table,
        _: usize,
        sums: &mut Sums,
    ) {
        for start in (0..rows.len).step_by(S::f32s::LEN) {
            let ramps = Ramps::new(AxisLanes::neighbours(simd, columns, start));
            add_lanes::<S, C, HEIGHTS>(simd, corners, slope, &ramps, rows, start, sums);
        }
    }
}

/// A vector of points with rows of their own, from `start` on.
#[inline(always)]
fn add_lanes<S: Simd, C: LaneCorners, const HEIGHTS: bool>(
    simd: S,
    corners: &C,
    slope: f32,
    ramps: &Ramps<S>,
    rows: &Lines,
    start: usize,
    sums: &mut Sums,
) {
    let z = AxisLanes::neighbours(simd, rows, start);
    let lower = LatticeRow::new::<C, HEIGHTS>(simd, corners, ramps, z.below);
    let upper = LatticeRow::new::<C, HEIGHTS>(simd, corners, ramps, z.above);
    let range = start..start + S::f32s::LEN;
    let Sums { value, dx, dz } = sums;
    let sums = [&mut value[range.clone()], &mut dx[range.clone()], &mut dz[range]];
    accumulate(simd, sums, &Between::new(&lower, &upper), &z.height(), slope);
}

/// Adds the noise of a vector of points to its sums; where the slope is zero, the gradient's are left as they are.
#[inline(always)]
fn accumulate<S: Simd>(
    simd: S,
    [value, dx, dz]: [&mut [f32]; 3],
    between: &Between<S>,
    height: &Height<S>,
    slope: f32,
) {
    add_to(simd, value, between.value(height));
    if slope != 0.0 {
        let slope = S::f32s::splat(simd, slope);
        add_to(simd, dx, between.dx(height) * slope);
        add_to(simd, dz, between.dz(height) * slope);
    }
}

#[inline(always)]
fn add_to<S: Simd>(simd: S, sum: &mut [f32], term: S::f32s) {
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
