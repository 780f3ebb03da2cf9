//! Grids in three dimensions: samples of one cell share its lattice rows.
//!
//! The grid is cut into blocks of rows along y and planes along z, and each block into strips one
//! vector wide along x. All octaves of a strip are added before the next strip, so that its
//! accumulators stay in the L1 cache. Within a strip, each cell joins its four lattice rows along y
//! once per sample row; every sample along z then costs one polynomial.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::Coordinates;
use crate::kernel::lattice::BAND;
use crate::kernel::lattice::row::{AxisLanes, OffsetLanes, Ramps};
use crate::kernel::lattice::row_writers::{Accumulators, put_either};
use crate::kernel::octave::LatticeOctave;
use crate::kernel::space::rows::{RowLanes, RowPair, SpaceCorners};
use crate::kernel::space::{Output, call_pass, components};
use crate::kernel::tables::{KernelTables, OctaveTable};

/// The largest number of planes in a block: enough to share lattice rows along z, and few enough to
/// leave room for rows along y.
const PLANES: usize = 12;

/// The part of a grid that is worked on.
struct Part {
    /// The first column.
    column: usize,
    rows: Range<usize>,
    planes: Range<usize>,
}

/// Fills the grid of all points with coordinates in the lists.
pub(super) fn fill<S: Simd, const ORDER: u8>(
    simd: S,
    octaves: &[LatticeOctave],
    axes: &[Coordinates],
    tables: &mut KernelTables,
    out: &mut Output,
) {
    tables.prepare(octaves.len());
    let KernelTables { octaves: tables, accumulators, .. } = tables;
    let tables = &mut tables[..octaves.len()];
    for (i, (octave, table)) in octaves.iter().zip(&mut *tables).enumerate() {
        table.fill(simd, octave, i == 0, axes, false);
        table.rows.find_offsets();
        table.further[0].find_offsets();
    }
    let Some(first) = tables.first() else { return };
    let [width, height, depth] = [first.columns.len, first.rows.len, first.further[0].len];
    let lanes = S::f32s::LEN;
    let stride = components::<3>(ORDER) * lanes;
    let room = BAND / (stride * size_of::<f32>());
    // Blocks of nearly equal size.
    let planes = even_parts(depth, PLANES.min(room));
    let rows = even_parts(height, room / planes);
    let sums = &mut Accumulators::new(accumulators, rows * planes, stride);
    for z in (0..depth).step_by(planes) {
        for y in (0..height).step_by(rows) {
            let (rows, planes) = (y..height.min(y + rows), z..depth.min(z + planes));
            for table in &mut *tables {
                table.rows.find_runs(rows.clone());
                table.further[0].find_runs(planes.clone());
            }
            for column in (0..width).step_by(lanes) {
                let part = &Part { column, rows: rows.clone(), planes: planes.clone() };
                for (octave, table) in octaves.iter().zip(&*tables) {
                    let table: &OctaveTable = table;
                    call_pass!(octave, table, sums, 3, add::<S, ORDER>(simd, part));
                }
                let mut sums = sums.sums.chunks_exact(stride);
                for z in planes.clone() {
                    for (y, row) in rows.clone().zip(&mut sums) {
                        let at = (z * height + y) * width + column;
                        out.copy::<S>(row, at, lanes.min(width - column));
                    }
                }
            }
        }
    }
}

/// The length of the parts, at most `longest`, that `len` is cut into: as equal as possible.
fn even_parts(len: usize, longest: usize) -> usize {
    let count = len.div_ceil(longest.max(1)).max(1);
    len.div_ceil(count).max(1)
}

/// Adds an octave to a strip.
fn add<S: Simd, C: SpaceCorners, const N: usize, const ORDER: u8>(
    simd: S,
    corners: &C,
    OctaveTable { columns, rows, further: [planes, _], parameters }: &OctaveTable,
    Accumulators { sums, stride, .. }: &mut Accumulators,
    part: &Part,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let x = &Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, part.column));
            let dt = S::f32s::splat(simd, rows.dt);
            let slope = S::f32s::splat(simd, parameters.slope);
            let mut y = part.rows.start;
            for y_run in &rows.runs {
                let ys = y..y + y_run.count;
                y = ys.end;
                let mut z = part.planes.start;
                // The upper rows of a cell are the lower rows of the next one.
                let mut last: Option<(u32, [RowLanes<S, 1, 2>; 2])> = None;
                for z_run in &planes.runs {
                    let zs = z..z + z_run.count;
                    z = zs.end;
                    let [below, above] = z_run.lines;
                    let lower = match last {
                        Some((line, rows)) if line == below => rows,
                        _ => cell_rows::<S, C, ORDER>(simd, corners, x, y_run.lines, below),
                    };
                    let upper = cell_rows::<S, C, ORDER>(simd, corners, x, y_run.lines, above);
                    last = Some((above, upper));
                    let lower = RowPair::new::<ORDER>(lower[0], lower[1]);
                    let upper = RowPair::new::<ORDER>(upper[0], upper[1]);
                    for y in ys.clone() {
                        let offset = OffsetLanes::of_row(simd, &rows.offsets[y], dt);
                        let cell: RowPair<S, 2, 1> = RowPair::new::<ORDER>(
                            lower.join::<ORDER, 2, 1>(&offset),
                            upper.join::<ORDER, 2, 1>(&offset),
                        );
                        let (y, height) = (y - part.rows.start, part.rows.len());
                        for z in zs.clone() {
                            let at = ((z - part.planes.start) * height + y) * *stride;
                            let row = &mut sums[at..at + *stride];
                            let z = OffsetLanes::of_row(simd, &planes.offsets[z], dt);
                            let sample = cell.join::<ORDER, 3, 0>(&z);
                            put_either(simd, parameters.first, row, 0, sample.p);
                            if ORDER >= 1 {
                                for k in 0..3 {
                                    let derivative = sample.dp[k] * slope;
                                    put_either(simd, parameters.first, row, 1 + k, derivative);
                                }
                            }
                        }
                    }
                }
            }
        },
    );
}

/// The lattice rows on two lines along y and one along z.
#[inline(always)]
fn cell_rows<S: Simd, C: SpaceCorners, const ORDER: u8>(
    simd: S,
    corners: &C,
    x: &Ramps<S>,
    [below, above]: [u32; 2],
    z: u32,
) -> [RowLanes<S, 1, 2>; 2] {
    let z = S::u32s::splat(simd, z);
    let (below, above) = (S::u32s::splat(simd, below), S::u32s::splat(simd, above));
    [
        RowLanes::new::<C, 3, ORDER>(simd, corners, x, [z, below, z]),
        RowLanes::new::<C, 3, ORDER>(simd, corners, x, [z, above, z]),
    ]
}
