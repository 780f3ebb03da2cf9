//! Coordinates split into cells: those of a vector of points, and those of a grid along one axis.

use alloc::vec::Vec;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::lattice_cells::{CellSplitter, HalfCells};
use crate::kernel::positions::CoordinateLanes;
use crate::kernel::{Coordinates, MAX_LANES};
use crate::lattice::cell::NEAR;

/// A vector of coordinates along one axis: the lower half of the lanes, then the upper half.
pub(super) type VectorCells<S> = [HalfCells<S>; 2];

/// Splits a vector of coordinates. `None` unless all cells are within 2^29 of zero, so that cells
/// skewed by simplex noise, and neighbours, are within 2^31.
#[inline(always)]
pub(super) fn split<S: Simd>(
    simd: S,
    splitter: &CellSplitter<S>,
    [low, high]: CoordinateLanes<S>,
) -> Option<VectorCells<S>> {
    let (low, high) = (splitter.split_half(low), splitter.split_half(high));
    let limit = S::f64s::splat(simd, NEAR / 4.0);
    let near = low.cell.abs().simd_lt(limit) & high.cell.abs().simd_lt(limit);
    near.all_true().then_some([low, high])
}

/// The coordinates of a grid along one axis.
///
/// The lists are [`MAX_LANES`] longer than the axis, so that a vector can start at any point.
#[derive(Clone, Debug, Default)]
pub(in crate::kernel) struct AxisCells {
    len: usize,
    cell: Vec<f64>,
    t: Vec<f64>,
}

impl AxisCells {
    /// Splits the coordinates. Returns false if one is too far from zero for [`split`]; the
    /// contents are then meaningless.
    #[inline(always)]
    pub(super) fn fill<S: Simd>(
        &mut self,
        simd: S,
        splitter: &CellSplitter<S>,
        coordinates: &Coordinates,
    ) -> bool {
        self.len = coordinates.list().len();
        for list in [&mut self.cell, &mut self.t] {
            list.resize(self.len + MAX_LANES, 0.0);
        }
        let half = S::f64s::LEN;
        for start in (0..self.len).step_by(2 * half) {
            let Some([low, high]) = split(simd, splitter, coordinates.lanes(simd, start)) else {
                return false;
            };
            let ranges = [start..start + half, start + half..start + 2 * half];
            for (range, cells) in ranges.into_iter().zip([low, high]) {
                cells.cell.store_slice(&mut self.cell[range.clone()]);
                cells.t.store_slice(&mut self.t[range]);
            }
        }
        true
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The vector from index `from` on.
    #[inline(always)]
    pub(super) fn lanes<S: Simd>(&self, simd: S, from: usize) -> VectorCells<S> {
        let half = S::f64s::LEN;
        let [low, high] = [from..from + half, from + half..from + 2 * half];
        [
            HalfCells {
                cell: S::f64s::from_slice(simd, &self.cell[low.clone()]),
                t: S::f64s::from_slice(simd, &self.t[low]),
            },
            HalfCells {
                cell: S::f64s::from_slice(simd, &self.cell[high.clone()]),
                t: S::f64s::from_slice(simd, &self.t[high]),
            },
        ]
    }

    /// The coordinate at an index, in all lanes.
    #[inline(always)]
    pub(super) fn splat<S: Simd>(&self, simd: S, index: usize) -> VectorCells<S> {
        let cell = S::f64s::splat(simd, self.cell[index]);
        let t = S::f64s::splat(simd, self.t[index]);
        [HalfCells { cell, t }, HalfCells { cell, t }]
    }

    /// The lower of the cells at both ends of a vector of `lanes` points.
    pub(super) fn lowest_cell(&self, from: usize, lanes: usize) -> i64 {
        self.cell(from).min(self.cell(from + lanes - 1))
    }

    /// The cell at an index.
    pub(super) fn cell(&self, index: usize) -> i64 {
        self.cell[index] as i64
    }
}
