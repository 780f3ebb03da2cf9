//! Stripes along the slope: the sum Z of rotating phases around jittered pivots, with its exact
//! derivatives.

use core::f32::consts::TAU;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::derivative::elementary::Shaped;
use crate::kernel::corners::mixed;
use crate::kernel::erosion::JITTER;
use crate::kernel::erosion::crest::Crest;
use crate::kernel::erosion::turns::turn;
use crate::kernel::positions::CoordinateLanes;
use crate::kernel::sample_lanes::SampleLanes;
use crate::lattice::hash::Key;

/// One octave of gullies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErosionOctave {
    /// Cells per unit of length.
    pub frequency: f64,
    /// The cosine and sine of its lattice's rotation.
    pub turn: [f64; 2],
    pub offset: [f64; 2],
    pub keys: [Key; 2],
    /// In units of length.
    pub amplitude: f32,
    /// The factor with which its slope is added for the next octave.
    pub steer: f32,
    /// The factor of its gradient: the fraction that a grid resolves.
    pub resolved: f32,
    pub ridge: Crest,
    pub valley: Crest,
}

impl ErosionOctave {
    /// Z at the points [x, z], with e = [ex, ez] across the slope.
    #[inline(always)]
    pub(super) fn stripes<S: Simd>(
        &self,
        simd: S,
        [x, z]: [CoordinateLanes<S>; 2],
        [ex, ez]: [SampleLanes<S>; 2],
    ) -> [SampleLanes<S>; 2] {
        let [turn_cos, turn_sin] = self.turn;
        // In the axes of the rotated lattice.
        let turned_x = [x[0] * turn_cos - z[0] * turn_sin, x[1] * turn_cos - z[1] * turn_sin];
        let turned_z = [x[0] * turn_sin + z[0] * turn_cos, x[1] * turn_sin + z[1] * turn_cos];
        let along_x = self.pivot_axis::<S>(simd, 0, turned_x);
        let along_z = self.pivot_axis::<S>(simd, 1, turned_z);
        let [turn_cos, turn_sin] = [turn_cos as f32, turn_sin as f32];
        let across_x = ex.times(turn_cos) + ez.times(-turn_sin);
        let across_z = ex.times(turn_sin) + ez.times(turn_cos);

        let zero = S::f32s::splat(simd, 0.0);
        // Sums over the corners: of W cos and W sin; of both times the vector q from the pivot; and
        // of cos and sin times the derivatives of W along x and z.
        let [mut real, mut imaginary] = [zero; 2];
        let [mut real_q, mut imaginary_q] = [[zero; 2]; 2];
        let [mut real_w, mut imaginary_w] = [[zero; 2]; 2];
        for (&line, corner_z) in along_z.lines.iter().zip(0u8..) {
            let (weight_z, slope_z) = along_z.weight(simd, corner_z);
            for (&column, corner_x) in along_x.lines.iter().zip(0u8..) {
                let (weight_x, slope_x) = along_x.weight(simd, corner_x);
                let hash = mixed::<S>(column * line + 0x9e37_79b9);
                let next: S::u32s = hash.bitcast();
                let next = mixed::<S>(next + 0x9e37_79b9);
                let qx = (along_x.t - f32::from(corner_x)) - jitter::<S>(hash);
                let qz = (along_z.t - f32::from(corner_z)) - jitter::<S>(next);
                let [cos, sin] = turn::<S>(simd, qx * across_x.value + qz * across_z.value);
                let weight = weight_x * weight_z;
                let (weighted_cos, weighted_sin) = (weight * cos, weight * sin);
                real += weighted_cos;
                imaginary += weighted_sin;
                real_q = [real_q[0] + weighted_cos * qx, real_q[1] + weighted_cos * qz];
                imaginary_q =
                    [imaginary_q[0] + weighted_sin * qx, imaginary_q[1] + weighted_sin * qz];
                let (along, up) = (slope_x * weight_z, weight_x * slope_z);
                real_w = [real_w[0] + along * cos, real_w[1] + up * cos];
                imaginary_w = [imaginary_w[0] + along * sin, imaginary_w[1] + up * sin];
            }
        }
        // d cos(2 pi q . e) = -2 pi sin (e . dq + q . de), and d sin = 2 pi cos (..).
        let frequency = self.frequency as f32;
        let (across_x, across_z) = (across_x.times(TAU), across_z.times(TAU));
        let by_point = PointDerivatives {
            turn: [turn_cos * frequency, turn_sin * frequency],
            across: [across_x, across_z],
        };
        let real_by_q =
            [real_w[0] - imaginary * across_x.value, real_w[1] - imaginary * across_z.value];
        let imaginary_by_q =
            [imaginary_w[0] + real * across_x.value, imaginary_w[1] + real * across_z.value];
        let real = by_point.chain(real, real_by_q, [-imaginary_q[0], -imaginary_q[1]]);
        let imaginary = by_point.chain(imaginary, imaginary_by_q, real_q);
        [real.weighted(self.resolved), imaginary.weighted(self.resolved)]
    }
}

/// The derivatives of q and e with respect to the point.
struct PointDerivatives<S: Simd> {
    /// The derivatives of q_x along x and of q_z along x.
    turn: [f32; 2],
    /// 2 pi e.
    across: [SampleLanes<S>; 2],
}

impl<S: Simd> PointDerivatives<S> {
    /// The derivatives of a value along x and z, from its derivatives with respect to q and 2 pi e.
    #[inline(always)]
    fn chain(&self, value: S::f32s, q: [S::f32s; 2], e: [S::f32s; 2]) -> SampleLanes<S> {
        let ([cos, sin], [ex, ez]) = (self.turn, &self.across);
        SampleLanes {
            value,
            dx: (q[0] * cos + q[1] * sin) + (e[0] * ex.dx + e[1] * ez.dx),
            dz: (q[1] * cos - q[0] * sin) + (e[0] * ex.dz + e[1] * ez.dz),
        }
    }
}

/// The jitter of a pivot along an axis.
#[inline(always)]
fn jitter<S: Simd>(hash: S::i32s) -> S::f32s {
    let hash: S::f32s = hash.to_float();
    hash * (JITTER / (1u64 << 32) as f32)
}
