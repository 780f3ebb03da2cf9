//! The four coefficients along an axis that a position reads, and their weights.

/// How far, in cells, a position may be outside the raster and count as its border: grids that
/// are aligned with the raster meet its last samples only up to rounding.
const SLACK: f64 = 1e-6;

/// The taps of one coordinate: padded coefficients `first` to `first + 3`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taps {
    pub first: usize,
    /// The weights of the value, and of the derivative by the coordinate; NaN outside the raster.
    pub weights: [f64; 4],
    pub slopes: [f64; 4],
    /// The position within the cell, from 0 to 1.
    t: f64,
    /// Samples per unit of length.
    density: f64,
}

impl Taps {
    /// The taps of a coordinate outside the raster.
    pub const OUTSIDE: Self =
        Self { first: 0, weights: [f64::NAN; 4], slopes: [f64::NAN; 4], t: f64::NAN, density: 0.0 };

    /// The taps at index `u` of `count` samples that are `spacing` apart. The weights are those of
    /// the uniform cubic B-spline with t = u - floor(u) and r = 1 - t: r^3 / 6, (3 t^3 - 6 t^2 + 4)
    /// / 6, the same in r, and t^3 / 6.
    #[inline]
    pub fn new(u: f64, count: usize, spacing: f64) -> Self {
        let last = (count - 1) as f64;
        // Not the opposite comparisons: NaN is outside.
        if !(u >= -SLACK && u <= last + SLACK) {
            return Self::OUTSIDE;
        }
        let cell = u.floor().clamp(0.0, last - 1.0);
        let t = (u - cell).clamp(0.0, 1.0);
        let (r, density) = (1.0 - t, 1.0 / spacing);
        let slopes = [-r * r / 2.0, t * (1.5 * t - 2.0), -r * (1.5 * r - 2.0), t * t / 2.0];
        Self {
            first: cell as usize,
            weights: [
                r * r * r / 6.0,
                (t * t * (3.0 * t - 6.0) + 4.0) / 6.0,
                (r * r * (3.0 * r - 6.0) + 4.0) / 6.0,
                t * t * t / 6.0,
            ],
            slopes: slopes.map(|slope| slope * density),
            t,
            density,
        }
    }

    /// Whether the coordinate is within the raster.
    #[inline]
    pub fn is_inside(&self) -> bool {
        !self.t.is_nan()
    }

    /// The weights of the second derivative by the coordinate.
    pub fn bends(&self) -> [f64; 4] {
        let (t, r) = (self.t, 1.0 - self.t);
        [r, 3.0 * t - 2.0, 3.0 * r - 2.0, t].map(|bend| bend * self.density * self.density)
    }

    /// The same taps of a part of the coefficients that starts at `start`.
    #[inline]
    pub fn within(self, start: usize) -> Self {
        Self { first: self.first - start, ..self }
    }
}

/// The sum of four products, in this order everywhere: grids and points agree bit for bit.
#[inline(always)]
pub(super) fn dot(weights: &[f64; 4], c: [f64; 4]) -> f64 {
    weights[0] * c[0] + weights[1] * c[1] + (weights[2] * c[2] + weights[3] * c[3])
}
