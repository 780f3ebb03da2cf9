//! Samples in SIMD lanes: a value with its derivatives along x and z, and their arithmetic.

use core::ops::{Add, Mul, Sub};

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::derivative::elementary::Shaped;

/// A vector of samples. If only values are filled, the derivatives are meaningless.
#[derive(Clone, Copy)]
pub(super) struct SampleLanes<S: Simd> {
    pub value: S::f32s,
    pub dx: S::f32s,
    pub dz: S::f32s,
}

impl<S: Simd> SampleLanes<S> {
    /// Values with derivatives of zero.
    #[inline(always)]
    pub fn constant(value: S::f32s) -> Self {
        let zero = S::f32s::splat(value.token(), 0.0);
        Self { value, dx: zero, dz: zero }
    }

    /// Multiplies the derivatives by a weight, like
    /// [`Dual::weighted`](crate::derivative::chain_rule::Dual::weighted).
    #[inline(always)]
    pub fn weighted(self, weight: f32) -> Self {
        if weight == 0.0 {
            let nothing = S::f32s::splat(self.value.token(), -0.0);
            return Self { value: self.value, dx: nothing, dz: nothing };
        }
        Self { value: self.value, dx: self.dx * weight, dz: self.dz * weight }
    }

    /// The chain rule: the value f(self) and the slope f'(self).
    #[inline(always)]
    pub fn map(self, value: S::f32s, slope: S::f32s) -> Self {
        Self { value, dx: self.dx * slope, dz: self.dz * slope }
    }
}

impl<S: Simd> Add for SampleLanes<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, dx: self.dx + other.dx, dz: self.dz + other.dz }
    }
}

impl<S: Simd> Sub for SampleLanes<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, dx: self.dx - other.dx, dz: self.dz - other.dz }
    }
}

impl<S: Simd> Mul for SampleLanes<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.product(other)
    }
}

/// The operations of [`Sample`](crate::Sample), in its order.
impl<S: Simd> Shaped for SampleLanes<S> {
    #[inline(always)]
    fn times(self, factor: f32) -> Self {
        Self { value: self.value * factor, dx: self.dx * factor, dz: self.dz * factor }
    }

    #[inline(always)]
    fn affine(self, factor: f32, offset: f32) -> Self {
        let Self { value, dx, dz } = self.times(factor);
        Self { value: value + offset, dx, dz }
    }

    #[inline(always)]
    fn product(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            dx: self.dx * other.value + self.value * other.dx,
            dz: self.dz * other.value + self.value * other.dz,
        }
    }

    #[inline(always)]
    fn abs(self) -> Self {
        let simd = self.value.token();
        let zero = S::f32s::splat(simd, 0.0);
        let sign = S::f32s::splat(simd, 1.0).copysign(self.value);
        self.map(self.value.abs(), self.value.simd_eq(zero).select(zero, sign))
    }

    #[inline(always)]
    fn square(self) -> Self {
        self.product(self)
    }

    #[inline(always)]
    fn triangle(self) -> Self {
        let simd = self.value.token();
        let (zero, one) = (S::f32s::splat(simd, 0.0), S::f32s::splat(simd, 1.0));
        let rest = self.value - (self.value * 0.5).floor() * 2.0;
        let is_crease = rest.simd_eq(zero) | rest.simd_eq(one);
        let falls = rest.simd_gt(one);
        let slope = falls.select(zero - one, is_crease.select(zero, one));
        self.map(falls.select(S::f32s::splat(simd, 2.0) - rest, rest), slope)
    }

    #[inline(always)]
    fn at_most_one(self) -> Self {
        let simd = self.value.token();
        let (zero, one) = (S::f32s::splat(simd, 0.0), S::f32s::splat(simd, 1.0));
        let above = self.value.simd_ge(one);
        Self {
            value: above.select(one, self.value),
            dx: above.select(zero, self.dx),
            dz: above.select(zero, self.dz),
        }
    }
}
