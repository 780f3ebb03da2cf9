//! The value of a field together with its gradient.

use crate::arrays::{self, Each};
use core::ops::{Add, Mul, Neg, Sub};

/// The value of a field at a point of N dimensions, and its gradient there.
///
/// A `Sample` is a dual number: its arithmetic is the sum, product and chain rule, so a combinator
/// that computes with samples returns the exact gradient without a formula of its own.
///
/// `gradient[k]` is the partial derivative with respect to coordinate k of the caller's point, in
/// units of the value per unit of that coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<const N: usize> {
    /// The value of the field.
    pub value: f32,
    /// The partial derivatives of the field.
    pub gradient: [f32; N],
}

impl<const N: usize> Sample<N> {
    /// The sample outside the domain of a field: every number is NaN.
    pub const OUTSIDE: Self = Self { value: f32::NAN, gradient: [f32::NAN; N] };

    /// All numbers are -0: adding it to another sample changes no bits.
    pub(crate) const NOTHING: Self = Self { value: -0.0, gradient: [-0.0; N] };

    /// A constant field: its gradient is zero.
    pub const fn constant(value: f32) -> Self {
        Self { value, gradient: [0.0; N] }
    }

    /// The chain rule: applies a function of one variable, given its value and derivative at
    /// `self.value`.
    #[inline]
    pub fn map(self, value: f32, derivative: f32) -> Self {
        Self { value, gradient: self.gradient.each(|g| g * derivative) }
    }
}

impl<const N: usize> Default for Sample<N> {
    fn default() -> Self {
        Self::constant(0.0)
    }
}

impl<const N: usize> Add for Sample<N> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            gradient: arrays::from_fn(|k| self.gradient[k] + other.gradient[k]),
        }
    }
}

impl<const N: usize> Sub for Sample<N> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self {
            value: self.value - other.value,
            gradient: arrays::from_fn(|k| self.gradient[k] - other.gradient[k]),
        }
    }
}

impl<const N: usize> Mul for Sample<N> {
    type Output = Self;
    /// The product rule: (f g)' = f' g + f g'.
    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "a derivative of a product has a sum")]
    fn mul(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            gradient: arrays::from_fn(|k| {
                self.gradient[k] * other.value + self.value * other.gradient[k]
            }),
        }
    }
}

impl<const N: usize> Mul<f32> for Sample<N> {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f32) -> Self {
        self.map(self.value * factor, factor)
    }
}

impl<const N: usize> Neg for Sample<N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.map(-self.value, -1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (x^2 + 3 x y) at (2, 5): value 34, gradient (2x + 3y, 3x) = (19, 6).
    #[test]
    fn arithmetic_is_the_chain_rule() {
        let x = Sample { value: 2.0, gradient: [1.0, 0.0] };
        let y = Sample { value: 5.0, gradient: [0.0, 1.0] };
        let f = x * x + x * y * 3.0;
        assert_eq!((f.value, f.gradient), (34.0, [19.0, 6.0]));
        assert_eq!(f - f, Sample::constant(0.0));
        assert_eq!((-f).gradient, [-19.0, -6.0]);
        let root = f.map(f.value.sqrt(), 0.5 / f.value.sqrt());
        assert_eq!(root.gradient[1], 6.0 * (0.5 / 34f32.sqrt()));
    }
}
