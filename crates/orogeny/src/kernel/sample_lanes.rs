//! Samples in SIMD lanes: a value with its derivatives along x and z, their arithmetic, and the
//! samples of an operand, loaded one vector at a time.

use core::ops::{Add, Mul, Range, Sub};

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
    /// [`Differentiated::weighted`](crate::derivative::chain_rule::Differentiated::weighted).
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

/// The samples of a field for an operator that depends on slopes:
/// [`erosion`](crate::kernel::erosion) and [`damping`](crate::kernel::damping).
#[derive(Clone, Copy)]
pub(crate) struct Operand<'a> {
    pub value: &'a [f32],
    pub slopes: [&'a [f32]; 2],
    /// `None` if only values are requested.
    pub resolved: Option<OperandDerivatives<'a>>,
}

/// The slopes of an operand, and its second derivatives xx, xz and zz. They are low-pass filtered
/// if the result is filtered for the spacing of a grid.
#[derive(Clone, Copy)]
pub(crate) struct OperandDerivatives<'a> {
    pub slopes: [&'a [f32]; 2],
    pub second: [&'a [f32]; 3],
}

impl Operand<'_> {
    /// The value and the slopes along x and z, each with its derivatives.
    #[inline(always)]
    pub(super) fn sloped<S: Simd>(
        &self,
        simd: S,
        resolved: &OperandDerivatives,
        range: &Range<usize>,
    ) -> [SampleLanes<S>; 3] {
        let [dx, dz] = resolved.slopes;
        let [xx, xz, zz] = resolved.second;
        let ([x, z], second) = (self.slopes, load::<S>(simd, xz, range));
        let value = SampleLanes {
            value: load::<S>(simd, self.value, range),
            dx: load::<S>(simd, dx, range),
            dz: load::<S>(simd, dz, range),
        };
        let (xx, zz) = (load::<S>(simd, xx, range), load::<S>(simd, zz, range));
        let x = SampleLanes { value: load::<S>(simd, x, range), dx: xx, dz: second };
        let z = SampleLanes { value: load::<S>(simd, z, range), dx: second, dz: zz };
        [value, x, z]
    }

    /// The same values and slopes, with derivatives of zero.
    #[inline(always)]
    pub(super) fn flat<S: Simd>(&self, simd: S, range: &Range<usize>) -> [SampleLanes<S>; 3] {
        let [x, z] = self.slopes;
        [
            SampleLanes::constant(load::<S>(simd, self.value, range)),
            SampleLanes::constant(load::<S>(simd, x, range)),
            SampleLanes::constant(load::<S>(simd, z, range)),
        ]
    }
}

/// Loads a range of numbers, at most a vector. The remaining lanes are zero.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, numbers: &[f32], range: &Range<usize>) -> S::f32s {
    if range.len() == S::f32s::LEN {
        return S::f32s::from_slice(simd, &numbers[range.clone()]);
    }
    let mut lanes = S::f32s::splat(simd, 0.0);
    lanes.as_mut_slice()[..range.len()].copy_from_slice(&numbers[range.clone()]);
    lanes
}

/// Stores as many lanes as there are numbers in the range.
#[inline(always)]
pub(super) fn store<S: Simd>(lanes: S::f32s, out: &mut [f32], range: &Range<usize>) {
    let out = &mut out[range.clone()];
    if out.len() == S::f32s::LEN {
        // Without a call of `memcpy`.
        return lanes.store_slice(out);
    }
    out.copy_from_slice(&lanes.as_slice()[..out.len()]);
}
