//! Sums, products, minima and maxima of fields.

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Differentiated;
use crate::derivative::elementary::Shaped;
use crate::error::DataError;
use crate::limits::{Limit, Number, SMOOTH};
use crate::node::Node;
use crate::node::compile::{Builder, representable};
use crate::node::interpolation_error::Interpolated;
use crate::node::local_bounds::rounded;
use crate::node::ops::constant::Constant;
use crate::node::ops::{Op, Operator, all_band_limited, all_smoothed};
use crate::samples::Buffer;
use crate::samples::positions::Positions;

/// Fields combined pointwise, from left to right.
#[derive(Clone, Debug)]
pub(crate) struct Combine<const N: usize> {
    rule: Rule,
    /// At least one.
    operands: Vec<Op<N>>,
}

/// How two fields are combined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rule {
    Add,
    Multiply,
    /// Blended over differences up to this width.
    Min(f32),
    Max(f32),
}

impl<const N: usize> Combine<N> {
    /// A sum or a product.
    pub fn build(
        builder: &mut Builder<'_>,
        rule: Rule,
        of: &[Node<N>],
        path: &str,
    ) -> Result<Op<N>, DataError> {
        let operands = builder.list(of, path)?;
        let is_loose = operands.iter().any(Op::has_loose_bounds);
        let mut bounds = operands[0].bounds();
        for (i, next) in operands.iter().enumerate().skip(1) {
            // Each partial sum or product must fit into f32 too, however small the total.
            bounds = representable(rule.bounds(bounds, next.bounds()), is_loose)
                .map_err(|e| e.under(&format!("{path}[{i}]")))?;
        }
        Ok(Self { rule, operands }.into())
    }

    /// A field plus a constant.
    pub fn plus(field: Op<N>, constant: f32) -> Op<N> {
        Self { rule: Rule::Add, operands: vec![field, Constant::new(constant).into()] }.into()
    }

    /// A minimum or a maximum. `name` is that of the node.
    pub fn build_smooth(
        builder: &mut Builder<'_>,
        rule: fn(f32) -> Rule,
        smooth: f32,
        of: &[Node<N>],
        name: &str,
    ) -> Result<Op<N>, DataError> {
        SMOOTH.check(smooth.into()).map_err(|e| DataError::from(e).under(name))?;
        Self::build(builder, rule(smooth), of, &format!("{name}.of"))
    }
}

/// The width of a smooth minimum or maximum, with its limit.
pub(crate) fn smooth_numbers(smooth: &mut f32) -> Vec<(&'static Limit, Number<'_>)> {
    vec![(&SMOOTH, Number::F32(smooth))]
}

impl<const N: usize> Operator<N> for Combine<N> {
    fn operands(&self) -> &[Op<N>] {
        &self.operands
    }

    fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
        let all = self.operands.iter().map(|op| op.at::<T>(p));
        all.reduce(|a, b| self.rule.apply(a, b)).unwrap_or_default()
    }

    fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        let [first, rest @ ..] = &self.operands[..] else { return };
        first.evaluate(positions, out);
        for op in rest {
            out.with_spares(1, |out, spares| {
                op.evaluate(positions, &mut spares[0]);
                self.rule.apply_all(out, &spares[0]);
            });
        }
    }

    fn bounds(&self) -> Bounds {
        let all = self.operands.iter().map(Op::bounds);
        all.reduce(|a, b| self.rule.bounds(a, b)).unwrap_or(Bounds::UNKNOWN)
    }

    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        let mut all = self.operands.iter().map(|op| op.local_bounds(p, radius));
        let first = all.next()??;
        all.try_fold(first, |so_far, next| Some(self.rule.local_bounds(so_far, next?)))
    }

    fn interpolated(&self, radius: f64) -> Interpolated {
        let all = self.operands.iter().map(|op| op.interpolated(radius));
        all.reduce(|a, b| self.rule.interpolated(a, b))
            .unwrap_or_else(|| Interpolated::new(Bounds::UNKNOWN, radius))
    }

    fn band_limited(&self, spacing: f64) -> Self {
        Self { operands: all_band_limited(&self.operands, spacing), ..*self }
    }

    fn smoothed(&self, wavelength: f64) -> Op<N> {
        Self { operands: all_smoothed(&self.operands, wavelength), ..*self }.into()
    }
}

impl Rule {
    #[inline]
    fn apply<const N: usize, T: Differentiated<N>>(self, a: T, b: T) -> T {
        match self {
            Rule::Add => a + b,
            Rule::Multiply => a * b,
            Rule::Min(width) => smooth_min(a, b, width),
            Rule::Max(width) => -smooth_min(-a, -b, width),
        }
    }

    /// Combines a second buffer into the first, bit-identical to [`apply`](Self::apply).
    fn apply_all<const N: usize, B: Buffer<N>>(self, out: &mut B, other: &B) {
        // A loop for each rule, which the compiler vectorises.
        match self {
            Rule::Add => out.join([other], |a, [b]| a + b),
            Rule::Multiply => out.join([other], |a, [b]| a * b),
            Rule::Min(_) | Rule::Max(_) => out.join([other], |a, [b]| self.apply(a, b)),
        }
    }

