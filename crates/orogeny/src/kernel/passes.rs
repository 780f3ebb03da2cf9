//! How octaves are added to the sums of a strip, of a column, or of scattered points.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;
use fearless_simd_macros::simd;

use crate::kernel::Octave;
use crate::kernel::corners::{LaneCorners, Listed, Prepared};
use crate::kernel::lines::{Lines, RowHeight, Table, Term};
use crate::kernel::row::{AxisLanes, Between, LatticeRow, Ramps};
use crate::kernel::rows::{Bent, Finished, Plain, Row, Rows, Shaped, add_bent, add_shaped};
use crate::kernel::sums::{Sums, put_either};

/// What is filled at a time.
pub(super) trait Pass {
    /// Adds an octave, to the values alone if `ORDER` is 0, without second derivatives if it is 1.
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool, const ORDER: u8>(
        self,
        simd: S,
        corners: &C,
        table: &Table,
        place: &Place,
        sums: &mut Sums,
    );
}

/// Which part of a grid, or of scattered points, is filled.
pub(super) struct Place {
    /// The first column.
    pub column: usize,
    pub rows: Range<usize>,
}

/// Adds an octave, with the code made for its lattice. The octave itself is asked for corner by
/// corner only.
#[inline(always)]
pub(super) fn add<'a, S: Simd, P: Pass, const ORDER: u8>(
    simd: S,
    pass: P,
    octave: &dyn Fn() -> Octave<'a>,
    table: &Table,
    place: &Place,
    sums: &mut Sums,
) {
    if ORDER == 0 || table.term.is_flat() {
        if ORDER >= 1 && table.term.first {
            // To anything added to -0, nothing happens.
            sums.numbers.fill(-0.0);
        }
        add_with::<S, P, 0>(simd, pass, octave, table, place, sums);
    } else {
        add_with::<S, P, ORDER>(simd, pass, octave, table, place, sums);
    }
}

/// A function of its own, so that it is compiled once for whoever calls it.
#[simd]
fn add_with<'a, S: Simd, P: Pass, const ORDER: u8>(
    simd: S,
    pass: P,
    octave: &dyn Fn() -> Octave<'a>,
    table: &Table,
    place: &Place,
    sums: &mut Sums,
) {
    match (&table.term.corners, table.term.heights) {
        (Prepared::Directions(corners), false) => {
            pass.add::<S, _, false, ORDER>(simd, corners, table, place, sums);
        }
        // Few ask for second derivatives: the code is made for what they mostly ask for, and for
        // all the rest.
        (Prepared::Directions(corners), true) if ORDER < 2 => {
            pass.add::<S, _, true, ORDER>(simd, corners, table, place, sums);
        }
        (Prepared::Values(corners), true) if ORDER < 2 => {
            pass.add::<S, _, true, ORDER>(simd, corners, table, place, sums);
        }
        (_, true) => {
            pass.add::<S, _, true, ORDER>(simd, &Listed::new(&octave()), table, place, sums);
        }
        (_, false) => {
            pass.add::<S, _, false, ORDER>(simd, &Listed::new(&octave()), table, place, sums);
        }
    }
}

/// A vector of columns, row by row.
pub(super) struct Strip;

impl Pass for Strip {
    #[inline(always)]
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool, const ORDER: u8>(
        self,
        simd: S,
        corners: &C,
        Table { columns, rows, term }: &Table,
        place: &Place,
        Sums { numbers, weights, stride }: &mut Sums,
    ) {
        let ramps = Ramps::new(AxisLanes::neighbours::<ORDER>(simd, columns, place.column));
        // One iterator for the whole strip: the finest octaves have a single row between lattice
        // rows, and to set one up for each would cost as much as that row.
        let sums = rows.heights[place.rows.clone()].iter().zip(numbers.chunks_exact_mut(*stride));
        if ORDER == 2 {
            add_strip::<S, C, _, HEIGHTS, ORDER>(simd, corners, &ramps, rows, Bent { sums, term });
        } else if let Some(shape) = term.shape {
            let sums = sums.zip(weights.chunks_exact_mut(*stride));
            let shaped = Shaped { sums, term, shape };
            add_strip::<S, C, _, HEIGHTS, ORDER>(simd, corners, &ramps, rows, shaped);
        } else {
            add_plain::<S, C, _, _, HEIGHTS, ORDER>(simd, corners, &ramps, rows, term, sums);
        }
    }
}

/// The same for the last octave: what is finished goes to a grid at once, where it may wait for the
/// memory while the next rows are worked on. There are no terms of fractals, and no second
/// derivatives.
pub(super) struct LastStrip<'a, 'b> {
    /// The values of the grid, then, if they are asked for, its derivatives along x and z.
    pub target: &'a mut [&'b mut [f32]; 6],
}

