//! The lattice of pivots along one axis: lattice lines, offsets and weights.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::corners::premixed;
use crate::kernel::erosion::stripes::ErosionOctave;
use crate::kernel::lattice_cells::CellSplitter;
use crate::kernel::positions::CoordinateLanes;
use crate::lattice::cell::split;
use crate::lattice::hash::premix;

/// A vector of points along one axis of a lattice.
pub(super) struct PivotAxis<S: Simd> {
    /// The premixed words of the lines below and above.
    pub lines: [S::u32s; 2],
    /// The offset from the line below.
    pub t: S::f32s,
    /// The weight of the line above, and its derivative with respect to `t`.
    upper: S::f32s,
    slope: S::f32s,
}

impl<S: Simd> PivotAxis<S> {
    /// The weight of a line, 0 below and 1 above, and its derivative.
    #[inline(always)]
    pub fn weight(&self, simd: S, line: u8) -> (S::f32s, S::f32s) {
        if line == 1 {
            return (self.upper, self.slope);
        }
        (S::f32s::splat(simd, 1.0) - self.upper, -self.slope)
    }
}

impl ErosionOctave {
    /// Finds the lines around a vector of points, and the weights.
    #[inline(always)]
    pub(super) fn pivot_axis<S: Simd>(
        &self,
        simd: S,
        axis: usize,
        position: CoordinateLanes<S>,
    ) -> PivotAxis<S> {
        let key = &self.keys[axis];
        let cells = CellSplitter::new(simd, self.frequency, self.offset[axis]).split(position);
        let (lines, t) = if cells.near {
            ([premixed::<S>(cells.cells, key), premixed::<S>(cells.cells + 1, key)], cells.t)
        } else {
            self.far::<S>(simd, axis, position)
        };
        let one = S::f32s::splat(simd, 1.0);
        let rest = one - t;
        // The quintic fade, evaluated from the nearer end.
        let near = t.min(rest);
        let small = near * near * near * (near * (near * 6.0 - 15.0) + 10.0);
        let upper = t.simd_gt(rest).select(one - small, small);
        let bump = t * rest;
        PivotAxis { lines, t, upper, slope: bump * bump * 30.0 }
    }

    /// The lines and offsets of points too far from the origin for SIMD.
    #[inline(never)]
    fn far<S: Simd>(
        &self,
        simd: S,
        axis: usize,
        position: CoordinateLanes<S>,
    ) -> ([S::u32s; 2], S::f32s) {
        let mut lines = [S::u32s::splat(simd, 0); 2];
        let mut t = S::f32s::splat(simd, 0.0);
        let [low, high] = &position;
        for (i, &position) in low.as_slice().iter().chain(high.as_slice()).enumerate() {
            let (cell, fraction) = split(position, self.frequency, self.offset[axis]);
            lines[0].as_mut_slice()[i] = premix(cell, &self.keys[axis]);
            lines[1].as_mut_slice()[i] = premix(cell.wrapping_add(1), &self.keys[axis]);
            t.as_mut_slice()[i] = fraction as f32;
        }
        (lines, t)
    }
}
