//! Fades: the curves that blend the corners of a cell along an axis.

use core::f32::consts::PI;

/// The weight u(t) of a cell's upper corner at t in [0, 1]; its lower corner has 1 - u.
///
/// | fade | u(t) | u'(t) | the noise is |
/// |---|---|---|---|
/// | `Linear` | t | 1 | C0: at a cell border the gradient is that of the upper cell |
/// | `Cosine` | (1 - cos pi t) / 2 | (pi / 2) sin pi t | C1 |
/// | `Cubic` | 3 t^2 - 2 t^3 | 6 t (1 - t) | C1: shading shows the borders |
/// | `Quintic` | 6 t^5 - 15 t^4 + 10 t^3 | 30 t^2 (1 - t)^2 | C2 |
///
/// Sources: cubic, Ken Perlin, "An Image Synthesizer", SIGGRAPH 1985; quintic, Ken Perlin,
/// "Improving Noise", SIGGRAPH 2002; linear and cosine, Hugo Elias, "Perlin Noise", 1998 (value
/// noise).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum Fade {
    /// u = t: the slope jumps at the borders of cells.
    Linear,
    /// u = (1 - cos pi t) / 2.
    Cosine,
    /// u = 3 t^2 - 2 t^3, Perlin's fade of 1985.
    Cubic,
    /// u = 6 t^5 - 15 t^4 + 10 t^3, Perlin's fade of 2002.
    #[default]
    Quintic,
}

/// The weights of the two corners and the derivative of the upper one's.
pub(crate) struct Weights {
    pub w0: f32,
    pub w1: f32,
    /// dw1/dt = -dw0/dt.
    pub slope: f32,
}

impl Fade {
    /// The weights at `t` in [0, 1].
    ///
    /// u is evaluated on the side of 0.5 where it is small, and mirrored by u(t) = 1 - u(1 - t). So
    /// both weights are accurate to 2e-7, near 1 as well as near 0.
    #[inline(always)]
    pub(crate) fn weights(self, t: f32) -> Weights {
        // Avoids a branch on the side of t: for scattered points every other one would be
        // mispredicted. Also avoids `min`, whose handling of NaN costs instructions.
        let rest = 1.0 - t;
        let m = if t < rest { t } else { rest };
        let mirrored = f32::from(u8::from(t > 0.5));
        let bump = t * rest;
        let (small, slope) = match self {
            Fade::Linear => (m, 1.0),
            Fade::Cosine => {
                // (1 - cos pi m) / 2 = sin^2(pi m / 2), and its derivative is pi sin cos.
                let (sin, cos) = sin_cos(0.5 * PI * m);
                (sin * sin, PI * (sin * cos))
            }
            Fade::Cubic => (m * m * (3.0 - 2.0 * m), 6.0 * bump),
            Fade::Quintic => (m * m * m * (m * (m * 6.0 - 15.0) + 10.0), 30.0 * (bump * bump)),
        };
        // |0 - u| and |1 - u|, or mirrored, so that u is not rounded.
        let w0 = ((1.0 - mirrored) - small).abs();
        let w1 = (mirrored - small).abs();
        Weights { w0, w1, slope }
    }

    /// The second derivative u''(t): 0, (pi^2 / 2) cos pi t, 6 - 12 t, 60 t (1 - t) (1 - 2 t).
    ///
    /// The second derivatives of `Cosine` and `Cubic` jump at cell borders; this is the one inside
    /// the cell.
    #[inline(always)]
    pub(crate) fn second(self, t: f32) -> f32 {
        match self {
            Fade::Linear => 0.0,
            Fade::Cosine => {
                let Weights { w0, w1, .. } = self.weights(t);
                0.5 * PI * PI * (w0 - w1)
            }
            Fade::Cubic => 6.0 - 12.0 * t,
            Fade::Quintic => 60.0 * (t * (1.0 - t)) * (1.0 - 2.0 * t),
        }
    }
}

/// Sine and cosine on [0, pi / 4] by their Taylor series, to 2e-8, with the same bits on every
/// platform.
#[inline]
fn sin_cos(x: f32) -> (f32, f32) {
    let y = x * x;
    let sin = x * (1.0 - y / 6.0 * (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0))));
    let cos = 1.0 - y / 2.0 * (1.0 - y / 12.0 * (1.0 - y / 30.0 * (1.0 - y / 56.0)));
    (sin, cos)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// u, u' and u'' in f64.
    pub(crate) fn exact(fade: Fade, t: f64) -> [f64; 3] {
        let pi = core::f64::consts::PI;
        match fade {
            Fade::Linear => [t, 1.0, 0.0],
            Fade::Cosine => [
                (1.0 - (pi * t).cos()) / 2.0,
                pi / 2.0 * (pi * t).sin(),
                pi * pi / 2.0 * (pi * t).cos(),
            ],
            Fade::Cubic => [t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t), 6.0 - 12.0 * t],
            Fade::Quintic => [
                t * t * t * (t * (t * 6.0 - 15.0) + 10.0),
                30.0 * t * t * (1.0 - t) * (1.0 - t),
                60.0 * t * (1.0 - t) * (1.0 - 2.0 * t),
            ],
        }
    }

    pub(crate) const ALL: [Fade; 4] = [Fade::Linear, Fade::Cosine, Fade::Cubic, Fade::Quintic];

    #[test]
    fn matches_the_formulas_in_f64() {
        for fade in ALL {
            for i in 0..=100_000 {
                let t = i as f32 / 100_000.0;
                let [u, slope, second] = exact(fade, t.into());
                let error = (f64::from(fade.second(t)) - second).abs();
                assert!(error < 4e-6, "{fade:?}: u''({t})");
                let found = fade.weights(t);
                assert!((f64::from(found.w1) - u).abs() < 2e-7, "{fade:?}: u({t})");
                assert!((f64::from(found.w0) - (1.0 - u)).abs() < 2e-7, "{fade:?}: 1 - u({t})");
                assert!((f64::from(found.slope) - slope).abs() < 5e-7, "{fade:?}: u'({t})");
            }
            let ends = [0.0, 0.5, 1.0].map(|t| (fade.weights(t).w0, fade.weights(t).w1));
            assert_eq!([ends[0], ends[2]], [(1.0, 0.0), (0.0, 1.0)]);
            assert!((ends[1].0 - 0.5).abs() < 1e-7);
        }
    }
}
