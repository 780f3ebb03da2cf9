//! The elementary functions of fractals and remaps, for values, samples, jets and bounds.

use crate::derivative::bounds::Bounds;
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// An operand of elementary functions: a value, a sample or a jet, which follow the chain rule, or
/// the bounds of a field.
pub(crate) trait Shaped: Copy {
    /// factor * f.
    fn times(self, factor: f32) -> Self;
    /// factor * f + offset.
    fn affine(self, factor: f32, offset: f32) -> Self;
    /// f g.
    fn product(self, other: Self) -> Self;
    /// |f|, whose slope is 0 at 0.
    fn abs(self) -> Self;
    /// f^2.
    fn square(self) -> Self;
    /// The triangle wave of f: the distance to the nearest even number, from 0 to 1. Its slope is 1
    /// above even numbers, -1 above odd ones, and 0 at whole numbers.
    fn triangle(self) -> Self;
    /// min(f, 1), whose slope is 0 from 1 on.
    fn at_most_one(self) -> Self;
}

/// The triangle wave and its slope.
#[inline]
fn triangle(x: f32) -> [f32; 2] {
    // From 0 to 2, exactly.
    let rest = x - 2.0 * (0.5 * x).floor();
    if rest > 1.0 {
        return [2.0 - rest, -1.0];
    }
    [rest, if rest == 0.0 || rest == 1.0 { 0.0 } else { 1.0 }]
}

impl Shaped for f32 {
    #[inline]
    fn times(self, factor: f32) -> Self {
        self * factor
    }

    #[inline]
    fn affine(self, factor: f32, offset: f32) -> Self {
        factor * self + offset
    }

    #[inline]
    fn product(self, other: Self) -> Self {
        self * other
    }

    #[inline]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline]
    fn square(self) -> Self {
        self * self
    }

    #[inline]
    fn triangle(self) -> Self {
        let [value, _] = triangle(self);
        value
    }

    #[inline]
    fn at_most_one(self) -> Self {
        if self >= 1.0 { 1.0 } else { self }
    }
}

impl<const N: usize> Shaped for Sample<N> {
    #[inline]
    fn times(self, factor: f32) -> Self {
        self * factor
    }

    #[inline]
    fn affine(self, factor: f32, offset: f32) -> Self {
        self.map(factor * self.value + offset, factor)
    }

    #[inline]
    fn product(self, other: Self) -> Self {
        self * other
    }

    #[inline]
    fn abs(self) -> Self {
        let slope = if self.value == 0.0 { 0.0 } else { 1f32.copysign(self.value) };
        self.map(self.value.abs(), slope)
    }

    #[inline]
    fn square(self) -> Self {
        self * self
    }

    #[inline]
    fn triangle(self) -> Self {
        let [value, slope] = triangle(self.value);
        self.map(value, slope)
    }

    #[inline]
    fn at_most_one(self) -> Self {
        if self.value >= 1.0 { Self::constant(1.0) } else { self }
    }
}

impl<const N: usize> Shaped for Jet<N> {
    #[inline]
    fn times(self, factor: f32) -> Self {
        self * factor
    }

    #[inline]
    fn affine(self, factor: f32, offset: f32) -> Self {
        Self { sample: self.sample.affine(factor, offset), ..self * factor }
    }

    #[inline]
    fn product(self, other: Self) -> Self {
        self * other
    }

    #[inline]
    fn abs(self) -> Self {
        let Sample { value, .. } = self.sample;
        let slope = if value == 0.0 { 0.0 } else { 1f32.copysign(value) };
        Self { sample: self.sample.abs(), ..self * slope }
    }

    #[inline]
    fn square(self) -> Self {
        self * self
    }

    #[inline]
    fn triangle(self) -> Self {
        let [_, slope] = triangle(self.sample.value);
        Self { sample: self.sample.triangle(), ..self * slope }
    }

    #[inline]
    fn at_most_one(self) -> Self {
        if self.sample.value >= 1.0 { Self::constant(1.0) } else { self }
    }
}

impl Shaped for Bounds {
    fn times(self, factor: f32) -> Self {
        self.scaled(factor.into())
    }

    fn affine(self, factor: f32, offset: f32) -> Self {
        self.scaled(factor.into()) + Bounds::constant(offset.into())
    }

    fn product(self, other: Self) -> Self {
        self * other
    }

    fn abs(self) -> Self {
        let range = [self.distance_from_zero(), self.max_abs()];
        let second = if self.min > 0.0 || self.max < 0.0 { 0.0 } else { f64::INFINITY };
        self.mapped(range, 1.0, second)
    }

    fn square(self) -> Self {
        let (min, max) = (self.distance_from_zero(), self.max_abs());
        self.mapped([min * min, max * max], 2.0 * max, 2.0)
    }

    fn triangle(self) -> Self {
        let Self { min, max, .. } = self;
        let wave = |x: f64| (x - 2.0 * (x / 2.0).round()).abs();
        let holds = |parity: f64| 2.0 * ((max - parity) / 2.0).floor() + parity >= min;
        let (holds_even, holds_odd) = (holds(0.0), holds(1.0));
        let low = if holds_even { 0.0 } else { wave(min).min(wave(max)) };
        let high = if holds_odd { 1.0 } else { wave(min).max(wave(max)) };
        let second = if holds_even || holds_odd { f64::INFINITY } else { 0.0 };
        self.mapped([low, high], 1.0, second)
    }

    fn at_most_one(self) -> Self {
        let second = if self.max < 1.0 { 0.0 } else { f64::INFINITY };
        self.mapped([self.min.min(1.0), self.max.min(1.0)], 1.0, second)
    }
}

impl Bounds {
    /// The smallest absolute value.
    fn distance_from_zero(&self) -> f64 {
        self.min.max(-self.max).max(0.0)
    }
}

/// `base` to a whole power, by repeated squaring: `powi` may differ between platforms.
pub(crate) fn power(mut base: f64, mut exponent: u32) -> f64 {
    let mut result = 1.0;
    loop {
        if exponent & 1 == 1 {
            result *= base;
        }
        exponent >>= 1;
        if exponent == 0 {
            return result;
        }
        base *= base;
    }
}

#[cfg(test)]
mod tests {
    use super::power;

    #[test]
    fn powers_are_products() {
        assert_eq!([0, 1, 2, 3, 10].map(|i| power(3.0, i)), [1.0, 3.0, 9.0, 27.0, 59_049.0]);
        assert_eq!(power(0.5, 9), 1.0 / 512.0);
        // The bits of ((g^2)^2)^2 g with g = 0.42, which a platform's own `powi` may not have.
        let [squared, g] = [0.42f64 * 0.42, 0.42];
        let eighth = (squared * squared) * (squared * squared);
        assert_eq!(power(g, 9).to_bits(), (g * eighth).to_bits());
    }
}
