//! Linear interpolation between two fields, with a third one as the mask.

use alloc::boxed::Box;
use core::array;

use crate::derivative::bounds::{Bounds, times};
use crate::derivative::chain_rule::Dual;
use crate::derivative::elementary::Shaped;
use crate::error::RecipeError;
use crate::node::Node;
use crate::node::compile::Builder;
use crate::node::interpolation_error::Interpolated;
use crate::node::local_bounds::rounded;
use crate::node::ops::{Op, Operator};
use crate::samples::Buffer;
use crate::samples::positions::Positions;

/// The field from (1 - mask) + to mask.
#[derive(Clone, Debug)]
pub(crate) struct Lerp<const N: usize> {
    /// From, to, mask.
    operands: Box<[Op<N>; 3]>,
}

impl<const N: usize> Lerp<N> {
    pub fn build(
        builder: &mut Builder,
        from: &Node<N>,
        to: &Node<N>,
        mask: &Node<N>,
    ) -> Result<Op<N>, RecipeError> {
        let from = builder.node(from).map_err(|e| e.under("Lerp.from"))?;
        let to = builder.node(to).map_err(|e| e.under("Lerp.to"))?;
        let mask = builder.node(mask).map_err(|e| e.under("Lerp.mask"))?;
        Ok(Self { operands: Box::new([from, to, mask]) }.into())
    }
}

impl<const N: usize> Operator<N> for Lerp<N> {
    fn operands(&self) -> &[Op<N>] {
        &self.operands[..]
    }

    fn at<T: Dual<N>>(&self, p: [f64; N]) -> T {
        let [from, to, mask] = array::from_fn(|i| self.operands[i].at::<T>(p));
        lerp(from, to, mask)
    }

    fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        let [from, to, mask] = &*self.operands;
        from.evaluate(positions, out);
        out.with_spares(2, |out, spares| {
            to.evaluate(positions, &mut spares[0]);
            mask.evaluate(positions, &mut spares[1]);
            out.join([&spares[0], &spares[1]], |from, [to, mask]| lerp(from, to, mask));
        });
    }

    fn bounds(&self) -> Bounds {
        let [from, to, mask] = array::from_fn(|i| self.operands[i].bounds());
        lerp_bounds(from, to, mask)
    }

    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        let [from, to, mask] = array::from_fn(|i| self.operands[i].local_bounds(p, radius));
        let (from, to, mask) = (from?, to?, mask?);
        let size = (from.max_abs() + to.max_abs()) * (1.0 + mask.max_abs());
        Some(rounded(lerp_bounds(from, to, mask), size))
    }

    fn interpolated(&self, radius: f64) -> Interpolated {
        let [from, to, mask] = array::from_fn(|i| self.operands[i].interpolated(radius));
        // (1 - m) a + m b = a + (b - a) m.
        let sum = from.plus(to.plus(from.times(-1.0)).product(mask));
        let bounds = lerp_bounds(from.bounds, to.bounds, mask.bounds);
        sum.with(bounds, sum.error, sum.swing)
    }

    fn band_limited(&self, spacing: f64) -> Self {
        let operands = array::from_fn(|i| self.operands[i].band_limited(spacing));
        Self { operands: Box::new(operands) }
    }
}

/// (1 - m) a + m b, computed from the nearer end: a + (b - a) m up to m = 1/2, and b + (a - b) (1 -
/// m) beyond. So it is exactly a at 0 and b at 1, and rounding does not take it outside the two.
#[inline]
fn lerp<const N: usize, T: Dual<N>>(a: T, b: T, mask: T) -> T {
    let is_beyond = mask.value() > 0.5;
    let (near, far, part) = if is_beyond { (b, a, T::constant(1.0) - mask) } else { (a, b, mask) };
    near + (far - near) * part
}

/// The value is linear in each of the three, so its extremes are at corners. The slopes follow from
/// the product rule, grouped as (1 - m) a + m b.
fn lerp_bounds(a: Bounds, b: Bounds, mask: Bounds) -> Bounds {
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
    use crate::derivative::sample::Sample;

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
