//! Lattice noise in three and four dimensions.
//!
//! The noise is interpolated as in the plane, along one axis after another ([`rows`]). A grid in
//! three dimensions shares lattice rows between the samples of a cell ([`grid`]). Scattered points,
//! grids in four dimensions, and rotated octaves have lattice rows of their own in each lane
//! ([`fill_points`]). Start with [`fill`].

mod grid;
mod rows;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::lattice::axis_table::AxisTable;
use crate::kernel::lattice::row::{AxisLanes, OffsetLanes, Ramps};
use crate::kernel::lattice::row_writers::{Accumulators, put_either};
use crate::kernel::lattice::{BLOCK, copy, rotated_block};
use crate::kernel::octave::LatticeOctave;
use crate::kernel::space::rows::{RowLanes, RowPair, SpaceCorners};
use crate::kernel::tables::{KernelTables, OctaveTable};
use crate::kernel::{KernelPositions, MAX_DIMENSIONS, OutputSlices};
use crate::simd::dispatch;

/// Writes the sum of `octaves` in N dimensions, 3 or 4, to `out`. They must not have terms.
pub(super) fn fill<const N: usize>(
    octaves: &[LatticeOctave],
    positions: KernelPositions,
    tables: &mut KernelTables,
    OutputSlices { value, slopes, .. }: OutputSlices,
) {
    let level = tables.level;
    match slopes {
        Some(slopes) => {
            let out = &mut Output { value, slopes };
            dispatch!(level, simd => fill_with::<_, N, 1>(simd, octaves, positions, tables, out));
        }
        None => {
            let out = &mut Output { value, slopes: Default::default() };
            dispatch!(level, simd => fill_with::<_, N, 0>(simd, octaves, positions, tables, out));
        }
    }
}

/// `ORDER` 0 writes values, 1 gradients as well.
fn fill_with<S: Simd, const N: usize, const ORDER: u8>(
    simd: S,
    octaves: &[LatticeOctave],
    positions: KernelPositions,
    tables: &mut KernelTables,
    out: &mut Output,
) {
    match positions {
        KernelPositions::Grid(axes) if N == 3 && octaves.iter().all(|o| o.rotation.is_none()) => {
            grid::fill::<S, ORDER>(simd, octaves, axes, tables, out);
        }
        _ => fill_points::<S, N, ORDER>(simd, octaves, positions, tables, out),
    }
}

/// The slices that a fill writes to.
struct Output<'a> {
    value: &'a mut [f32],
    /// One slice for each dimension, the others are empty.
    slopes: [&'a mut [f32]; MAX_DIMENSIONS],
}

impl Output<'_> {
    /// Copies a row of accumulators to the samples from index `at` on.
    #[inline(always)]
    fn copy<S: Simd>(&mut self, row: &[f32], at: usize, count: usize) {
        let mut vectors = row.chunks_exact(S::f32s::LEN);
        if let Some(vector) = vectors.next() {
            copy::<S>(vector, &mut self.value[at..at + count]);
        }
        for (vector, out) in vectors.zip(&mut self.slopes) {
            copy::<S>(vector, &mut out[at..at + count]);
        }
    }
}

/// The numbers of a sample: its value, and with `ORDER` 1 its derivatives.
const fn components<const N: usize>(order: u8) -> usize {
    if order == 0 { 1 } else { 1 + N }
}

/// Calls a pass with the code for the octave's lattice, and without derivatives if the octave adds
/// none.
macro_rules! call_pass {
    (
        $octave:expr, $table:expr, $sums:expr, $N:expr,
        $pass:ident::<$S:ident, $ORDER:ident>($simd:expr $(, $argument:expr)*)
    ) => {
        let is_flat = $table.parameters.is_flat();
        if $ORDER >= 1 && is_flat && $table.parameters.first {
            // Adding to -0 changes no bits.
            $sums.sums.fill(-0.0);
        }
        match $crate::kernel::space::rows::HashedCorners::new(&$table.parameters) {
            Some(corners) if $ORDER == 0 || is_flat => {
                $pass::<$S, _, $N, 0>($simd, &corners, $table, $sums $(, $argument)*);
            }
            Some(corners) => {
                $pass::<$S, _, $N, $ORDER>($simd, &corners, $table, $sums $(, $argument)*);
            }
            None => {
                let corners = &$crate::kernel::corners::LookedUpCorners::new($octave);
                if $ORDER == 0 || is_flat {
                    $pass::<$S, _, $N, 0>($simd, corners, $table, $sums $(, $argument)*);
                } else {
                    $pass::<$S, _, $N, $ORDER>($simd, corners, $table, $sums $(, $argument)*);
                }
            }
        }
    };
}
use call_pass;

/// Fills positions in N dimensions, 3 or 4.
fn fill_points<S: Simd, const N: usize, const ORDER: u8>(
    simd: S,
    octaves: &[LatticeOctave],
    positions: KernelPositions,
    tables: &mut KernelTables,
    out: &mut Output,
) {
    tables.prepare(1);
    let KernelTables { octaves: tables, accumulators, block: [block, rotated], .. } = tables;
    let Some(table) = tables.first_mut() else { return };
    let (lanes, len) = (S::f32s::LEN, positions.len());
    let stride = components::<N>(ORDER) * lanes;
    let sums = &mut Accumulators::new(accumulators, BLOCK / lanes, stride);
    for start in (0..len).step_by(BLOCK) {
        let count = BLOCK.min(len - start);
        positions.block(simd, start..start + count, &mut block[..N]);
        for (i, octave) in octaves.iter().enumerate() {
            let coordinates = rotated_block::<S, N>(simd, octave, block, rotated);
            table.fill(simd, octave, i == 0, &coordinates[..N], false);
            call_pass!(octave, table, sums, N, add_points::<S, ORDER>(simd, count));
        }
        for (i, row) in sums.sums.chunks_exact(stride).take(count.div_ceil(lanes)).enumerate() {
            out.copy::<S>(row, start + i * lanes, lanes.min(count - i * lanes));
        }
    }
}

