//! Curvature of ground.

use crate::derivative::jet::Jet;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

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
        let [mean, gaussian] = [self.mean, self.gaussian].map(f64::from);
        let half = (mean * mean - gaussian).max(0.0).sqrt();
        [(mean - half) as f32, (mean + half) as f32]
    }
}

impl Jet<2> {
    /// The curvature of the ground, if this jet is its height.
    pub fn curvature(&self) -> Curvature {
        let [p, q] = self.sample.gradient.map(f64::from);
        let [[r, s], [_, t]] = self.hessian.map(|row| row.map(f64::from));
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
        let bend = 1.0 / 1.25f32.powf(1.5);
        assert!(trough.gaussian == 0.0 && (trough.mean - bend / 2.0).abs() < 1e-6);
        let [min, max] = trough.principal();
        assert!(min.abs() < 1e-6 && (max - bend).abs() < 1e-6);
        let saddle = (x * z).curvature();
        let w: f32 = 1.0 + 0.34;
        assert!((saddle.gaussian + 1.0 / (w * w)).abs() < 1e-6, "{saddle:?}");
        assert!((saddle.mean - 0.15 / w.powf(1.5)).abs() < 1e-6, "{saddle:?}");
    }
}
