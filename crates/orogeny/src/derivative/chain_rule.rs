//! The chain rule, so that the same code evaluates trees in values, samples and jets.

use core::ops::{Add, Mul, Neg, Sub};

use crate::arrays::{self, Each};
use crate::derivative::bounds::{Bounds, times};
use crate::derivative::elementary::Shaped;
use crate::derivative::jet::{Jet, symmetric};
use crate::derivative::sample::Sample;

/// The value of a field alone, with its first derivatives, or with first and second ones. Value and
/// gradient have the same bits in all three.
pub(crate) trait Differentiated<const N: usize>:
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
    fn map(self, value: f32, slope: f32, second: f32) -> Self;

    /// The same derivatives with another value.
    fn with_value(self, value: f32) -> Self;

    /// Adds `second` g g^T to the second derivatives, where g is the gradient of `along`.
    fn plus_second(self, along: Self, second: f32) -> Self;

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
pub(crate) fn outside<const N: usize, T: Differentiated<N>>(field: T) -> T {
    if field.value().is_nan() { T::OUTSIDE } else { field }
}

#[inline(always)]
fn weigh(number: f32, weight: f32) -> f32 {
    if weight == 0.0 { -0.0 } else { number * weight }
}

impl<const N: usize> Differentiated<N> for Sample<N> {
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
    fn plus_second(self, _: Self, _: f32) -> Self {
        self
    }

    #[inline]
    fn pulled_back(self, matrix: &[[f64; N]; N]) -> Self {
        let gradient =
            arrays::from_fn(|j| (0..N).map(|k| self.gradient[k] * matrix[k][j] as f32).sum());
        Self { gradient, ..self }
    }

    /// With q = p + w(p) the gradient is (I + Dw)^T grad f(q).
    #[inline]
    fn warped(self, by: [Self; N]) -> Self {
        let gradient = arrays::from_fn(|j| {
            let moved: f32 = (0..N).map(|k| self.gradient[k] * by[k].gradient[j]).sum();
            self.gradient[j] + moved
        });
        Self { gradient, ..self }
    }