/// Adds an octave to a block of `count` points.
fn add_points<S: Simd, C: SpaceCorners, const N: usize, const ORDER: u8>(
    simd: S,
    corners: &C,
    table: &OctaveTable,
    sums: &mut Accumulators,
    count: usize,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let parameters = &table.parameters;
            for (i, row) in sums.sums.chunks_exact_mut(sums.stride).enumerate() {
                let start = i * S::f32s::LEN;
                if start >= count {
                    break;
                }
                let (value, mut gradient) =
                    interpolated::<S, C, N, ORDER>(simd, corners, table, start);
                put_either(simd, parameters.first, row, 0, value);
                if ORDER >= 1 {
                    if let (3, Some(rotation)) = (N, &parameters.rotation) {
                        gradient = rotation.pull_back::<S, N>(gradient);
                    }
                    for (k, derivative) in gradient.into_iter().enumerate() {
                        let slope = derivative * parameters.slope;
                        put_either(simd, parameters.first, row, 1 + k, slope);
                    }
                }
            }
        },
    );
}

/// The noise at a vector of points, from index `start` of the table on.
#[inline(always)]
fn interpolated<S: Simd, C: SpaceCorners, const N: usize, const ORDER: u8>(
    simd: S,
    corners: &C,
    OctaveTable { columns, rows, further: [planes, spaces], .. }: &OctaveTable,
    start: usize,
) -> (S::f32s, [S::f32s; N]) {
    let x = Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, start));
    let y = Axis::new::<ORDER>(simd, rows, start);
    let z = Axis::new::<ORDER>(simd, planes, start);
    let mut gradient = [S::f32s::splat(simd, 0.0); N];
    let value = if N == 3 {
        let [below, above] = z.lines;
        let sample = RowPair::new::<ORDER>(
            along_y::<S, C, 3, 2, 1, ORDER>(simd, corners, &x, &y, [below; 3]),
            along_y::<S, C, 3, 2, 1, ORDER>(simd, corners, &x, &y, [above; 3]),
        )
        .join::<ORDER, 3, 0>(&z.offsets);
        gradient[..3].copy_from_slice(&sample.dp);
        sample.p
    } else {
        let w = Axis::new::<ORDER>(simd, spaces, start);
        let sample = RowPair::new::<ORDER>(
            along_z::<S, C, ORDER>(simd, corners, &x, [&y, &z], w.lines[0]),
            along_z::<S, C, ORDER>(simd, corners, &x, [&y, &z], w.lines[1]),
        )
        .join::<ORDER, 4, 0>(&w.offsets);
        gradient[..4].copy_from_slice(&sample.dp);
        sample.p
    };
    (value, gradient)
}

/// A vector of coordinates along an axis other than the first.
struct Axis<S: Simd> {
    /// The lattice lines below and above.
    lines: [S::u32s; 2],
    offsets: OffsetLanes<S>,
}

impl<S: Simd> Axis<S> {
    #[inline(always)]
    fn new<const ORDER: u8>(simd: S, table: &AxisTable, start: usize) -> Self {
        let axis = AxisLanes::<S>::consecutive::<ORDER>(simd, table, start);
        Self { lines: [axis.below, axis.above], offsets: axis.offsets() }
    }
}

/// The rows around the points, joined along y, on given lines along the axes after it. R = N - 1,
/// R1 = N - 2.
#[inline(always)]
fn along_y<
    S: Simd,
    C: SpaceCorners,
    const N: usize,
    const R: usize,
    const R1: usize,
    const ORDER: u8,
>(
    simd: S,
    corners: &C,
    x: &Ramps<S>,
    y: &Axis<S>,
    mut lines: [S::u32s; N],
) -> RowLanes<S, 2, R1> {
    lines[1] = y.lines[0];
    let lower = RowLanes::<S, 1, R>::new::<C, N, ORDER>(simd, corners, x, lines);
    lines[1] = y.lines[1];
    let upper = RowLanes::<S, 1, R>::new::<C, N, ORDER>(simd, corners, x, lines);
    RowPair::new::<ORDER>(lower, upper).join::<ORDER, 2, R1>(&y.offsets)
}

/// The same in four dimensions, joined along z too.
#[inline(always)]
fn along_z<S: Simd, C: SpaceCorners, const ORDER: u8>(
    simd: S,
    corners: &C,
    x: &Ramps<S>,
    [y, z]: [&Axis<S>; 2],
    w: S::u32s,
) -> RowLanes<S, 3, 1> {
    let [below, above] = z.lines;
    let lower = along_y::<S, C, 4, 3, 2, ORDER>(simd, corners, x, y, [w, w, below, w]);
    let upper = along_y::<S, C, 4, 3, 2, ORDER>(simd, corners, x, y, [w, w, above, w]);
    RowPair::new::<ORDER>(lower, upper).join::<ORDER, 3, 1>(&z.offsets)
}
