//! Points with lattice rows of their own in each lane.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::KernelPositions;
use crate::kernel::lattice::accumulators::{Accumulators, put_either};
use crate::kernel::lattice::axis_table::AxisTable;
use crate::kernel::lattice::octaves::LatticeOctave;
use crate::kernel::lattice::points::{BLOCK, rotated_block};
use crate::kernel::lattice::row::{AxisLanes, HeightLanes, Ramps};
use crate::kernel::space::corners::SpaceCorners;
use crate::kernel::space::rows::{RowLanes, RowPair};
use crate::kernel::space::{Output, call_pass, components};
use crate::kernel::tables::{KernelTables, OctaveTable};

/// Fills positions in N dimensions, 3 or 4.
pub(super) fn fill<S: Simd, const N: usize, const ORDER: u8>(
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
            call_pass!(octave, table, sums, N, add::<S, ORDER>(simd, count));
        }
        for (i, row) in sums.sums.chunks_exact(stride).take(count.div_ceil(lanes)).enumerate() {
            out.copy::<S>(row, start + i * lanes, lanes.min(count - i * lanes));
        }
    }
}

/// Adds an octave to a block of `count` points.
fn add<S: Simd, C: SpaceCorners, const N: usize, const ORDER: u8>(
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
        .join::<ORDER, 3, 0>(&z.heights);
        gradient[..3].copy_from_slice(&sample.dp);
        sample.p
    } else {
        let w = Axis::new::<ORDER>(simd, spaces, start);
        let sample = RowPair::new::<ORDER>(
            along_z::<S, C, ORDER>(simd, corners, &x, [&y, &z], w.lines[0]),
            along_z::<S, C, ORDER>(simd, corners, &x, [&y, &z], w.lines[1]),
        )
        .join::<ORDER, 4, 0>(&w.heights);
        gradient[..4].copy_from_slice(&sample.dp);
        sample.p
    };
    (value, gradient)
}

/// A vector of coordinates along an axis other than the first.
struct Axis<S: Simd> {
    /// The lattice lines below and above.
    lines: [S::u32s; 2],
    heights: HeightLanes<S>,
}

impl<S: Simd> Axis<S> {
    #[inline(always)]
    fn new<const ORDER: u8>(simd: S, table: &AxisTable, start: usize) -> Self {
        let axis = AxisLanes::<S>::consecutive::<ORDER>(simd, table, start);
        Self { lines: [axis.below, axis.above], heights: axis.heights() }
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
    RowPair::new::<ORDER>(lower, upper).join::<ORDER, 2, R1>(&y.heights)
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
    RowPair::new::<ORDER>(lower, upper).join::<ORDER, 3, 1>(&z.heights)
}