    #[inline(always)]
    fn weighted(self, weight: f32) -> Self {
        Self { gradient: self.gradient.each(|g| weigh(g, weight)), ..self }
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

impl<const N: usize> Differentiated<N> for Jet<N> {
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
    fn map(self, value: f32, slope: f32, second: f32) -> Self {
        self.map(value, slope, second)
    }

    #[inline]
    fn with_value(self, value: f32) -> Self {
        Self { sample: self.sample.with_value(value), ..self }
    }

    #[inline]
    fn plus_second(self, along: Self, second: f32) -> Self {
        let g = along.sample.gradient;
        let hessian = symmetric(|j, k| self.hessian[j][k] + g[j] * g[k] * second);
        Self { hessian, ..self }
    }

    /// The Hessian becomes M^T H M.
    #[inline]
    fn pulled_back(self, matrix: &[[f64; N]; N]) -> Self {
        let m = |k: usize, j: usize| matrix[k][j] as f32;
        let half: [[f32; N]; N] = arrays::from_fn(|l| {
            arrays::from_fn(|k| (0..N).map(|i| self.hessian[l][i] * m(i, k)).sum())
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
        let half: [[f32; N]; N] = arrays::from_fn(|l| {
            arrays::from_fn(|k| (0..N).map(|i| self.hessian[l][i] * jacobian(i, k)).sum())
        });
        let g = self.sample.gradient;
        let hessian = symmetric(|j, k| {
            let transformed: f32 = (0..N).map(|l| jacobian(l, j) * half[l][k]).sum();
            let curved: f32 = (0..N).map(|l| g[l] * by[l].hessian[j][k]).sum();
            transformed + curved
        });
        Self { sample: self.sample.warped(by.each(|jet| jet.sample)), hessian }
    }

    #[inline(always)]
    fn weighted(self, weight: f32) -> Self {
        let hessian = self.hessian.each(|row| row.each(|h| weigh(h, weight)));
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
            let [below, above] = ends.each(&mut sample);
            columns[k] = arrays::from_fn(|j| {
                (f64::from(above.gradient[j]) - f64::from(below.gradient[j])) / width
            });
        }
        let hessian = symmetric(|j, k| (0.5 * (columns[j][k] + columns[k][j])) as f32);
        Self { sample: sample(p), hessian }
    }
}

/// A value without derivatives, so that a tree can be evaluated without paying for them. All bits
/// are those of a sample's value.
impl<const N: usize> Differentiated<N> for f32 {
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
    fn plus_second(self, _: Self, _: f32) -> Self {
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

/// (1 - m) a + m b, computed from the nearer end: a + (b - a) m up to m = 1/2, and b + (a - b) (1 -
/// m) beyond. So it is exactly a at 0 and b at 1, and rounding does not take it outside the two.
#[inline]
pub(crate) fn lerp<const N: usize, T: Differentiated<N>>(a: T, b: T, mask: T) -> T {
    let is_beyond = mask.value() > 0.5;
    let (near, far, part) = if is_beyond { (b, a, T::constant(1.0) - mask) } else { (a, b, mask) };
    near + (far - near) * part
}

/// The value is linear in each of the three, so its extremes are at corners. The slopes follow from
/// the product rule, grouped as (1 - m) a + m b.
pub(crate) fn lerp_bounds(a: Bounds, b: Bounds, mask: Bounds) -> Bounds {
    // The ends are exact.
    match [mask.min, mask.max] {
        [0.0, 0.0] => return a,
        [1.0, 1.0] => return b,
        _ => {}
    }
    let ends = |b: Bounds| [b.min, b.max];
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for a in ends(a) {
        for b in ends(b) {
            for m in ends(mask) {
                let value = times(1.0 - m, a) + times(m, b);
                range = [range[0].min(value), range[1].max(value)];
            }
        }
    }
    let rest = mask.scaled(-1.0) + Bounds::constant(1.0);
    let apart = (b + a.scaled(-1.0)).max_abs();
    // Where the mask stays between 0 and 1 the weights add up to 1, and a mean of two numbers is at
    // most the larger one.
    let mean = |a: f64, b: f64| {
        if mask.min >= 0.0 && mask.max <= 1.0 {
            a.max(b)
        } else {
            times(rest.max_abs(), a) + times(mask.max_abs(), b)
        }
    };
    Bounds {
        min: range[0],
        max: range[1],
        lipschitz: mean(a.lipschitz, b.lipschitz) + times(apart, mask.lipschitz),
        curvature: mean(a.curvature, b.curvature)
            + times(apart, mask.curvature)
            + 2.0 * times(a.lipschitz + b.lipschitz, mask.lipschitz),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(a: f32, b: f32, mask: f32) -> Sample<1> {
        let sample = |value, slope| Sample { value, gradient: [slope] };
        lerp(sample(a, 2.0), sample(b, -3.0), sample(mask, 5.0))
    }

    /// A regression test: from 1e6 to 0.1 it once gave 0.125 at 1.
    #[test]
    fn the_ends_are_exact_and_nothing_passes_them() {
        for (a, b) in [(1e6, 0.1), (0.1, 1e6), (-1e6, 1e-6), (0.3, 0.7)] {
            assert_eq!((at(a, b, 0.0).value, at(a, b, 1.0).value), (a, b));
            for i in 0..=10_000 {
                let Sample { value, gradient: [slope] } = at(a, b, i as f32 / 10_000.0);
                assert!((a.min(b)..=a.max(b)).contains(&value), "{value}");
                // a' (1 - m) + b' m + (b - a) m'.
                let m = f64::from(i) / 10_000.0;
                let exact = 2.0 - 5.0 * m + 5.0 * (f64::from(b) - f64::from(a));
                assert!((f64::from(slope) - exact).abs() <= 1e-6 * (5.0 + exact.abs()), "{slope}");
            }
        }
        // It extrapolates linearly outside 0 to 1.
        assert_eq!((at(1.0, 3.0, -0.5).value, at(1.0, 3.0, 2.0).value), (0.0, 5.0));
    }
}
