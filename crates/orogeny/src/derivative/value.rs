//! A value without derivatives, so that a tree can be evaluated without paying for them. All bits
//! are those of a sample's value.

use crate::derivative::chain_rule::Dual;
use crate::derivative::elementary::{Shaped, triangle};
use crate::derivative::sample::Sample;

impl Shaped for f32 {
    #[inline]
    fn times(self, factor: f32) -> Self {
        self * factor
    }

    #[inline]
    fn affine(self, factor: f32, offset: f32) -> Self {
        factor * self + offset
    }

    #[inline]
    fn product(self, other: Self) -> Self {
        self * other
    }

    #[inline]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline]
    fn square(self) -> Self {
        self * self
    }

    #[inline]
    fn triangle(self) -> Self {
        let [value, _] = triangle(self);
        value
    }

    #[inline]
    fn at_most_one(self) -> Self {
        if self >= 1.0 { 1.0 } else { self }
    }
}

impl<const N: usize> Dual<N> for f32 {
    const OUTSIDE: Self = f32::NAN;
    const NOTHING: Self = Sample::<N>::NOTHING.value;
    const HAS_GRADIENT: bool = false;
    const HAS_HESSIAN: bool = false;

    #[inline]
    fn constant(value: f32) -> Self {
        value
    }

    #[inline]
    fn value(&self) -> f32 {
        *self
    }

    #[inline]
    fn map(self, value: f32, _: f32, _: f32) -> Self {
        value
    }

    #[inline]
    fn with_value(self, value: f32) -> Self {
        value
    }

    #[inline]
    fn bent(self, _: Self, _: f32) -> Self {
        self
    }

    #[inline]
    fn pulled_back(self, _: &[[f64; N]; N]) -> Self {
        self
    }

    #[inline]
    fn warped(self, _: [Self; N]) -> Self {
        self
    }

    #[inline]
    fn weighted(self, _: f32) -> Self {
        self
    }

    #[inline(always)]
    fn with_hessian(sample: Sample<N>, _: impl FnOnce() -> [[f32; N]; N]) -> Self {
        sample.value
    }

    #[inline]
    fn of_samples(mut sample: impl FnMut([f64; N]) -> Sample<N>, p: [f64; N], _: f64) -> Self {
        sample(p).value
    }
}
