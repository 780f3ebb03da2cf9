//! Cellular noise in SIMD lanes: the operations of `noise::cellular`, in its order.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::corners::{mixed, premixed};
use crate::kernel::lattice_cells::{CellSplitter, LatticeCells};
use crate::kernel::positions::CoordinateLanes;
use crate::kernel::sample_lanes::SampleLanes;
use crate::lattice::hash::Key;

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
    pub frequency: f64,
    pub offset: [f64; 2],
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
const STEPS: [i32; 5] = [0, -1, 1, -2, 2];

impl CellularKernel {
    #[inline(always)]
    pub(super) fn at<S: Simd>(
        &self,
        simd: S,
        x: CoordinateLanes<S>,
        z: CoordinateLanes<S>,
    ) -> Option<SampleLanes<S>> {
        let x = CellSplitter::new(simd, self.frequency, self.offset[0]).split(x);
        let z = CellSplitter::new(simd, self.frequency, self.offset[1]).split(z);
        if !(x.near && z.near) {
            return None;
        }
        let [first, second] = self.nearest(simd, &x, &z);
        let sample = match self.measure {
            CellularMeasure::F1 => first.distance(simd),
            CellularMeasure::F2 => second.distance(simd),
            CellularMeasure::F2MinusF1 => {
                let (first, second) = (first.distance(simd), second.distance(simd));
                second - first
            }
        };
        Some(SampleLanes { dx: sample.dx * self.slope, dz: sample.dz * self.slope, ..sample })
    }

    #[inline(always)]
    fn nearest<S: Simd>(
        &self,
        simd: S,
        x: &LatticeCells<S>,
        z: &LatticeCells<S>,
    ) -> [Features<S>; 2] {
        let far = S::f32s::splat(simd, f32::INFINITY);
        let zero = S::f32s::splat(simd, 0.0);
        let none = Features { to: [zero; 2], squared: far };
        let [mut first, mut second] = [none; 2];
        // The premixed words of columns do not depend on the row.
        let mut columns = [x.cells; STEPS.len()];
        for (column, &step) in columns.iter_mut().zip(&STEPS) {
            *column = premixed::<S>(x.cells + step as u32, &self.keys[0]);
        }
        for &row in &STEPS {
            let line = premixed::<S>(z.cells + row as u32, &self.keys[1]);
            let row_gap = gap(simd, row, z.t);
            for (&column, &step) in columns.iter().zip(&STEPS) {
                let gap = gap(simd, step, x.t) + row_gap;
                let near = !gap.simd_ge(second.squared);
                if !near.any_true() {
                    continue;
                }
                let point =
                    self.feature(simd, column * line, [x.t - step as f32, z.t - row as f32]);
                let closest = near & point.squared.simd_lt(first.squared);
                let closer = near & point.squared.simd_lt(second.squared);
                second = first.where_else(closest, point.where_else(closer, second));
                first = point.where_else(closest, first);
            }
        }
        [first, second]
    }

    /// The feature point of a cell, from the cell's hash and the offset of the lanes' positions
    /// from the cell's corner.
    #[inline(always)]
    fn feature<S: Simd>(&self, simd: S, hash: S::u32s, offset: [S::f32s; 2]) -> Features<S> {
        let jitter = S::f32s::splat(simd, self.jitter);
        let hash = mixed::<S>(hash + 0x9e37_79b9);
        let to_x = offset[0] - (jitter * stray::<S>(hash) + 0.5);
        let hash: S::u32s = hash.bitcast();
        let to_z = offset[1] - (jitter * stray::<S>(mixed::<S>(hash + 0x9e37_79b9)) + 0.5);
        Features { to: [to_x, to_z], squared: to_x * to_x + to_z * to_z }
    }
}

/// From -1/2 to 1/2.
#[inline(always)]
fn stray<S: Simd>(hash: S::i32s) -> S::f32s {
    let hash: S::f32s = hash.to_float();
    hash / (1u64 << 32) as f32
}

/// The squared distance to a cell along an axis.
#[inline(always)]
fn gap<S: Simd>(simd: S, step: i32, t: S::f32s) -> S::f32s {
    let step = step as f32;
    let below = S::f32s::splat(simd, step) - t;
    let above = t - (step + 1.0);
    let gap = below.max(above).max(0.0);
    gap * gap
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
