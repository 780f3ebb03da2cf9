//! The chain rule, so that the same code evaluates trees in values, samples and jets.

use core::array;
use core::ops::{Add, Mul, Neg, Sub};

use crate::derivative::elementary::Shaped;
use crate::derivative::jet::{Jet, symmetric};
use crate::derivative::sample::Sample;

/// The value of a field alone, with its first derivatives, or with first and second ones. Value and
/// gradient have the same bits in all three.
pub(crate) trait Dual<const N: usize>:
    Shaped
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<f32, Output = Self>
    + Neg<Output = Self>
    + Default
{
    const OUTSIDE: Self;
    const NOTHING: Self;
    const HAS_GRADIENT: bool;
    const HAS_HESSIAN: bool;

    /// A constant field.
    fn constant(value: f32) -> Self;

    /// The value.
    fn value(&self) -> f32;

    /// The chain rule, given m, m' and m'' at the value.
    fn map(self, value: f32, slope: f32, bend: f32) -> Self;

    /// The same derivatives with another value.
    fn with_value(self, value: f32) -> Self;

    /// Adds `bend` g g^T to the second derivatives, where g is the gradient of `along`.
    fn bent(self, along: Self, bend: f32) -> Self;

    /// Converts derivatives of a field that was evaluated at M p to derivatives with respect to p.
    fn pulled_back(self, matrix: &[[f64; N]; N]) -> Self;

    /// The field at p + w(p), given `by` = w at p. `self` is the field at that position.
    fn warped(self, by: [Self; N]) -> Self;

    /// Multiplies the derivatives by a weight. A weight of 1 changes no bits; a weight of 0 makes
    /// them -0, which changes no bits when it is added.
    fn weighted(self, weight: f32) -> Self;

    /// A sample with its second derivatives, which are computed only for jets.
    fn with_hessian(sample: Sample<N>, hessian: impl FnOnce() -> [[f32; N]; N]) -> Self;

    /// Samples a field that only has a gradient. A jet's second derivatives are central differences
    /// over `step` on either side. Where it is sampled, and in which order, depends on `p` and
    /// `step` only.
    fn of_samples(sample: impl FnMut([f64; N]) -> Sample<N>, p: [f64; N], step: f64) -> Self;
}

/// Sets derivatives to NaN if the value is NaN: filtered octaves may have lost theirs.
#[inline]
pub(crate) fn outside<const N: usize, T: Dual<N>>(dual: T) -> T {
    if dual.value().is_nan() { T::OUTSIDE } else { dual }
}

#[inline(always)]
fn weigh(number: f32, weight: f32) -> f32 {
    if weight == 0.0 { -0.0 } else { number * weight }
}

impl<const N: usize> Dual<N> for Sample<N> {
    const OUTSIDE: Self = Self::OUTSIDE;
    const NOTHING: Self = Self::NOTHING;
    const HAS_GRADIENT: bool = true;
    const HAS_HESSIAN: bool = false;

    #[inline]
    fn constant(value: f32) -> Self {
        Self::constant(value)
    }

    #[inline]
    fn value(&self) -> f32 {
        self.value
    }

    #[inline]
    fn map(self, value: f32, slope: f32, _: f32) -> Self {
        self.map(value, slope)
    }

    #[inline]
    fn with_value(self, value: f32) -> Self {
        Self { value, ..self }
    }

    #[inline]
    fn bent(self, _: Self, _: f32) -> Self {
        self
    }

    #[inline]
    fn pulled_back(self, matrix: &[[f64; N]; N]) -> Self {
        let gradient =
            array::from_fn(|j| (0..N).map(|k| self.gradient[k] * matrix[k][j] as f32).sum());
        Self { gradient, ..self }
    }

    /// With q = p + w(p) the gradient is (I + Dw)^T grad f(q).
    #[inline]
    fn warped(self, by: [Self; N]) -> Self {
        let gradient = array::from_fn(|j| {
            let moved: f32 = (0..N).map(|k| self.gradient[k] * by[k].gradient[j]).sum();
            self.gradient[j] + moved
        });
        Self { gradient, ..self }
    }

    #[inline(always)]
    fn weighted(self, weight: f32) -> Self {
        Self { gradient: self.gradient.map(|g| weigh(g, weight)), ..self }
    }

    #[inline]
    fn with_hessian(sample: Sample<N>, _: impl FnOnce() -> [[f32; N]; N]) -> Self {
        sample
    }