    fn bounds(self, a: Bounds, b: Bounds) -> Bounds {
        match self {
            Rule::Add => a + b,
            Rule::Multiply => a * b,
            Rule::Min(width) => smooth_min_bounds(a, b, width),
            Rule::Max(width) => {
                smooth_min_bounds(a.scaled(-1.0), b.scaled(-1.0), width).scaled(-1.0)
            }
        }
    }

    /// Bounds over a part of the domain, with a tighter range: a smooth minimum increases with both
    /// operands, so its range follows from the ends of theirs. (The range over the whole domain is
    /// not tightened, because it decides the values of a `Normalize` above.)
    fn local_bounds(self, a: Bounds, b: Bounds) -> Bounds {
        let whole = self.bounds(a, b);
        let ends = [(a.min, b.min), (a.max, b.max)];
        let ([min, max], width) = match self {
            Rule::Add | Rule::Multiply => return rounded(whole, whole.max_abs()),
            Rule::Min(width) => (ends.each(|(a, b)| smooth_min_value(a, b, width)), width),
            Rule::Max(width) => (ends.each(|(a, b)| -smooth_min_value(-a, -b, width)), width),
        };
        rounded(Bounds { min, max, ..whole }, whole.max_abs() + f64::from(width))
    }

    fn interpolated(self, a: Interpolated, b: Interpolated) -> Interpolated {
        match self {
            Rule::Add => a.plus(b),
            Rule::Multiply => a.product(b),
            Rule::Min(_) | Rule::Max(_) => {
                let swing = a.swing.max(b.swing);
                let bounds = self.bounds(a.bounds, b.bounds);
                // Smooth ones blend values that differ by less than their width, including those of
                // a corner.
                a.with(bounds, a.error.max(b.error) + swing, swing)
            }
        }
    }
}

/// The smooth minimum of two numbers.
fn smooth_min_value(a: f64, b: f64, width: f32) -> f64 {
    let width = f64::from(width);
    let h = width - (a - b).abs();
    a.min(b) - if h > 0.0 { h * h / (4.0 * width) } else { 0.0 }
}

/// min(a, b) - h^2 / (4 w) with h = max(0, w - |a - b|): the polynomial smooth minimum.
///
/// The weight of the smaller operand is 1 - h / (2 w), that of the other h / (2 w). Both are 1/2
/// where a = b, so the gradient is continuous. With width 0 it is the minimum, or a where a = b.
/// The Hessian is the weighted mean of both, minus d d^T / (2 w), d = grad a - grad b.
///
/// Source: Inigo Quilez, "Smooth minimum", 2013.
#[inline]
fn smooth_min<const N: usize, T: Differentiated<N>>(a: T, b: T, width: f32) -> T {
    let (smaller, other) = if b.value() < a.value() { (b, a) } else { (a, b) };
    let [low, high] = [smaller, other].each(|field| field.value());
    let h = width - (high - low);
    if h <= 0.0 {
        return smaller;
    }
    let weight = h / (2.0 * width);
    let blend = smaller * (1.0 - weight) + other * weight;
    blend.plus_second(other - smaller, -0.5 / width).with_value(low - h * weight * 0.5)
}

/// The gradient is a weighted mean of both. The second derivative is the same mean of theirs, minus
/// (grad a - grad b)^2 / (2 w).
fn smooth_min_bounds(a: Bounds, b: Bounds, width: f32) -> Bounds {
    let width = f64::from(width);
    // Fields that differ by at least the width do not blend.
    if a.max + width < b.min {
        return a;
    }
    if b.max + width < a.min {
        return b;
    }
    let slopes = a.lipschitz + b.lipschitz;
    let second = if width > 0.0 { slopes * slopes / (2.0 * width) } else { f64::INFINITY };
    Bounds {
        min: a.min.min(b.min) - width / 4.0,
        max: a.max.min(b.max),
        lipschitz: a.lipschitz.max(b.lipschitz),
        curvature: a.curvature.max(b.curvature) + second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derivative::sample::Sample;

    #[test]
    fn a_smooth_minimum_blends_where_fields_meet() {
        let at = |a: f32, b: f32| {
            let a = Sample { value: a, gradient: [1.0, 0.0] };
            smooth_min(a, Sample { value: b, gradient: [0.0, 1.0] }, 0.5)
        };
        assert_eq!(at(1.0, 2.0), Sample { value: 1.0, gradient: [1.0, 0.0] });
        assert_eq!(at(1.0, 0.2), Sample { value: 0.2, gradient: [0.0, 1.0] });
        assert_eq!(at(1.0, 1.0), Sample { value: 0.875, gradient: [0.5, 0.5] });
        for i in 0..1000 {
            let b = i as f32 / 500.0;
            let h = 1.0 / 1024.0;
            let quotient = (at(1.0, b + h).value - at(1.0, b - h).value) / (2.0 * h);
            assert!((quotient - at(1.0, b).gradient[1]).abs() < 2e-3, "{b}");
        }
    }
}
