//! The value of a field together with its gradient and its second derivatives.

use core::ops::{Add, Mul, Neg, Sub};

use crate::arrays::{self, Each};
use crate::derivative::sample::Sample;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// The value of a field at a point of N dimensions, its gradient, and its Hessian there.
///
/// A `Jet` follows the rules of calculus twice. Its arithmetic on values and gradients is that of
/// [`Sample`], bit for bit, and the second derivatives follow the rules for sums, products and
/// chains. The Hessian is exactly symmetric.
///
/// ```
/// use orogeny::{Field, GradientNoise, Node};
///
/// let noise = Node::<2>::from(GradientNoise::seeded(7)).build()?;
/// let jet = noise.jet([0.3, -1.2]);
/// assert_eq!(jet.sample, noise.sample([0.3, -1.2]));
/// // The slope along x, some way farther along z.
/// let moved = noise.sample([0.3, -1.199]).gradient[0];
/// assert!((jet.sample.gradient[0] + 0.001 * jet.hessian[0][1] - moved).abs() < 1e-4);
/// # Ok::<(), orogeny::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet<const N: usize> {
    /// The value and the gradient.
    pub sample: Sample<N>,
    /// `hessian[j][k]` is the derivative along coordinate k of the derivative along coordinate j,
    /// in units of the value per unit of either coordinate.
    pub hessian: [[f32; N]; N],
}

/// A matrix from its entries [j][k] with j <= k.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "two entries are set at a time")]
pub(crate) fn symmetric<const N: usize>(entry: impl Fn(usize, usize) -> f32) -> [[f32; N]; N] {
    let mut matrix = [[0.0; N]; N];
    for j in 0..N {
        for k in j..N {
            matrix[j][k] = entry(j, k);
            matrix[k][j] = matrix[j][k];
        }
    }
    matrix
}

impl<const N: usize> Jet<N> {
    /// The jet outside the domain of a field: every number is NaN.
    pub const OUTSIDE: Self = Self { sample: Sample::OUTSIDE, hessian: [[f32::NAN; N]; N] };

    /// All numbers are -0: adding it to another jet changes no bits.
    pub(crate) const NOTHING: Self = Self { sample: Sample::NOTHING, hessian: [[-0.0; N]; N] };

    /// A constant field.
    pub const fn constant(value: f32) -> Self {
        Self { sample: Sample::constant(value), hessian: [[0.0; N]; N] }
    }

    /// The chain rule: applies a function m of one variable, given the value and two derivatives of
    /// m at this jet's value. The Hessian of m(f) is m' H + m'' grad f (grad f)^T.
    #[inline]
    pub fn map(self, value: f32, derivative: f32, second: f32) -> Self {
        let g = self.sample.gradient;
        Self {
            sample: self.sample.map(value, derivative),
            hessian: symmetric(|j, k| self.hessian[j][k] * derivative + g[j] * g[k] * second),
        }
    }
}

impl<const N: usize> Default for Jet<N> {
    fn default() -> Self {
        Self::constant(0.0)
    }
}

impl<const N: usize> Add for Jet<N> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            sample: self.sample + other.sample,
            hessian: arrays::from_fn(|j| {
                arrays::from_fn(|k| self.hessian[j][k] + other.hessian[j][k])
            }),
        }
    }
}

impl<const N: usize> Sub for Jet<N> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self {
            sample: self.sample - other.sample,
            hessian: arrays::from_fn(|j| {
                arrays::from_fn(|k| self.hessian[j][k] - other.hessian[j][k])
            }),
        }
    }
}

impl<const N: usize> Mul for Jet<N> {
    type Output = Self;
    /// The product rule twice: (f g)'' = f'' g + (f' g' + g' f') + f g''.
    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "a derivative of a product has a sum")]
    fn mul(self, other: Self) -> Self {
        let (f, g) = (self.sample, other.sample);
        Self {
            sample: f * g,
            hessian: symmetric(|j, k| {
                self.hessian[j][k] * g.value
                    + (f.gradient[j] * g.gradient[k] + f.gradient[k] * g.gradient[j])
                    + f.value * other.hessian[j][k]
            }),
        }
    }
}

impl<const N: usize> Mul<f32> for Jet<N> {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f32) -> Self {
        let hessian = self.hessian.each(|row| row.each(|h| h * factor));
        Self { sample: self.sample * factor, hessian }
    }
}

impl<const N: usize> Neg for Jet<N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { sample: -self.sample, hessian: self.hessian.each(|row| row.each(|h| -h)) }
    }
}

/// The curvature of the surface y = f(x, z) at a point. Heights and coordinates are in the same
/// unit of length, metres for terrain.
///
/// With the gradient (p, q) and the Hessian (r, s; s, t) of f, and w = 1 + p^2 + q^2,
///
/// * mean = ((1 + q^2) r - 2 p q s + (1 + p^2) t) / (2 w^(3/2)),
/// * gaussian = (r t - s^2) / w^2.
///
/// They depend neither on the axes nor on the slope of the ground. Source: Manfredo do Carmo,
/// "Differential Geometry of Curves and Surfaces", 1976, 3-3.
///
/// ```
/// use orogeny::{Field, Fractal, GradientNoise, Node};
///
/// let fbm = Fractal::fbm(4.0, GradientNoise::seeded(7));
/// let hills = Fractal { frequency: 1.0 / 500.0, amplitude: 80.0, ..fbm };
/// let curvature = Node::<2>::from(hills).build()?.jet([120.0, 40.0]).curvature();
/// let is_ridge = curvature.mean < -1.0 / 500.0;
/// # let _ = is_ridge;
/// # Ok::<(), orogeny::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curvature {
    /// The mean of the two principal curvatures, in 1 / length: positive in hollows, negative on
    /// ridges and peaks. A round basin of the radius R has 1 / R.
    pub mean: f32,
    /// Their product, in 1 / length^2: positive on peaks and in basins, negative on saddles, zero
    /// where the ground could be unrolled.
    pub gaussian: f32,
}

