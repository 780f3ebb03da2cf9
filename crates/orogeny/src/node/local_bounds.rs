//! Local bounds: proven bounds over a ball instead of the whole domain.
//!
//! With s the sample of one octave at the centre of a ball of radius r, and L, C and the interval
//! those of the octave over the whole domain,
//!
//! - |grad n| <= min(L, |grad s| + C r) =: L',
//! - |n - s| <= min(L' r, |grad s| r + C r^2 / 2), within the interval,
//!
//! by Taylor's formula along the line from the centre. The partial sums of an fBm are fields, too,
//! so the same holds for each of them, and slopes that cancel at the centre do not add up.
//! Operators compose local bounds by the same rules as global ones, see [`Bounds`].
//!
//! Local bounds hold for samples as they are computed. Each operator widens them by the rounding
//! error of its own `f32` arithmetic: a displacement of 1e6 is rounded to 0.06 units of length,
//! however small the ball is.

use crate::arrays::{self, Each};
use crate::derivative::bounds::{Bounds, times};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// The rounding error of an octave: of its value, this times (max |n| + L); of its gradient, this
/// times (max |n| + L + C) f, with the noise's bounds at frequency 1. Half of it is for the sample
/// at the centre, half for another one in the ball: 5e-7 each, where tests find up to 4e-7.
pub(crate) const ROUNDING: f64 = 1e-6;

/// Coordinates below this, in cells, are within the domain of every noise.
pub(crate) const SURELY_INSIDE: f64 = (1u64 << 50) as f64;

/// The sample of an octave, or of a sum of octaves, at the centre of a ball.
#[derive(Clone, Copy)]
pub(crate) struct Centre<const N: usize> {
    pub value: f64,
    pub gradient: [f64; N],
    pub value_error: f64,
    pub slope_error: f64,
}

impl<const N: usize> Centre<N> {
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            gradient: self.gradient.each(|g| g * factor),
            value_error: self.value_error * factor.abs(),
            slope_error: self.slope_error * factor.abs(),
        }
    }

    pub fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            gradient: arrays::from_fn(|k| self.gradient[k] + other.gradient[k]),
            value_error: self.value_error + other.value_error,
            slope_error: self.slope_error + other.slope_error,
        }
    }

    /// The bounds within `radius` of the centre, given those over the whole domain.
    pub fn tighten(&self, whole: Bounds, radius: f64) -> Bounds {
        let slope = self.gradient.iter().map(|g| g * g).sum::<f64>().sqrt() + self.slope_error;
        let change = times(whole.curvature, radius);
        let lipschitz = whole.lipschitz.min(slope + change);
        let reach = self.value_error + times(lipschitz.min(slope + change / 2.0), radius);
        Bounds {
            min: whole.min.max(self.value - reach),
            max: whole.max.min(self.value + reach),
            lipschitz,
            ..whole
        }
    }
}

/// The rounding error of four operations in `f32` on numbers up to 1.
const OPERATIONS: f64 = 1.0 / (1u64 << 22) as f64;

/// Bounds of the `f32` result that an operator computes from numbers up to `size`, given the bounds
/// of its exact result.
pub(crate) fn rounded(exact: Bounds, size: f64) -> Bounds {
    let error = OPERATIONS * size;
    Bounds {
        min: exact.min - error,
        max: exact.max + error,
        lipschitz: exact.lipschitz * (1.0 + 4.0 * OPERATIONS),
        ..exact
    }
}
