//! Proven bounds, and how they compose.

use core::ops::{Add, Mul};

use crate::arrays::Each;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// Proven bounds of a field over its whole domain, or over a part of it.
///
/// The bounds hold for the exact field. Samples are rounded to `f32` and may exceed them by a few
/// millionths of the amplitude. A bound that is not known or does not exist is infinite.
///
/// They compose by the rules of calculus, with |f| the largest absolute value, L the Lipschitz
/// constant and C the bound on second derivatives:
///
/// | field | L | C |
/// |---|---|---|
/// | f + g | L_f + L_g | C_f + C_g |
/// | f g | \|f\| L_g + \|g\| L_f | \|f\| C_g + 2 L_f L_g + \|g\| C_f |
/// | m(f) | sup\|m'\| L | sup\|m''\| L^2 + sup\|m'\| C |
/// | f(A p) | \|\|A\|\| L | \|\|A\|\|^2 C |
/// | f(p + w(p)) | (1 + L_w) L | (1 + L_w)^2 C + L C_w, with L_w^2 = sum of L_k^2 and C_w^2 = sum of C_k^2 over the components w_k |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The minimum: no value is less.
    pub min: f64,
    /// The maximum: no value is greater.
    pub max: f64,
    /// The Lipschitz constant: |f(p) - f(q)| <= lipschitz |p - q|, so no gradient is longer.
    pub lipschitz: f64,
    /// The Lipschitz constant of the gradient: no second derivative in any direction is larger.
    /// Infinite where the field has creases.
    pub curvature: f64,
}

impl Bounds {
    /// No bounds.
    pub const UNKNOWN: Self = Self {
        min: f64::NEG_INFINITY,
        max: f64::INFINITY,
        lipschitz: f64::INFINITY,
        curvature: f64::INFINITY,
    };

    /// The bounds of a constant.
    pub fn constant(value: f64) -> Self {
        Self { min: value, max: value, lipschitz: 0.0, curvature: 0.0 }
    }

    /// The largest absolute value.
    pub fn max_abs(&self) -> f64 {
        self.min.abs().max(self.max.abs())
    }

    /// How far the field may be from its linear interpolation over simplices whose corners are
    /// `radius` from their centre, see `node/interpolation_error.rs`.
    pub(crate) fn interpolation_error(&self, radius: f64) -> f64 {
        let by_curvature = times(self.curvature, radius * radius / 2.0);
        by_curvature.min(times(self.lipschitz, radius)).min(self.max - self.min)
    }

    /// The bounds of factor * f.
    pub fn scaled(self, factor: f64) -> Self {
        let [a, b] = [times(self.min, factor), times(self.max, factor)];
        Self {
            min: a.min(b),
            max: a.max(b),
            lipschitz: times(self.lipschitz, factor.abs()),
            curvature: times(self.curvature, factor.abs()),
        }
    }

    /// The bounds of f(A p), where A stretches no vector by more than `norm`.
    pub fn stretched(self, norm: f64) -> Self {
        Self {
            lipschitz: times(self.lipschitz, norm),
            curvature: times(self.curvature, norm * norm),
            ..self
        }
    }

    /// The tighter of two bounds of the same field, number by number. If rounding makes the ends
    /// cross, they become equal.
    pub(crate) fn and(self, other: Self) -> Self {
        let min = self.min.max(other.min);
        Self {
            min,
            max: self.max.min(other.max).max(min),
            lipschitz: self.lipschitz.min(other.lipschitz),
            curvature: self.curvature.min(other.curvature),
        }
    }

    /// The bounds where the values of the field are known to be within `reach` of `value`.
    pub(crate) fn near(self, value: f64, reach: f64) -> Self {
        self.and(Self { min: value - reach, max: value + reach, ..self })
    }

    /// The wider of two bounds, number by number: those of either of two fields.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            lipschitz: self.lipschitz.max(other.lipschitz),
            curvature: self.curvature.max(other.curvature),
        }
    }

    /// The bounds of m(f): `range` is the image of the interval from min to max, `slope` and
    /// `second` are the largest |m'| and |m''| on it.
    pub fn mapped(self, range: [f64; 2], slope: f64, second: f64) -> Self {
        Self {
            min: range[0],
            max: range[1],
            lipschitz: times(slope, self.lipschitz),
            curvature: times(second, self.lipschitz * self.lipschitz)
                + times(slope, self.curvature),
        }
    }
}

/// The bounds of f(p + w(p)) from those of f and of the components of w.
pub(crate) fn warp_bounds(field: Bounds, moves: &[Bounds]) -> Bounds {
    let [slope, second] = [length(moves, |b| b.lipschitz), length(moves, |b| b.curvature)];
    let mut warped = field.stretched(1.0 + slope);
    warped.curvature += times(field.lipschitz, second);
    warped
}

/// The length of a vector with one number of each of the bounds as its components.
pub(crate) fn length(all: &[Bounds], of: fn(&Bounds) -> f64) -> f64 {
    all.iter().map(of).map(|x| x * x).sum::<f64>().sqrt()
}

/// The distance of the corners of a cube with edges of `spacing` from its centre.
pub(crate) fn half_diagonal<const N: usize>(spacing: f64) -> f64 {
    spacing * (N as f64).sqrt() / 2.0
}

/// The product of two bounds: 0 times infinity is 0.
pub(crate) fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

/// The smallest interval that contains two others. The empty one is [inf, -inf].
pub(crate) fn union(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// The minimum and the maximum of some numbers: the empty interval if there are none. For the
/// ends of intervals, use [`union`].
pub(crate) fn hull(values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    values.into_iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)])
}

impl Add for Bounds {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            min: self.min + other.min,
            max: self.max + other.max,
            lipschitz: self.lipschitz + other.lipschitz,
            curvature: self.curvature + other.curvature,
        }
    }
}

impl Mul for Bounds {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let ends = [self.min, self.max].each(|a| [other.min, other.max].each(|b| times(a, b)));
        let [min, max] = hull(ends.into_iter().flatten());
        let (a, b) = (self.max_abs(), other.max_abs());
        Self {
            min,
            max,
            lipschitz: times(a, other.lipschitz) + times(b, self.lipschitz),
            curvature: times(a, other.curvature)
                + times(2.0, times(self.lipschitz, other.lipschitz))
                + times(b, self.curvature),
        }
    }
}
