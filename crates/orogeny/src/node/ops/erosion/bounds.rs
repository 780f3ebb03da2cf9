//! Proven bounds of eroded fields.
//!
//! All g_i are means of numbers from -1 to 1, which bounds the values. For the slope let D bound
//! the derivative of the steering slope s, at first the second derivatives of the field h, and f =
//! 1 / w. Along any direction,
//!
//! * |d'| <= D / threshold, since s / sqrt(|s|^2 + t^2) stretches nothing by more than 1 / t;
//! * the phase changes by at most 2 pi y', y' = f + R D / threshold, where R = 1.35 sqrt 2 is the
//!   maximum distance of a pivot from a point of its cell, in cells;
//! * |Z'| <= 2 pi y' + f sum of |W_c'| <= 2 pi y' + f 15/4 sqrt 2 =: z, as u' <= 15/8;
//! * |X'|, |Y'| <= 3.4 z: the slope of r^2 / sqrt(r^4 + b^4) is at most 1.018 / b, and its quotient
//!   by r is at most 1 / (b sqrt 2), b = 0.3;
//! * |m'| <= k'(1) of ridges times k'(1) of floors times 3.4 z, k'(1) = (sqrt(1 + b^2) + b) / (2
//!   b);
//! * |M_0'| <= 0.65 D / threshold, |M_(i+1)'| <= |M_i'| + 4 . 3.4 z;
//! * |g_i'| <= max(|g_(i-1)'|, |m'|) + 2 |M'|, and |g_(-1)'| <= L_h / relief;
//! * D grows by branching a 2 pi f (|M'| + 3.4 z + D / threshold).
//!
//! So the bound grows about a hundredfold with each octave, while the slopes found by sampling
//! hardly grow. The bound must allow for the singular points of stripes, although they are rare and
//! faded out, which these inequalities do not use.

use core::f64::consts::{PI, SQRT_2, TAU};

use super::Erosion;
use crate::derivative::bounds::{Bounds, times};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// The maximum distance of a pivot, in cells.
const REACH: f64 = (1.0 + kernel_jitter() / 2.0) * SQRT_2;

const fn kernel_jitter() -> f64 {
    crate::kernel::EROSION_JITTER as f64
}

impl Erosion {
    /// The maximum difference between the result and the field.
    pub(crate) fn depth(&self) -> f64 {
        self.series().map(|(amplitude, _)| amplitude).sum::<f64>() / f64::from(self.height)
    }

    /// The bounds of the eroded field, given those of the field. Second derivatives are unbounded.
    pub(crate) fn bounds(&self, field: Bounds) -> Bounds {
        let depth = self.depth();
        Bounds {
            min: field.min - depth,
            max: field.max + depth,
            lipschitz: field.lipschitz + self.steepest(field) / f64::from(self.height),
            curvature: if depth == 0.0 { field.curvature } else { f64::INFINITY },
        }
    }

    /// A bound on the slope of the sum of all gullies.
    fn steepest(&self, field: Bounds) -> f64 {
        let height = f64::from(self.height);
        let threshold = f64::from(self.threshold);
        let crest = |b: f64| ((1.0 + b * b).sqrt() + b) / (2.0 * b);
        let profile = crest(self.ridge_width()) * crest(self.valley_width());
        let mut turn = times(field.curvature, height);
        let mut mask = 0.65 * turn / threshold;
        let mut target = times(field.lipschitz, height) / f64::from(self.relief);
        let mut sum = 0.0;
        for (amplitude, width) in self.series() {
            let phase = 1.0 / width + REACH * turn / threshold;
            let stripes = 3.4 * (TAU * phase + 3.75 * SQRT_2 / width);
            target = target.max(profile * stripes) + 2.0 * mask;
            sum += times(amplitude, target);
            let steer = f64::from(self.branching) * amplitude * 2.0 * PI / width;
            turn += times(steer, mask + stripes + turn / threshold);
            mask += 4.0 * stripes;
        }
        sum
    }
}
