//! Proofs by interval arithmetic: a function is below a bound on a box if its interval is, or if
//! the function is below the bound on both halves of the box.

use core::ops::{Add, Div, Mul, Neg, Sub};

/// The numbers from `lo` to `hi`. The slack of the proofs is millions of times larger than rounding
/// errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub lo: f64,
    pub hi: f64,
}

pub fn interval(lo: f64, hi: f64) -> Interval {
    Interval { lo, hi }
}

pub fn point(x: f64) -> Interval {
    interval(x, x)
}

impl Interval {
    /// The range of an increasing function.
    pub fn rising(self, f: impl Fn(f64) -> f64) -> Self {
        interval(f(self.lo), f(self.hi))
    }

    /// The range of a function that is monotone except for extrema at `turns`.
    pub fn turning(self, turns: &[f64], f: impl Fn(f64) -> f64) -> Self {
        let inside = turns.iter().copied().filter(|t| (self.lo..=self.hi).contains(t));
        let values = inside.chain([self.lo, self.hi]).map(f);
        values.fold(interval(f64::INFINITY, f64::NEG_INFINITY), |range, x| {
            interval(range.lo.min(x), range.hi.max(x))
        })
    }

    pub fn square(self) -> Self {
        self.turning(&[0.0], |x| x * x)
    }

    pub fn abs(self) -> Self {
        self.turning(&[0.0], f64::abs)
    }

    pub fn sqrt(self) -> Self {
        self.rising(|x| x.max(0.0).sqrt())
    }

    pub fn max(self, other: Self) -> Self {
        interval(self.lo.max(other.lo), self.hi.max(other.hi))
    }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        interval(self.lo + other.lo, self.hi + other.hi)
    }
}

impl Neg for Interval {
    type Output = Self;
    fn neg(self) -> Self {
        interval(-self.hi, -self.lo)
    }
}

impl Sub for Interval {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let products =
            [self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi];
        interval(
            products.into_iter().fold(f64::INFINITY, f64::min),
            products.into_iter().fold(f64::NEG_INFINITY, f64::max),
        )
    }
}

impl Mul<f64> for Interval {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        self * point(factor)
    }
}

impl Div for Interval {
    type Output = Self;
    /// Divides by an interval above zero.
    fn div(self, other: Self) -> Self {
        assert!(other.lo > 0.0);
        self * interval(1.0 / other.hi, 1.0 / other.lo)
    }
}

/// Proves that `f` is at most `bound` on a box. Returns the number of boxes needed, or a box that
/// is too small to split and still above the bound.
pub fn prove<const D: usize>(
    domain: [Interval; D],
    bound: f64,
    f: &impl Fn(&[Interval; D]) -> f64,
) -> Result<u64, [Interval; D]> {
    let mut boxes = vec![domain];
    let mut count = 0;
    while let Some(domain) = boxes.pop() {
        count += 1;
        if f(&domain) <= bound {
            continue;
        }
        let width = |k: &usize| domain[*k].hi - domain[*k].lo;
        let k = (0..D).max_by(|a, b| width(a).total_cmp(&width(b))).expect("a dimension");
        if width(&k) < 1e-5 {
            return Err(domain);
        }
        let middle = (domain[k].lo + domain[k].hi) / 2.0;
        for half in [interval(domain[k].lo, middle), interval(middle, domain[k].hi)] {
            let mut part = domain;
            part[k] = half;
            boxes.push(part);
        }
    }
    Ok(count)
}
