//! The weight of an edit with its exact derivatives.

use crate::derivative::chain_rule::Differentiated;
use crate::derivative::sample::Sample;
use crate::real::Real;

/// The quintic fade u(t) = 6 t^5 - 15 t^4 + 10 t^3 with u' and u'', for t from 0 to 1. All three
/// vanish at 0, and u' and u'' at 1, so weights are twice continuously differentiable.
#[inline(always)]
fn fade<R: Real>(t: R) -> [R; 3] {
    let rest = -t + 1.0;
    let value = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    [value, (t * rest) * (t * rest) * 30.0, (t * rest) * (rest - t) * 60.0]
}

/// The maximum of u', at 1/2.
pub(super) const STEEPEST: f64 = 1.875;
/// The maximum of |u''|, 10 / sqrt 3, rounded up.
pub(super) const SHARPEST: f64 = 5.773_502_7;

/// The maximum of u' / sqrt(u), at 0.27, rounded up. For the weight of a rectangle, a product of
/// two, it grows as the maximum of u' does: by sqrt(2).
pub(super) const STEEPEST_BY_ROOT: f64 = 3.287_1;

/// The bounds on the first and second derivative of a weight along a line.
pub(super) fn steepest(falloff: f64) -> [f64; 2] {
    [STEEPEST / falloff, SHARPEST / (falloff * falloff)]
}

/// The weight `distance` metres outside the core of an area and its two derivatives by the
/// distance: 1 in the core, u(1 - distance / falloff) around it, and 0 beyond.
#[inline(always)]
pub(super) fn along<R: Real>(distance: R, falloff: f64) -> [R; 3] {
    let inverse = 1.0 / falloff;
    let [value, slope, second] = fade((-(distance * inverse) + 1.0).clamp(0.0, 1.0));
    [value, slope * -inverse, second * (inverse * inverse)]
}

/// The same, sooner; `None` where it is 0.
#[inline]
pub(super) fn along_if_any(distance: f64, falloff: f64) -> Option<[f64; 3]> {
    if distance <= 0.0 {
        return Some([1.0, 0.0, 0.0]);
    }
    (distance < falloff).then(|| along(distance, falloff))
}

/// A function of the plane at a point, in `f64`: its value, its gradient, and its second
/// derivatives by x twice, by x and z, and by z twice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Jet64<R = f64> {
    pub value: R,
    pub gradient: [R; 2],
    pub second: [R; 3],
}

impl Jet64 {
    pub const ONE: Self = Self { value: 1.0, gradient: [0.0; 2], second: [0.0; 3] };

    /// The same times a factor.
    #[inline]
    pub fn times(self, factor: f64) -> Self {
        Self {
            value: factor * self.value,
            gradient: [factor * self.gradient[0], factor * self.gradient[1]],
            second: [factor * self.second[0], factor * self.second[1], factor * self.second[2]],
        }
    }

    /// Rounded to a value, a sample or a jet.
    #[inline]
    pub fn rounded<T: Differentiated<2>>(self) -> T {
        let Self { value, gradient: [x, z], second: [xx, xz, zz] } = self;
        let sample = Sample { value: value as f32, gradient: [x as f32, z as f32] };
        T::with_hessian(sample, || [[xx as f32, xz as f32], [xz as f32, zz as f32]])
    }
}

impl<R: Real> Jet64<R> {
    /// m(d), given m and its derivatives, at `offset` from the centre from which d is measured.
    ///
    /// With the unit vector n = offset / d, its gradient is m' n and its Hessian is
    /// m'' n n^T + (m' / d) (I - n n^T).
    #[inline(always)]
    pub fn radial([value, slope, second]: [R; 3], offset: [R; 2], distance: R) -> Self {
        let [x, z] = [offset[0] / distance, offset[1] / distance];
        let around = slope / distance;
        let second = [
            second * x * x + around * z * z,
            (second - around) * x * z,
            second * z * z + around * x * x,
        ];
        Self { value, gradient: [slope * x, slope * z], second }
    }

    /// This where the mask is set, and [`ONE`](Jet64::ONE) elsewhere.
    #[inline(always)]
    pub fn or_one(self, mask: R::Mask) -> Self {
        let Self { value, gradient: [x, z], second: [xx, xz, zz] } = self;
        let zero = value.splat(0.0);
        Self {
            value: R::select(mask, value, value.splat(1.0)),
            gradient: [R::select(mask, x, zero), R::select(mask, z, zero)],
            second: [
                R::select(mask, xx, zero),
                R::select(mask, xz, zero),
                R::select(mask, zz, zero),
            ],
        }
    }

    /// m(s), given m and its derivatives, with s the coordinate along `axis`.
    #[inline(always)]
    pub fn straight([value, slope, second]: [R; 3], [x, z]: [R; 2]) -> Self {
        Self {
            value,
            gradient: [slope * x, slope * z],
            second: [second * x * x, second * x * z, second * z * z],
        }
    }

    /// The product rule.
    #[inline(always)]
    pub fn product(self, other: Self) -> Self {
        let Self { value: f, gradient: [fx, fz], second: [fxx, fxz, fzz] } = self;
        let Self { value: g, gradient: [gx, gz], second: [gxx, gxz, gzz] } = other;
        Self {
            value: f * g,
            gradient: [fx * g + f * gx, fz * g + f * gz],
            second: [
                fxx * g + fx * gx * 2.0 + f * gxx,
                fxz * g + (fx * gz + fz * gx) + f * gxz,
                fzz * g + fz * gz * 2.0 + f * gzz,
            ],
        }
    }

    /// The sum of two functions.
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        let Self { value: f, gradient: [fx, fz], second: [fxx, fxz, fzz] } = self;
        let Self { value: g, gradient: [gx, gz], second: [gxx, gxz, gzz] } = other;
        let second = [fxx + gxx, fxz + gxz, fzz + gzz];
        Self { value: f + g, gradient: [fx + gx, fz + gz], second }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extremes_of_the_fade_are_bounds() {
        let mut most = [0f64; 3];
        for i in 1..100_000 {
            let [value, slope, second] = fade(f64::from(i) / 1e5);
            let found = [slope, second.abs(), slope / value.sqrt()];
            most = [0, 1, 2].map(|k| most[k].max(found[k]));
        }
        for (most, bound) in most.into_iter().zip([STEEPEST, SHARPEST, STEEPEST_BY_ROOT]) {
            assert!(most <= bound && most > 0.9999 * bound, "{most} {bound}");
        }
    }
}
