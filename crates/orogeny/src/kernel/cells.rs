//! Coordinates in SIMD lanes, split exactly into lattice cells and offsets in them.

use alloc::vec::Vec;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::positions::CoordinateLanes;
use crate::kernel::{Coordinates, MAX_LANES};
use crate::lattice::cell::{NEAR, ONES, VELTKAMP};

/// Splits position * frequency + offset into cell and fraction.
pub(super) struct CellSplitter<S: Simd> {
    frequency: S::f64s,
    /// The upper 26 bits of the frequency, and the remaining ones.
    halves: [S::f64s; 2],
    offset: S::f64s,
}

/// A vector of coordinates on the lattice.
pub(super) struct LatticeCells<S: Simd> {
    /// The lower 32 bits of the cells.
    pub cells: S::u32s,
    /// The offset in the cell, in [0, 1].
    pub t: S::f32s,
    /// Whether all cells and their neighbours are within 2^31 of zero. If not, the other fields
    /// are meaningless.
    pub near: bool,
}

/// Half a vector of coordinates on the lattice, in f64.
pub(super) struct HalfCells<S: Simd> {
    pub cell: S::f64s,
    pub t: S::f64s,
}

impl<S: Simd> LatticeCells<S> {
    /// Joins the halves of a vector.
    #[inline(always)]
    pub fn of_halves([low, high]: &[HalfCells<S>; 2]) -> Self {
        let limit = S::f64s::splat(low.cell.token(), NEAR);
        let near = low.cell.abs().simd_lt(limit) & high.cell.abs().simd_lt(limit);
        let cells: [S::u64s; 2] = [(low.cell + ONES).bitcast(), (high.cell + ONES).bitcast()];
        Self { cells: cells[0].narrow(cells[1]), t: low.t.narrow(high.t), near: near.all_true() }
    }
}

impl<S: Simd> CellSplitter<S> {
    #[inline(always)]
    pub fn new(simd: S, frequency: f64, offset: f64) -> Self {
        Self::of_lanes(S::f64s::splat(simd, frequency), S::f64s::splat(simd, offset))
    }

    /// A frequency and an offset for each lane of half a vector.
    #[inline(always)]
    pub fn of_lanes(frequency: S::f64s, offset: S::f64s) -> Self {
        Self { frequency, halves: halves::<S>(frequency), offset }
    }

    /// Splits a vector: the operations of [`split`](crate::lattice::cell::split), in its order.
    #[inline(always)]
    pub fn split(&self, [low, high]: CoordinateLanes<S>) -> LatticeCells<S> {
        LatticeCells::of_halves(&[self.split_half(low), self.split_half(high)])
    }

    /// Splits half a vector, without rounding to f32.
    #[inline(always)]
    pub fn split_half(&self, position: S::f64s) -> HalfCells<S> {
        let (product, error) = self.product(position);
        let floor = product.floor();
        let t = ((product - floor) + error) + self.offset;
        let carry = t.floor();
        HalfCells { cell: floor + carry, t: t - carry }
    }

    /// The rounded product with the frequency, and the exact difference of the true product from
    /// it.
    #[inline(always)]
    pub fn product(&self, position: S::f64s) -> (S::f64s, S::f64s) {
        let product = position * self.frequency;
        (product, self.error(position, product))
    }

    /// The exact difference of the product of position and frequency from its rounded one.
    #[inline(always)]
    fn error(&self, position: S::f64s, product: S::f64s) -> S::f64s {
        // CPUs with vectors this wide have a fused multiply-add. Both methods are exact, so the
        // bits agree.
        if S::f64s::LEN >= 4 {
            return position.mul_add_precise(self.frequency, -product);
        }
        let [high, low] = halves::<S>(position);
        let [frequency, rest] = self.halves;
        ((high * frequency - product) + high * rest + low * frequency) + low * rest
    }
}

/// Splits 53-bit significands into halves by Veltkamp's method.
#[inline(always)]
fn halves<S: Simd>(a: S::f64s) -> [S::f64s; 2] {
    let scaled = a * VELTKAMP;
    let high = scaled - (scaled - a);
    [high, a - high]
}

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