    #[inline]
    fn of_samples(mut sample: impl FnMut([f64; N]) -> Sample<N>, p: [f64; N], _: f64) -> Self {
        sample(p)
    }
}

impl<const N: usize> Dual<N> for Jet<N> {
    const OUTSIDE: Self = Self::OUTSIDE;
    const NOTHING: Self = Self::NOTHING;
    const HAS_GRADIENT: bool = true;
    const HAS_HESSIAN: bool = true;

    #[inline]
    fn constant(value: f32) -> Self {
        Self::constant(value)
    }

    #[inline]
    fn value(&self) -> f32 {
        self.sample.value
    }

    #[inline]
    fn map(self, value: f32, slope: f32, bend: f32) -> Self {
        self.map(value, slope, bend)
    }

    #[inline]
    fn with_value(self, value: f32) -> Self {
        Self { sample: self.sample.with_value(value), ..self }
    }

    #[inline]
    fn bent(self, along: Self, bend: f32) -> Self {
        let g = along.sample.gradient;
        let hessian = symmetric(|j, k| self.hessian[j][k] + g[j] * g[k] * bend);
        Self { hessian, ..self }
    }

    /// The Hessian becomes M^T H M.
    #[inline]
    fn pulled_back(self, matrix: &[[f64; N]; N]) -> Self {
        let m = |k: usize, j: usize| matrix[k][j] as f32;
        let half: [[f32; N]; N] = array::from_fn(|l| {
            array::from_fn(|k| (0..N).map(|i| self.hessian[l][i] * m(i, k)).sum())
        });
        Self {
            sample: self.sample.pulled_back(matrix),
            hessian: symmetric(|j, k| (0..N).map(|l| m(l, j) * half[l][k]).sum()),
        }
    }

    /// With J = I + Dw it is J^T H J + sum of (df/dq_k) H_k, H_k the Hessian of w_k.
    #[inline]
    fn warped(self, by: [Self; N]) -> Self {
        let jacobian = |k: usize, j: usize| {
            let own = if k == j { 1.0 } else { 0.0 };
            own + by[k].sample.gradient[j]
        };
        let half: [[f32; N]; N] = array::from_fn(|l| {
            array::from_fn(|k| (0..N).map(|i| self.hessian[l][i] * jacobian(i, k)).sum())
        });
        let g = self.sample.gradient;
        let hessian = symmetric(|j, k| {
            let transformed: f32 = (0..N).map(|l| jacobian(l, j) * half[l][k]).sum();
            let curved: f32 = (0..N).map(|l| g[l] * by[l].hessian[j][k]).sum();
            transformed + curved
        });
        Self { sample: self.sample.warped(by.map(|jet| jet.sample)), hessian }
    }

    #[inline(always)]
    fn weighted(self, weight: f32) -> Self {
        let hessian = self.hessian.map(|row| row.map(|h| weigh(h, weight)));
        Self { sample: self.sample.weighted(weight), hessian }
    }

    #[inline]
    fn with_hessian(sample: Sample<N>, hessian: impl FnOnce() -> [[f32; N]; N]) -> Self {
        if sample.value.is_nan() { Self::OUTSIDE } else { Self { sample, hessian: hessian() } }
    }

    /// The derivative along k of the derivative along j is (g_j(p + h e_k) - g_j(p - h e_k)) / (2
    /// h). The result is the mean of [j][k] and [k][j].
    fn of_samples(mut sample: impl FnMut([f64; N]) -> Sample<N>, p: [f64; N], step: f64) -> Self {
        let mut columns = [[0.0; N]; N];
        for k in 0..N {
            // Far from the origin coordinates are coarse, so use at least 64 of their steps.
            let step = step.max(p[k].abs() * (64.0 * f64::EPSILON));
            let mut ends = [p; 2];
            ends[0][k] -= step;
            ends[1][k] += step;
            // The actual distance between the two rounded positions.
            let width = ends[1][k] - ends[0][k];
            let [below, above] = ends.map(&mut sample);
            columns[k] = array::from_fn(|j| {
                (f64::from(above.gradient[j]) - f64::from(below.gradient[j])) / width
            });
        }
        let hessian = symmetric(|j, k| (0.5 * (columns[j][k] + columns[k][j])) as f32);
        Self { sample: sample(p), hessian }
    }
}
