//! How a fractal combines its octaves: the choice and its parameters.

use crate::error::DataError;
use crate::kernel::OctaveTerm;
use crate::limits::{Parameters, parameters};

/// How a fractal computes its value from its octaves n_i with the amplitudes a_i.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum FractalKind {
    /// Fractional Brownian motion, fBm: the sum of a_i n_i. As smooth as the noise.
    #[default]
    Fbm,
    /// The sum of a_i |n_i| (Ken Perlin, "An Image Synthesizer", 1985). It has creases where an
    /// octave is zero. The gradient of that octave counts as 0 there.
    Turbulence,
    /// The sum of a_i (2 |n_i| - 1): turbulence, shifted so that its range is symmetric. It has the
    /// same creases. With a negative amplitude it is what some libraries call ridged.
    Billow,
    /// The ridged multifractal.
    Ridged(Ridged),
    /// The hybrid multifractal.
    Hybrid(Hybrid),
    /// Octaves folded by a triangle wave.
    PingPong(PingPong),
    /// fBm whose octaves fade where the ground is steep.
    Damped(Damped),
}

parameters! {
    /// The ridged multifractal: sharp crests, with high ground rough and low ground smooth.
    ///
    /// The sum of a_i s_i with s_i = w_i (offset - |n_i|)^2, w_0 = 1, w_i = min(1, feedback
    /// s_(i-1)).
    ///
    /// The gradient is exact, by the product rule. It has creases where an octave is zero (the
    /// crests), where |n_i|' counts as 0, and where a weight w_i reaches 1, where w_i' counts as 0.
    /// Libraries that call 1 - |n| or its fBm "ridged" mean [`Billow`](FractalKind::Billow) of a
    /// negative amplitude.
    ///
    /// Source: F. Kenton Musgrave, in Ebert et al., "Texturing and Modeling: A Procedural
    /// Approach", 3rd edition, 2003, chapter 16.
    #[derive(Copy)]
    pub struct Ridged {}
    numbers {
        /// The absolute noise is subtracted from this. The height of a crest is its square.
        offset: f32 = 1 "", 0 to 4;
        /// How much an octave's height adds to the roughness of the next.
        feedback: f32 = 2 "", 0 to 16;
    }
}

parameters! {
    /// The hybrid multifractal: smooth valleys and rough heights, without the crests of the ridged
    /// multifractal.
    ///
    /// The sum of a_i s_i with s_i = w_i (n_i + offset), w_0 = 1, w_i = min(1, feedback
    /// (a_(i-1) / a_0) s_(i-1)). The amplitude scales the sum and changes nothing else. A
    /// weight changes sign where its octave is below -offset; offsets of at least the largest -n_i
    /// avoid that.
    ///
    /// The gradient is exact, by the product rule. It has creases where a weight w_i reaches 1,
    /// where w_i' counts as 0. Amplitudes below 1e-20 leave only the first octave.
    ///
    /// Source: F. Kenton Musgrave, as for [`Ridged`]. His `HybridMultifractal` has a feedback of 1
    /// and the gain lacunarity^-H, H = 0.25.
    #[derive(Copy)]
    pub struct Hybrid {}
    numbers {
        /// Added to each octave. A larger offset raises the mean, and with it the roughness.
        offset: f32 = 0.7 "", 0 to 4;
        /// How much an octave's height adds to the roughness of the next.
        feedback: f32 = 1 "", 0 to 16;
    }
}

parameters! {
    /// Octaves folded by a triangle wave: contour-like bands with sharp crests and troughs.
    ///
    /// The sum of a_i (2 T((n_i + 1) strength) - 1). T is the triangle wave of period 2: 0 at even
    /// numbers, 1 at odd ones, linear between.
    ///
    /// The gradient is exact. It has creases where (n_i + 1) strength is a whole number; that
    /// octave's gradient counts as 0 there.
    ///
    /// Source: Jordan Peck, FastNoiseLite, `FractalType_PingPong`, 2020, with a weighted strength
    /// of 0.
    #[derive(Copy)]
    pub struct PingPong {}
    numbers {
        /// How often the noise is folded. There are about twice as many bands from its lowest to
        /// its highest value.
        strength: f32 = 2 "", 0 to 16;
    }
}

parameters! {
    /// Slope-damped fBm: each octave is divided by 1 + strength |slope|^2. Rough on flat ground and
    /// crests, smooth on slopes.
    ///
    /// The sum of a_i n_i / (1 + strength |s_i|^2) with the slope of the octaves so far, in units
    /// of that of the first octave, s_i = sum over j <= i of (a_j / a_0) grad n_j / frequency.
    ///
    /// The gradient is exact and includes that of the divisors. It needs the second derivatives of
    /// the noise, which must not jump: only noise with the quintic fade and simplex noise are
    /// allowed. Second derivatives of the sum are differences of its gradient, over a hundredth of
    /// the finest octave's cells. No bound on them is known, so rays that graze strongly damped
    /// ground may end unfinished.
    ///
    /// Source: Inigo Quilez, "Value noise derivatives", 2008, who returns only the gradient of the
    /// octaves.
    #[derive(Copy)]
    pub struct Damped {}
    numbers {
        /// How strongly slopes damp octaves. 0 is plain fBm.
        strength: f32 = 1 "", 0 to 100;
    }
}

impl FractalKind {
    pub(crate) fn check(&self) -> Result<(), DataError> {
        let (name, checked) = match self {
            FractalKind::Fbm | FractalKind::Turbulence | FractalKind::Billow => return Ok(()),
            FractalKind::Ridged(ridged) => ("Ridged", ridged.check_numbers()),
            FractalKind::Hybrid(hybrid) => ("Hybrid", hybrid.check_numbers()),
            FractalKind::PingPong(ping_pong) => ("PingPong", ping_pong.check_numbers()),
            FractalKind::Damped(damped) => ("Damped", damped.check_numbers()),
        };
        checked.map_err(|e| DataError::from(e).under(name))
    }

    /// The kind for an amplitude of the first octave. Damping of strength 0 becomes plain fBm. The
    /// feedback of a hybrid becomes that of a term with its amplitude.
    pub(crate) fn resolved(self, amplitude: f32) -> Self {
        match self {
            FractalKind::Damped(Damped { strength: 0.0 }) => FractalKind::Fbm,
            FractalKind::Hybrid(Hybrid { offset, feedback }) => {
                let is_flat = amplitude.abs() < 1e-20;
                FractalKind::Hybrid(Hybrid {
                    offset,
                    feedback: if is_flat { 0.0 } else { feedback / amplitude },
                })
            }
            kind => kind,
        }
    }

    /// The terms of the sum, before damping. The kind must be [`resolved`](Self::resolved).
    #[inline]
    pub(crate) fn term(self) -> OctaveTerm {
        match self {
            FractalKind::Fbm | FractalKind::Damped(_) => OctaveTerm::Plain,
            FractalKind::Turbulence => OctaveTerm::Turbulence,
            FractalKind::Billow => OctaveTerm::Billow,
            FractalKind::PingPong(PingPong { strength }) => OctaveTerm::PingPong { strength },
            FractalKind::Ridged(Ridged { offset, feedback }) => {
                OctaveTerm::Ridged { offset, feedback }
            }
            FractalKind::Hybrid(Hybrid { offset, feedback }) => {
                OctaveTerm::Hybrid { offset, feedback }
            }
        }
    }
}
