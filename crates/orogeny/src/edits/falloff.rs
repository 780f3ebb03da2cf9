//! The weight of an edit with its exact derivatives.

use crate::derivative::chain_rule::Dual;
use crate::derivative::sample::Sample;

/// The quintic fade u(t) = 6 t^5 - 15 t^4 + 10 t^3 with u' and u'', for t from 0 to 1. All three
/// vanish at 0, and u' and u'' at 1, so weights are twice continuously differentiable.
#[inline]
fn fade(t: f64) -> [f64; 3] {
    let rest = 1.0 - t;
    let value = t * t * t * (t * (6.0 * t - 15.0) + 10.0);
    [value, 30.0 * (t * rest) * (t * rest), 60.0 * (t * rest) * (rest - t)]
}

/// The maximum of u', at 1/2.
pub(super) const STEEPEST: f64 = 1.875;
/// The maximum of |u''|, 10 / sqrt 3, rounded up.
pub(super) const SHARPEST: f64 = 5.773_502_7;

/// The bounds on the first and second derivative of a weight along a line.
pub(super) fn steepest(falloff: f64) -> [f64; 2] {
    [STEEPEST / falloff, SHARPEST / (falloff * falloff)]
}

/// The weight `distance` metres outside the core of an area and its two derivatives by the
/// distance: 1 in the core, u(1 - distance / falloff) around it, and `None` beyond.
#[inline]
pub(super) fn along(distance: f64, falloff: f64) -> Option<[f64; 3]> {
    if distance <= 0.0 {
        return Some([1.0, 0.0, 0.0]);
    }
    let t = 1.0 - distance / falloff;
    (t > 0.0).then(|| {
        let [value, slope, bend] = fade(t);
        [value, -slope / falloff, bend / (falloff * falloff)]
    })
}

/// A function of the plane at a point, in `f64`: its value, its gradient, and its second
/// derivatives by x twice, by x and z, and by z twice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Jet64 {
    pub value: f64,
    pub gradient: [f64; 2],
    pub second: [f64; 3],
}

impl Jet64 {
    pub const ONE: Self = Self { value: 1.0, gradient: [0.0; 2], second: [0.0; 3] };

    /// m(d), given m and its derivatives, at `offset` from the centre from which d is measured.
    ///
    /// With the unit vector n = offset / d, its gradient is m' n and its Hessian is
    /// m'' n n^T + (m' / d) (I - n n^T).
    #[inline]
    pub fn radial([value, slope, bend]: [f64; 3], offset: [f64; 2], distance: f64) -> Self {
        let [x, z] = offset.map(|part| part / distance);
        let around = slope / distance;
        let second =
            [bend * x * x + around * z * z, (bend - around) * x * z, bend * z * z + around * x * x];
        Self { value, gradient: [slope * x, slope * z], second }
    }

    /// m(s), given m and its derivatives, with s the coordinate along `axis`.
    #[inline]
    pub fn straight([value, slope, bend]: [f64; 3], [x, z]: [f64; 2]) -> Self {
        Self {
            value,
            gradient: [slope * x, slope * z],
            second: [bend * x * x, bend * x * z, bend * z * z],
        }
    }

    /// The product rule.
    #[inline]
    pub fn product(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.gradient, other.gradient);
        let mixed = [2.0 * a * c, a * d + b * c, 2.0 * b * d];
        Self {
            value: self.value * other.value,
            gradient: [0, 1]
                .map(|k| self.gradient[k] * other.value + self.value * other.gradient[k]),
            second: [0, 1, 2]
                .map(|k| self.second[k] * other.value + mixed[k] + self.value * other.second[k]),
        }
    }

    /// The same times a factor.
    #[inline]
    pub fn times(self, factor: f64) -> Self {
        Self {
            value: factor * self.value,
            gradient: self.gradient.map(|g| factor * g),
            second: self.second.map(|h| factor * h),
        }
    }

    /// The sum of two functions.
    #[inline]
    pub fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            gradient: [0, 1].map(|k| self.gradient[k] + other.gradient[k]),
            second: [0, 1, 2].map(|k| self.second[k] + other.second[k]),
        }
    }

    /// Rounded to a value, a sample or a jet.
    #[inline]
    pub fn rounded<T: Dual<2>>(self) -> T {
        let Self { value, gradient, second } = self;
        let sample = Sample { value: value as f32, gradient: gradient.map(|g| g as f32) };
        let [xx, xz, zz] = second.map(|h| h as f32);
        T::with_hessian(sample, || [[xx, xz], [xz, zz]])
    }
}
