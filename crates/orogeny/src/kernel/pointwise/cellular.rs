//! Cellular noise in SIMD lanes: the operations of `noise::cellular`, in its order.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::arrays::Each;
use crate::kernel::cells::{AxisCells, LatticeCells, VectorCells};
use crate::kernel::corners::{mixed, premixed};
use crate::kernel::sample_lanes::SampleLanes;
use crate::lattice::hash::{INCREMENT, Key, mix, premix};

/// The distance that cellular noise returns.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CellularMeasure {
    /// The distance to the nearest feature point.
    F1,
    /// The distance to the second nearest.
    F2,
    /// Their difference.
    F2MinusF1,
}

/// Cellular noise of one octave, without a period.
pub(crate) struct CellularKernel {
    pub keys: [Key; 2],
    pub measure: CellularMeasure,
    pub jitter: f32,
    /// The factor of the gradient: the frequency.
    pub slope: f32,
}

/// For each lane, the vector from a feature point to the lane's position, and its squared length.
#[derive(Clone, Copy)]
struct Features<S: Simd> {
    to: [S::f32s; 2],
    squared: S::f32s,
}

/// The cells to search along each axis, nearest first, so that far cells are soon ruled out.
pub(super) const STEPS: [i32; 5] = [0, -1, 1, -2, 2];

/// The steps to the cells around a point along one axis.
pub(super) struct Steps<S: Simd> {
    /// The squared distances to the cells.
    gaps: [S::f32s; STEPS.len()],
    /// The offsets from the lower corners of the cells.
    offsets: [S::f32s; STEPS.len()],
}

impl CellularKernel {
    /// The noise at a vector of points, each of which hashes the cells around it.
    #[inline(always)]
    pub(super) fn of_cells<S: Simd>(
        &self,
        simd: S,
        x: &VectorCells<S>,
        z: &VectorCells<S>,
    ) -> SampleLanes<S> {
        let (x, z) = (LatticeCells::of_halves(x), LatticeCells::of_halves(z));
        // The premixed words of cells along an axis do not depend on the other axis.
        let [mut columns, mut rows] = [[x.cells; STEPS.len()]; 2];
        for ((column, row), step) in columns.iter_mut().zip(&mut rows).zip(STEPS) {
            *column = premixed::<S>(x.cells + step as u32, &self.keys[0]);
            *row = premixed::<S>(z.cells + step as u32, &self.keys[1]);
        }
        self.search(
            simd,
            &Steps::new(simd, x.t),
            &Steps::new(simd, z.t),
            #[inline(always)]
            |column, row| self.feature(simd, columns[column] * rows[row]),
        )
    }

    /// The noise at a vector of points. `feature` gives the feature points of the cells around
    /// them, relative to the lower corner of the cell.
    #[inline(always)]
    pub(super) fn search<S: Simd>(
        &self,
        simd: S,
        columns: &Steps<S>,
        rows: &Steps<S>,
        feature: impl Fn(usize, usize) -> [S::f32s; 2],
    ) -> SampleLanes<S> {
        let sample = match self.measure {
            CellularMeasure::F1 => {
                nearest::<S, false>(simd, columns, rows, feature)[0].distance(simd)
            }
            measure => {
                let [first, second] = nearest::<S, true>(simd, columns, rows, feature);
                let second = second.distance(simd);
                match measure {
                    CellularMeasure::F2MinusF1 => second - first.distance(simd),
                    _ => second,
                }
            }
        };
        SampleLanes { dx: sample.dx * self.slope, dz: sample.dz * self.slope, ..sample }
    }

    /// The feature points of cells, relative to the lower corners of the cells, from their hashes.
    #[inline(always)]
    fn feature<S: Simd>(&self, simd: S, hash: S::u32s) -> [S::f32s; 2] {
        let jitter = S::f32s::splat(simd, self.jitter);
        let hash = mixed::<S>(hash + INCREMENT);
        let next: S::u32s = hash.bitcast();
        let next = mixed::<S>(next + INCREMENT);
        [jitter * stray::<S>(hash) + 0.5, jitter * stray::<S>(next) + 0.5]
    }
}

/// The nearest and, with `SECOND`, the second nearest feature point.
#[inline(always)]
fn nearest<S: Simd, const SECOND: bool>(
    simd: S,
    columns: &Steps<S>,
    rows: &Steps<S>,
    feature: impl Fn(usize, usize) -> [S::f32s; 2],
) -> [Features<S>; 2] {
    let zero = S::f32s::splat(simd, 0.0);
    let none = Features { to: [zero; 2], squared: S::f32s::splat(simd, f32::INFINITY) };
    let [mut first, mut second] = [none; 2];
    for (row, (&row_gap, &to_row)) in rows.gaps.iter().zip(&rows.offsets).enumerate() {
        for (column, (&gap, &to_column)) in columns.gaps.iter().zip(&columns.offsets).enumerate() {
            let limit = if SECOND { second.squared } else { first.squared };
            let near = (gap + row_gap).simd_lt(limit);
            if !near.any_true() {
                continue;
            }
            let [x, z] = feature(column, row);
            let to = [to_column - x, to_row - z];
            let point = Features::<S> { to, squared: to[0] * to[0] + to[1] * to[1] };
            let closest = near & point.squared.simd_lt(first.squared);
            if SECOND {
                let closer = near & point.squared.simd_lt(second.squared);
                second = first.where_else(closest, point.where_else(closer, second));
            }
            first = point.where_else(closest, first);
        }
    }
    [first, second]
}

/// From -1/2 to 1/2.
#[inline(always)]
fn stray<S: Simd>(hash: S::i32s) -> S::f32s {
    let hash: S::f32s = hash.to_float();
    hash / (1u64 << 32) as f32
}

impl<S: Simd> Steps<S> {
    /// The steps from points at the offsets `t` in their cells.
    #[inline(always)]
    pub(super) fn new(simd: S, t: S::f32s) -> Self {
        let [mut gaps, mut offsets] = [[t; STEPS.len()]; 2];
        for ((gap, offset), step) in gaps.iter_mut().zip(&mut offsets).zip(STEPS) {
            let step = step as f32;
            let below = S::f32s::splat(simd, step) - t;
            let above = t - (step + 1.0);
            let distance = below.max(above).max(0.0);
            (*gap, *offset) = (distance * distance, t - step);
        }
        Self { gaps, offsets }
    }
}

impl<S: Simd> Features<S> {
    #[inline(always)]
    fn where_else(self, mask: S::mask32s, other: Self) -> Self {
        Self {
            to: [mask.select(self.to[0], other.to[0]), mask.select(self.to[1], other.to[1])],
            squared: mask.select(self.squared, other.squared),
        }
    }

    /// The distance and its gradient, a unit vector.
    #[inline(always)]
    fn distance(&self, simd: S) -> SampleLanes<S> {
        let length = self.squared.sqrt();
        let (zero, one) = (S::f32s::splat(simd, 0.0), S::f32s::splat(simd, 1.0));
        let scale = length.simd_gt(zero).select(one / length, zero);
        SampleLanes { value: length, dx: self.to[0] * scale, dz: self.to[1] * scale }
    }
}

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
                    .each(|hash| self.jitter * (hash as i32 as f32 / (1u64 << 32) as f32) + 0.5);
            }
        }
    }
}
