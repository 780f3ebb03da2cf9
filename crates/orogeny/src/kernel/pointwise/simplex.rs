//! Simplex noise in SIMD lanes: the operations of `noise::simplex`, in its order.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::cells::{CellSplitter, HalfCells, VectorCells};
use crate::kernel::corners::{Directions, premixed};
use crate::kernel::sample_lanes::SampleLanes;
use crate::lattice::cell::ONES;
use crate::lattice::hash::Key;

/// Simplex noise of one octave.
pub(crate) struct SimplexKernel {
    /// F and G. y = x + F sum(x) skews, and x = y - G sum(y) unskews.
    pub skew: (f64, f64),
    pub keys: [Key; 2],
    pub directions: Directions,
    /// The factor of the value.
    pub scale: f32,
    /// The factor of the gradient with respect to the caller's coordinates.
    pub slope: f32,
}

/// Half a vector of points in skewed coordinates: the lower 32 bits of the cells, and the offset in
/// the cell.
struct Skewed<S: Simd> {
    cells: [S::u64s; 2],
    y: [S::f64s; 2],
}

impl SimplexKernel {
    /// The noise at a vector of points, from its cells along x and z. Skewing adds F = 0.37 times
    /// the sum of both coordinates to each of them.
    #[inline(always)]
    pub(super) fn of_cells<S: Simd>(
        &self,
        simd: S,
        [low_x, high_x]: &VectorCells<S>,
        [low_z, high_z]: &VectorCells<S>,
    ) -> SampleLanes<S> {
        let skew = CellSplitter::new(simd, self.skew.0, 0.0);
        let low = self.skewed(&skew, low_x, low_z);
        let high = self.skewed(&skew, high_x, high_z);
        let cells = [low.cells[0].narrow(high.cells[0]), low.cells[1].narrow(high.cells[1])];
        let lines =
            [premixed::<S>(cells[0], &self.keys[0]), premixed::<S>(cells[1], &self.keys[1])];
        let next = [
            premixed::<S>(cells[0] + 1, &self.keys[0]),
            premixed::<S>(cells[1] + 1, &self.keys[1]),
        ];
        // The middle corner: one step along the axis with the larger fraction.
        let one = S::f64s::splat(simd, 1.0);
        let zero = S::f64s::splat(simd, 0.0);
        let along_x = [low.y[0].simd_ge(low.y[1]), high.y[0].simd_ge(high.y[1])];
        let low_middle = [along_x[0].select(one, zero), along_x[0].select(zero, one)];
        let high_middle = [along_x[1].select(one, zero), along_x[1].select(zero, one)];
        let middle: S::f32s = low_middle[0].narrow(high_middle[0]);
        let along_x = middle.simd_gt(S::f32s::splat(simd, 0.5));
        let middle = [along_x.select(next[0], lines[0]), along_x.select(lines[1], next[1])];

        let nothing = S::f32s::splat(simd, 0.0);
        let mut sum = SampleLanes::<S> { value: nothing, dx: nothing, dz: nothing };
        let corners = [
            ([zero, zero], [zero, zero], lines),
            (low_middle, high_middle, middle),
            ([one, one], [one, one], next),
        ];
        for (low_step, high_step, [column, line]) in corners {
            let low: [S::f64s; 2] = self.offset_from::<S>(&low.y, low_step);
            let high: [S::f64s; 2] = self.offset_from::<S>(&high.y, high_step);
            let d = [low[0].narrow(high[0]), low[1].narrow(high[1])];
            self.add(simd, d, column * line, &mut sum);
        }
        SampleLanes {
            value: sum.value * self.scale,
            dx: sum.dx * self.slope,
            dz: sum.dz * self.slope,
        }
    }

    /// Adds the contribution of a corner: its ramp times a radial kernel. Outside its radius r is 0
    /// and the contribution exactly zero.
    #[inline(always)]
    fn add<S: Simd>(&self, simd: S, d: [S::f32s; 2], hash: S::u32s, sum: &mut SampleLanes<S>) {
        let r = (S::f32s::splat(simd, 0.5) - (d[0] * d[0] + d[1] * d[1])).max(0.0);
        let [gx, gz] = self.directions.gradients(simd, hash);
        let ramp = gx * d[0] + gz * d[1];
        let r2 = r * r;
        let (fourth, cubed) = (r2 * r2, r2 * r);
        let second = cubed * 8.0 * ramp;
        sum.value += fourth * ramp;
        sum.dx += fourth * gx - second * d[0];
        sum.dz += fourth * gz - second * d[1];
    }

    #[inline(always)]
    fn skewed<S: Simd>(
        &self,
        skew: &CellSplitter<S>,
        x: &HalfCells<S>,
        z: &HalfCells<S>,
    ) -> Skewed<S> {
        let (product, error) = skew.product(x.cell + z.cell);
        let whole = product.floor();
        let part = ((product - whole) + error) + (x.t + z.t) * self.skew.0;
        let (first, y0) = stepped::<S>(x, whole, part);
        let (second, y1) = stepped::<S>(z, whole, part);
        Skewed { cells: [first, second], y: [y0, y1] }
    }

    /// The offset from a corner of the cell along the caller's axes.
    #[inline(always)]
    fn offset_from<S: Simd>(&self, y: &[S::f64s; 2], step: [S::f64s; 2]) -> [S::f64s; 2] {
        let rest = [y[0] - step[0], y[1] - step[1]];
        let shift = (rest[0] + rest[1]) * self.skew.1;
        [rest[0] - shift, rest[1] - shift]
    }
}

/// A skewed coordinate, split into the lower bits of its cell and the offset in the cell.
#[inline(always)]
fn stepped<S: Simd>(along: &HalfCells<S>, whole: S::f64s, part: S::f64s) -> (S::u64s, S::f64s) {
    let y = along.t + part;
    let carry = y.floor();
    let cell = ((along.cell + whole) + carry) + ONES;
    (cell.bitcast(), y - carry)
}