impl Curvature {
    /// The principal curvatures, the smaller one first, in 1 / length: mean -+ sqrt(mean^2 -
    /// gaussian).
    pub fn principal(&self) -> [f32; 2] {
        let [mean, gaussian] = [self.mean, self.gaussian].each(f64::from);
        let half = (mean * mean - gaussian).max(0.0).sqrt();
        [(mean - half) as f32, (mean + half) as f32]
    }
}

impl Jet<2> {
    /// The curvature of the ground, if this jet is its height.
    pub fn curvature(&self) -> Curvature {
        let [p, q] = self.sample.gradient.each(f64::from);
        let [[r, s], [_, t]] = self.hessian.each(|row| row.each(f64::from));
        let w = 1.0 + p * p + q * q;
        let mean = (1.0 + q * q) * r - 2.0 * p * q * s + (1.0 + p * p) * t;
        let gaussian = (r * t - s * s) / (w * w);
        Curvature { mean: (mean / (2.0 * w * w.sqrt())) as f32, gaussian: gaussian as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derivative::sample::Sample;

    /// x^2 y + y^3 at (2, 5): value 145, gradient (2 x y, x^2 + 3 y^2) = (20, 79), Hessian (2 y, 2
    /// x; 2 x, 6 y) = (10, 4; 4, 30).
    #[test]
    fn arithmetic_is_the_chain_rule_twice() {
        let along =
            |value, gradient| Jet { sample: Sample { value, gradient }, ..Jet::<2>::constant(0.0) };
        let (x, y) = (along(2.0, [1.0, 0.0]), along(5.0, [0.0, 1.0]));
        let f = x * x * y + y * y * y;
        assert_eq!(f.sample, Sample { value: 145.0, gradient: [20.0, 79.0] });
        assert_eq!(f.hessian, [[10.0, 4.0], [4.0, 30.0]]);
        assert_eq!((-f * 2.0 - f * -2.0), Jet::constant(0.0));
        // The square root of g = x^2 + y^2 is the distance r, whose Hessian is (I - p p^T / r^2) /
        // r.
        let g = x * x + y * y;
        let r = 29f32.sqrt();
        let distance = g.map(r, 0.5 / r, -0.25 / (r * r * r));
        for (found, exact) in [
            (distance.hessian[0][0], (1.0 - 4.0 / 29.0) / r),
            (distance.hessian[0][1], -10.0 / 29.0 / r),
            (distance.hessian[1][1], (1.0 - 25.0 / 29.0) / r),
        ] {
            assert!((found - exact).abs() < 1e-6, "{found} {exact}");
        }
    }

    fn coordinates(x: f32, z: f32) -> [Jet<2>; 2] {
        let along = |value, gradient| Jet { sample: Sample { value, gradient }, ..Jet::default() };
        [along(x, [1.0, 0.0]), along(z, [0.0, 1.0])]
    }

    /// Balls, seen from above, and basins have 1 / R and 1 / R^2 everywhere, on any slope.
    #[test]
    fn balls_are_round_everywhere() {
        let radius = 8.0;
        for (x, z) in [(0.0, 0.0), (3.0, -2.0), (-5.0, 6.0), (7.9, 0.5)] {
            let [x, z] = coordinates(x, z);
            let squared = -(x * x + z * z);
            let squared = squared.map(squared.sample.value + radius * radius, 1.0, 0.0);
            let height = squared.sample.value.sqrt();
            let ball = squared.map(height, 0.5 / height, -0.25 / (height * height * height));
            for (ground, sign) in [(ball, -1.0), (-ball, 1.0)] {
                let found = ground.curvature();
                assert!((found.mean - sign / radius).abs() < 1e-5, "{found:?}");
                assert!((found.gaussian - 1.0 / (radius * radius)).abs() < 1e-5, "{found:?}");
                let [min, max] = found.principal();
                assert!((min - max).abs() < 2e-3 && (min - sign / radius).abs() < 2e-3);
            }
        }
    }

    /// A cylinder can be unrolled, and a saddle curves in both directions.
    #[test]
    fn cylinders_and_saddles() {
        let [x, z] = coordinates(0.5, -0.3);
        let trough = (x * x * 0.5).curvature();
        // The curvature of a plane curve: y'' / (1 + y'^2)^(3/2).
        let plane = 1.0 / 1.25f32.powf(1.5);
        assert!(trough.gaussian == 0.0 && (trough.mean - plane / 2.0).abs() < 1e-6);
        let [min, max] = trough.principal();
        assert!(min.abs() < 1e-6 && (max - plane).abs() < 1e-6);
        let saddle = (x * z).curvature();
        let w: f32 = 1.0 + 0.34;
        assert!((saddle.gaussian + 1.0 / (w * w)).abs() < 1e-6, "{saddle:?}");
        assert!((saddle.mean - 0.15 / w.powf(1.5)).abs() < 1e-6, "{saddle:?}");
    }
}
