//! Linear interpolation between two fields, and its bounds.

use crate::derivative::bounds::{Bounds, times};
use crate::derivative::chain_rule::Dual;

/// (1 - m) a + m b, computed from the nearer end: a + (b - a) m up to m = 1/2, and b + (a - b) (1 -
/// m) beyond. So it is exactly a at 0 and b at 1, and rounding does not take it outside the two.
#[inline]
pub(crate) fn lerp<const N: usize, T: Dual<N>>(a: T, b: T, mask: T) -> T {
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
