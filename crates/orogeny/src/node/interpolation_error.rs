//! Bounds on the distance of a field from its linear interpolation over simplices, which are
//! triangles in two dimensions.
//!
//! Let the corners v_i of a simplex lie on a sphere of radius R with the simplex inside it; half a
//! square of side h has R = h / sqrt 2. Let p be a point of the simplex with barycentric weights
//! w_i, and If the linear interpolation of f between the corners. Then
//!
//! sum of w_i |v_i - p|^2 = R^2 - |p - centre|^2 <= R^2,
//!
//! so |f - If| <= C R^2 / 2 by Taylor's formula. It is also at most L R, and at most the range of
//! f. Values at the corners differ by at most s_f = 2 R L. With e_f for the largest |f - If|,
//! errors compose as follows:
//!
//! | field | e | why |
//! |---|---|---|
//! | f + g | e_f + e_g | |
//! | f g | \|f\| e_g + \|g\| e_f + s_f s_g / 4 | fg - I(fg) = (f - If) g + If (g - Ig) + (If Ig - I(fg)), and the last one is a covariance |
//! | \|f\| | e_f + s_f / 2, or e_f where f keeps its sign | 2 min(sum of w_i f_i+, sum of w_i f_i-) <= s_f / 2 |
//! | triangle wave of f | e_f + s_f / 2, or e_f where f crosses no whole number | sup\|m'\| is 1 |
//! | f^2 | 2 \|f\| e_f + s_f^2 / 4 | a variance |
//! | min(f, 1) | e_f + s_f / 4 | |
//! | min and max of f and g, smooth or not | max(e_f, e_g) + max(s_f, s_g) | their slopes are weights of a mean |
//! | m(f) | sup\|m'\| (e_f + s_f / 2) | |
//!
//! Each is also limited by the composed bounds. Octaves are added one by one: coarse ones
//! contribute by their curvature, fine ones by their range.

use crate::derivative::bounds::{Bounds, times};
use crate::derivative::elementary::Shaped;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// The error of a field's linear interpolation over simplices of a given size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interpolated {
    pub bounds: Bounds,
    /// R.
    pub radius: f64,
    /// e.
    pub error: f64,
    /// s.
    pub swing: f64,
}

impl Interpolated {
    /// A field with bounds, of which nothing else is known.
    pub fn new(bounds: Bounds, radius: f64) -> Self {
        let swing = times(bounds.lipschitz, 2.0 * radius).min(bounds.max - bounds.min);
        Self { bounds, radius, error: bounds.interpolation_error(radius), swing }
    }

    /// A field over the same simplices with these bounds, limited further by bounds on its error
    /// and its swing.
    pub fn with(self, bounds: Bounds, error: f64, swing: f64) -> Self {
        let own = Self::new(bounds, self.radius);
        Self { error: own.error.min(error), swing: own.swing.min(swing), ..own }
    }

    /// f + g.
    pub fn plus(self, other: Self) -> Self {
        let bounds = self.bounds + other.bounds;
        self.with(bounds, self.error + other.error, self.swing + other.swing)
    }

    /// m(f), given its bounds. `gap` bounds how far m departs from a straight line over the swing
    /// of f, in units of sup|m'| times that swing: 0 for a linear m, 1/2 for any other.
    pub fn mapped(self, bounds: Bounds, gap: f64) -> Self {
        let lipschitz = self.bounds.lipschitz;
        if lipschitz == 0.0 || !lipschitz.is_finite() {
            return Self::new(bounds, self.radius);
        }
        // The bounds of m(f) have sup|m'| as a factor.
        let slope = bounds.lipschitz / lipschitz;
        let error = self.error + gap * self.swing;
        self.with(bounds, times(slope, error), times(slope, self.swing))
    }
}

impl Shaped for Interpolated {
    fn times(self, factor: f32) -> Self {
        self.affine(factor, 0.0)
    }

    fn affine(self, factor: f32, offset: f32) -> Self {
        let size = f64::from(factor.abs());
        let bounds = self.bounds.affine(factor, offset);
        self.with(bounds, times(size, self.error), times(size, self.swing))
    }

    fn product(self, other: Self) -> Self {
        let (a, b) = (self.bounds.max_abs(), other.bounds.max_abs());
        let error = times(a, other.error) + times(b, self.error);
        let swing = times(a, other.swing) + times(b, self.swing);
        let covariance = times(self.swing, other.swing) / 4.0;
        self.with(self.bounds * other.bounds, error + covariance, swing)
    }

    fn abs(self) -> Self {
        let crosses = self.bounds.min < 0.0 && self.bounds.max > 0.0;
        let gap = if crosses { self.swing / 2.0 } else { 0.0 };
        self.with(self.bounds.abs(), self.error + gap, self.swing)
    }

    fn square(self) -> Self {
        let twice = 2.0 * self.bounds.max_abs();
        let error = times(twice, self.error) + times(self.swing, self.swing) / 4.0;
        self.with(self.bounds.square(), error, times(twice, self.swing))
    }

    fn triangle(self) -> Self {
        // The triangle wave has creases at whole numbers.
        let crosses = self.bounds.min.ceil() <= self.bounds.max.floor();
        let gap = if crosses { self.swing / 2.0 } else { 0.0 };
        self.with(self.bounds.triangle(), self.error + gap, self.swing)
    }

    fn at_most_one(self) -> Self {
        let gap = if self.bounds.max > 1.0 { self.swing / 4.0 } else { 0.0 };
        self.with(self.bounds.at_most_one(), self.error + gap, self.swing)
    }
}
