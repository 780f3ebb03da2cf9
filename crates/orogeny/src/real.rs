//! One number or a SIMD vector of them, so that the same code evaluates at a point and at many.

use core::ops::{Add, Div, Mul, Neg, Sub};

use fearless_simd::Simd;
use fearless_simd::prelude::*;

#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// An `f64`, or one in each lane of a vector. Every operation is rounded once, in either, so code
/// that is generic over it has the same bits in both.
///
/// Code for vectors is `#[inline(always)]`, see [`kernel`](crate::kernel).
pub(crate) trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// The answer of a comparison.
    type Mask: Copy;

    /// The number of lanes.
    const LEN: usize;

    /// The same number in every lane.
    fn splat(self, number: f64) -> Self;
    /// The first [`LEN`](Self::LEN) numbers of a list.
    fn load(self, list: &[f64]) -> Self;
    /// Writes the lanes to the first [`LEN`](Self::LEN) numbers of a list.
    fn store(self, list: &mut [f64]);
    /// The square root.
    fn root(self) -> Self;
    fn abs(self) -> Self;
    /// 1 with the sign of the number.
    fn signum(self) -> Self;

    /// Whether it is less than a limit.
    fn is_below(self, limit: f64) -> Self::Mask;
    /// Whether it is more than a limit.
    fn is_above(self, limit: f64) -> Self::Mask;
    /// Whether it is a limit or more.
    fn is_at_least(self, limit: f64) -> Self::Mask;
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether any lane is so.
    fn any(mask: Self::Mask) -> bool;
    /// The first number where the mask is set, the second elsewhere.
    fn select(mask: Self::Mask, one: Self, other: Self) -> Self;

    /// The smaller one of two numbers.
    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        Self::select((self - other).is_below(0.0), self, other)
    }

    /// The number, or a limit that it exceeds.
    #[inline(always)]
    fn clamp(self, min: f64, max: f64) -> Self {
        let raised = Self::select(self.is_below(min), self.splat(min), self);
        Self::select(raised.is_at_least(max), self.splat(max), raised)
    }
}

impl Real for f64 {
    type Mask = bool;
    const LEN: usize = 1;

    #[inline(always)]
    fn splat(self, number: f64) -> Self {
        number
    }

    #[inline(always)]
    fn load(self, list: &[f64]) -> Self {
        list[0]
    }

    #[inline(always)]
    fn store(self, list: &mut [f64]) {
        list[0] = self;
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn signum(self) -> Self {
        1f64.copysign(self)
    }

    #[inline(always)]
    fn is_below(self, limit: f64) -> bool {
        self < limit
    }

    #[inline(always)]
    fn is_above(self, limit: f64) -> bool {
        self > limit
    }

    #[inline(always)]
    fn is_at_least(self, limit: f64) -> bool {
        self >= limit
    }

    #[inline(always)]
    fn and(a: bool, b: bool) -> bool {
        a && b
    }

    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }

    #[inline(always)]
    fn select(mask: bool, one: Self, other: Self) -> Self {
        if mask { one } else { other }
    }
}

/// A vector of numbers.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<S: Simd>(pub S::f64s);

impl<S: Simd> Real for Lanes<S> {
    type Mask = S::mask64s;
    const LEN: usize = S::f64s::LEN;

    #[inline(always)]
    fn splat(self, number: f64) -> Self {
        Self(S::f64s::splat(self.0.token(), number))
    }

    #[inline(always)]
    fn load(self, list: &[f64]) -> Self {
        Self(S::f64s::from_slice(self.0.token(), &list[..S::f64s::LEN]))
    }

    #[inline(always)]
    fn store(self, list: &mut [f64]) {
        self.0.store_slice(&mut list[..S::f64s::LEN]);
    }

    #[inline(always)]
    fn root(self) -> Self {
        Self(self.0.sqrt())
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }

    #[inline(always)]
    fn signum(self) -> Self {
        Self(self.splat(1.0).0.copysign(self.0))
    }

    #[inline(always)]
    fn is_below(self, limit: f64) -> S::mask64s {
        self.0.simd_lt(self.splat(limit).0)
    }

    #[inline(always)]
    fn is_above(self, limit: f64) -> S::mask64s {
        self.0.simd_gt(self.splat(limit).0)
    }

    #[inline(always)]
    fn is_at_least(self, limit: f64) -> S::mask64s {
        self.0.simd_ge(self.splat(limit).0)
    }

    #[inline(always)]
    fn and(a: S::mask64s, b: S::mask64s) -> S::mask64s {
        a & b
    }

    #[inline(always)]
    fn any(mask: S::mask64s) -> bool {
        mask.any_true()
    }

    #[inline(always)]
    fn select(mask: S::mask64s, one: Self, other: Self) -> Self {
        Self(mask.select(one.0, other.0))
    }
}

/// Implements operators for vectors.
macro_rules! operators {
    ($($trait:ident::$method:ident, $operator:tt;)*) => {
        $(
            impl<S: Simd> $trait for Lanes<S> {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self(self.0 $operator other.0)
                }
            }

            impl<S: Simd> $trait<f64> for Lanes<S> {
                type Output = Self;
                #[inline(always)]
                fn $method(self, number: f64) -> Self {
                    Self(self.0 $operator number)
                }
            }
        )*
    };
}
operators! {
    Add::add, +;
    Sub::sub, -;
    Mul::mul, *;
    Div::div, /;
}

impl<S: Simd> Neg for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}
