//! Cellular noise on a strip of a grid: the feature points around a cell are hashed once for all
//! rows of points in it.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::lattice_cells::LatticeCells;
use crate::kernel::pointwise::axis_cells::{AxisCells, VectorCells};
use crate::kernel::pointwise::cellular::{CellularKernel, STEPS, Steps};
use crate::kernel::sample_lanes::SampleLanes;
use crate::lattice::hash::{INCREMENT, mix, premix};

/// The feature points around a cell and around the next one in its row, relative to the lower
/// corners of their cells: by row in the order of [`STEPS`], then by column from left to right.
type FeatureTable = [[[f32; 2]; STEPS.len() + 1]; STEPS.len()];

impl CellularKernel {
    /// Passes the noise of a strip one vector wide, from the column `start` on, to `put`, row by
    /// row.
    pub(super) fn strip<S: Simd>(
        &self,
        simd: S,
        columns: &AxisCells,
        start: usize,
        rows: &AxisCells,
        mut put: impl FnMut(usize, SampleLanes<S>),
    ) {
        let first = columns.lowest_cell(start, S::f32s::LEN);
        let is_dense = simd.vectorize(
            #[inline(always)]
            || self.dense_strip(simd, &columns.lanes(simd, start), first, rows, &mut put),
        );
        if !is_dense {
            simd.vectorize(
                #[inline(always)]
                || {
                    let columns = columns.lanes(simd, start);
                    for row in 0..rows.len() {
                        put(row, self.of_cells(simd, &columns, &rows.splat(simd, row)));
                    }
                },
            );
        }
    }

    /// The same where points are so dense that a vector lies in the cells `first` and the next one.
    /// Returns false, and does nothing, elsewhere.
    #[inline(always)]
    fn dense_strip<S: Simd>(
        &self,
        simd: S,
        columns: &VectorCells<S>,
        first: i64,
        rows: &AxisCells,
        put: &mut impl FnMut(usize, SampleLanes<S>),
    ) -> bool {
        let x = LatticeCells::<S>::of_halves(columns);
        let is_next = x.cells.simd_eq(S::u32s::splat(simd, (first + 1) as u32));
        if !(is_next | x.cells.simd_eq(S::u32s::splat(simd, first as u32))).all_true() {
            return false;
        }
        let steps = Steps::new(simd, x.t);
        let mut features = FeatureTable::default();
        let mut line = None;
        for row in 0..rows.len() {
            if line != Some(rows.cell(row)) {
                line = Some(rows.cell(row));
                self.find_features(first, rows.cell(row), &mut features);
            }
            let rows = Steps::new(simd, LatticeCells::<S>::of_halves(&rows.splat(simd, row)).t);
            let sample = self.search(
                simd,
                &steps,
                &rows,
                #[inline(always)]
                |column, row| {
                    let column = (STEPS[column] + 2) as usize;
                    let [x0, z0] = features[row][column];
                    let [x1, z1] = features[row][column + 1];
                    [
                        is_next.select(S::f32s::splat(simd, x1), S::f32s::splat(simd, x0)),
                        is_next.select(S::f32s::splat(simd, z1), S::f32s::splat(simd, z0)),
                    ]
                },
            );
            put(row, sample);
        }
        true
    }

    /// Finds the feature points around the columns `column` and `column` + 1 of the row `line`.
    #[inline(never)]
    fn find_features(&self, column: i64, line: i64, table: &mut FeatureTable) {
        for (features, step) in table.iter_mut().zip(STEPS) {
            let line = premix(line + i64::from(step), &self.keys[1]);
            for (feature, column) in features.iter_mut().zip(column - 2..) {
                let hash =
                    mix(premix(column, &self.keys[0]).wrapping_mul(line).wrapping_add(INCREMENT));
                let next = mix(hash.wrapping_add(INCREMENT));
                *feature = [hash, next]
                    .map(|hash| self.jitter * (hash as i32 as f32 / (1u64 << 32) as f32) + 0.5);
            }
        }
    }
}
