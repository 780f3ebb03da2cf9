//! Joining fields point by point.

use crate::derivative::bounds::{Bounds, times};
use crate::derivative::chain_rule::Dual;
use crate::samples::Buffer;

/// How several fields become one, from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Join {
    Add,
    Multiply,
    /// Blended over differences up to the width.
    Min(f32),
    Max(f32),
}

impl Join {
    #[inline]
    pub fn apply<const N: usize, T: Dual<N>>(self, a: T, b: T) -> T {
        match self {
            Join::Add => a + b,
            Join::Multiply => a * b,
            Join::Min(width) => smooth_min(a, b, width),
            Join::Max(width) => -smooth_min(-a, -b, width),
        }
    }

    /// Joins a second buffer into the first: the bits of [`apply`](Self::apply).
    pub fn all<const N: usize, B: Buffer<N>>(self, out: &mut B, other: &B) {
        // A loop for each, so that the compiler makes vectors of it.
        match self {
            Join::Add => out.join([other], |a, [b]| a + b),
            Join::Multiply => out.join([other], |a, [b]| a * b),
            Join::Min(_) | Join::Max(_) => out.join([other], |a, [b]| self.apply(a, b)),
        }
    }

    pub fn bounds(self, a: Bounds, b: Bounds) -> Bounds {
        match self {
            Join::Add => a + b,
            Join::Multiply => a * b,
            Join::Min(width) => smooth_min_bounds(a, b, width),
            Join::Max(width) => {
                smooth_min_bounds(a.scaled(-1.0), b.scaled(-1.0), width).scaled(-1.0)
            }
        }
    }

    /// The same over a part of the domain, with a closer range: a smooth minimum rises with both of
    /// its operands, so its ends are those of theirs. (The range of the whole stays as it is, since
    /// it decides the values of a `Normalize` above it.)
    pub fn bounds_of_part(self, a: Bounds, b: Bounds) -> Bounds {
        let [min, max] = match self {
            Join::Add | Join::Multiply => return self.bounds(a, b),
            Join::Min(width) => [(a.min, b.min), (a.max, b.max)].map(|(a, b)| least(a, b, width)),
            Join::Max(width) => {
                [(a.min, b.min), (a.max, b.max)].map(|(a, b)| -least(-a, -b, width))
            }
        };
        Bounds { min, max, ..self.bounds(a, b) }
    }
}

/// The smooth minimum of two numbers.
fn least(a: f64, b: f64, width: f32) -> f64 {
    let width = f64::from(width);
    let h = width - (a - b).abs();
    a.min(b) - if h > 0.0 { h * h / (4.0 * width) } else { 0.0 }
}

/// min(a, b) - h^2 / (4 w) with h = max(0, w - |a - b|): the polynomial smooth minimum.
///
/// The weight of the smaller one is 1 - h / (2 w), that of the other h / (2 w). They meet at 1/2
/// where a = b, so the gradient is continuous. With width 0 it is the minimum, and where a = b,
/// a's. The Hessian is the mean of theirs less d d^T / (2 w), d = grad a - grad b.
///
/// Source: Inigo Quilez, "Smooth minimum", 2013.
#[inline]
fn smooth_min<const N: usize, T: Dual<N>>(a: T, b: T, width: f32) -> T {
    let (least, other) = if b.sample().value < a.sample().value { (b, a) } else { (a, b) };
    let [low, high] = [least, other].map(|dual| dual.sample().value);
    let h = width - (high - low);
    if h <= 0.0 {
        return least;
    }
    let weight = h / (2.0 * width);
    let blend = least * (1.0 - weight) + other * weight;
    blend.bent(other - least, -0.5 / width).with_value(low - h * weight * 0.5)
}

/// Its gradient is a mean of both, its second derivative that mean of theirs less (grad a - grad
/// b)^2 / (2 w).
fn smooth_min_bounds(a: Bounds, b: Bounds, width: f32) -> Bounds {
    let width = f64::from(width);
    // Fields that keep more than the width apart do not blend.
    if a.max + width < b.min {
        return a;
    }
    if b.max + width < a.min {
        return b;
    }
    let slopes = a.lipschitz + b.lipschitz;
    let bend = if width > 0.0 { slopes * slopes / (2.0 * width) } else { f64::INFINITY };
    Bounds {
        min: a.min.min(b.min) - width / 4.0,
        max: a.max.min(b.max),
        lipschitz: a.lipschitz.max(b.lipschitz),
        curvature: a.curvature.max(b.curvature) + bend,
        loose: a.loose | b.loose,
    }
}

/// (1 - m) a + m b = a + (b - a) m.
#[inline]
pub(crate) fn lerp<const N: usize, T: Dual<N>>(a: T, b: T, mask: T) -> T {
    a + (b - a) * mask
}

/// The value is linear in each of the three, so its extremes are at corners; the rest is the
/// product rule, grouped as (1 - m) a + m b.
pub(crate) fn lerp_bounds(a: Bounds, b: Bounds, mask: Bounds) -> Bounds {
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
    // Where the mask keeps within 0 and 1 the weights add up to 1, and the mean of two is at most
    // the larger.
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
        loose: a.loose | b.loose | mask.loose,
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