impl Pass for LastStrip<'_, '_> {
    #[inline(always)]
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool, const ORDER: u8>(
        self,
        simd: S,
        corners: &C,
        Table { columns, rows, term }: &Table,
        place: &Place,
        Sums { numbers, stride, .. }: &mut Sums,
    ) {
        let ramps = Ramps::new(AxisLanes::neighbours::<ORDER>(simd, columns, place.column));
        let (column, width) = (place.column, columns.len);
        let band = place.rows.start * width..place.rows.end * width;
        let [value, dx, dz, ..] = self.target;
        let sums = rows.heights[place.rows.clone()].iter().zip(numbers.chunks_exact(*stride));
        let sums = sums.zip(value[band.clone()].chunks_exact_mut(width));
        if ORDER == 0 {
            let finished = sums.map(|((height, sums), value)| {
                (height, Finished { sums, target: [value, &mut [], &mut []], column })
            });
            add_plain::<S, C, _, _, HEIGHTS, ORDER>(simd, corners, &ramps, rows, term, finished);
        } else {
            let dx = dx[band.clone()].chunks_exact_mut(width);
            let dz = dz[band].chunks_exact_mut(width);
            let finished = sums.zip(dx.zip(dz)).map(|(((height, sums), value), (dx, dz))| {
                (height, Finished { sums, target: [value, dx, dz], column })
            });
            add_plain::<S, C, _, _, HEIGHTS, ORDER>(simd, corners, &ramps, rows, term, finished);
        }
    }
}

/// Adds noise as it is.
#[inline(always)]
fn add_plain<'a, S: Simd, C: LaneCorners, I, R: Row, const HEIGHTS: bool, const ORDER: u8>(
    simd: S,
    corners: &C,
    ramps: &Ramps<S>,
    lines: &Lines,
    term: &Term,
    rows: I,
) where
    I: Iterator<Item = (&'a RowHeight, R)>,
{
    if term.first {
        let rows = Plain::<_, true> { rows, slope: term.slope };
        add_strip::<S, C, _, HEIGHTS, ORDER>(simd, corners, ramps, lines, rows);
    } else {
        let rows = Plain::<_, false> { rows, slope: term.slope };
        add_strip::<S, C, _, HEIGHTS, ORDER>(simd, corners, ramps, lines, rows);
    }
}

/// Lattice row by lattice row.
#[inline(always)]
fn add_strip<S: Simd, C: LaneCorners, R: Rows<S>, const HEIGHTS: bool, const ORDER: u8>(
    simd: S,
    corners: &C,
    ramps: &Ramps<S>,
    lines: &Lines,
    mut rows: R,
) {
    let dt = S::f32s::splat(simd, lines.dt);
    // The last lattice row: the upper one of the last cell.
    let mut last: Option<(u32, LatticeRow<S>)> = None;
    for run in &lines.runs {
        let [below, above] = run.lines;
        let lower = match last {
            Some((line, row)) if line == below => row,
            _ => row::<S, C, HEIGHTS, ORDER>(simd, corners, ramps, below),
        };
        let upper = row::<S, C, HEIGHTS, ORDER>(simd, corners, ramps, above);
        last = Some((above, upper));
        rows.add::<ORDER>(simd, &Between::new(&lower, &upper), dt, run.count);
    }
}

#[inline(always)]
fn row<S: Simd, C: LaneCorners, const HEIGHTS: bool, const ORDER: u8>(
    simd: S,
    corners: &C,
    ramps: &Ramps<S>,
    line: u32,
) -> LatticeRow<S> {
    LatticeRow::new::<C, HEIGHTS, ORDER>(simd, corners, ramps, S::u32s::splat(simd, line))
}

/// Points with a row each, a vector of them at a time: scattered ones, or those of a column.
pub(super) struct Points {
    pub is_column: bool,
}

impl Pass for Points {
    #[inline(always)]
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool, const ORDER: u8>(
        self,
        simd: S,
        corners: &C,
        Table { columns, rows, term }: &Table,
        place: &Place,
        Sums { numbers, weights, stride }: &mut Sums,
    ) {
        let slope = S::f32s::splat(simd, term.slope);
        let sums = numbers.chunks_exact_mut(*stride).zip(weights.chunks_exact_mut(*stride));
        for (start, (sums, weights)) in place.rows.clone().step_by(S::f32s::LEN).zip(sums) {
            let x = if self.is_column {
                AxisLanes::one::<ORDER>(simd, columns, place.column)
            } else {
                AxisLanes::neighbours::<ORDER>(simd, columns, start)
            };
            let (x, z) = (Ramps::new(x), AxisLanes::neighbours::<ORDER>(simd, rows, start));
            let lower = LatticeRow::new::<C, HEIGHTS, ORDER>(simd, corners, &x, z.below);
            let upper = LatticeRow::new::<C, HEIGHTS, ORDER>(simd, corners, &x, z.above);
            let (between, height) = (Between::new(&lower, &upper), z.height());
            if ORDER == 2 {
                add_bent::<S>(simd, &between, &height, term, sums);
                continue;
            }
            if let Some(shape) = term.shape {
                add_shaped::<S, ORDER>(simd, &between, &height, term, shape, sums, weights);
                continue;
            }
            put_either(simd, term.first, sums, 0, between.value(&height));
            if ORDER >= 1 {
                put_either(simd, term.first, sums, 1, between.dx(&height) * slope);
                put_either(simd, term.first, sums, 2, between.dz(&height) * slope);
            }
        }
    }
}
