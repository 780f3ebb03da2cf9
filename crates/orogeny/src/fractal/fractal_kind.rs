//! What a fractal makes of its octaves.

use crate::derivative::elementary::Shaped;
use crate::limits::parameters;

/// How the octaves n_i of a fractal make its value, with the amplitudes a_i.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum FractalKind {
    /// Fractional Brownian motion, fBm: the sum of a_i n_i. As smooth as the noise.
    #[default]
    Fbm,
    /// The sum of a_i |n_i| (Ken Perlin, "An Image Synthesizer", 1985). It has creases where an
    /// octave is zero; that octave's gradient is 0 there.
    Turbulence,
    /// The sum of a_i (2 |n_i| - 1): turbulence, shifted. The same creases.
    Billow,
    /// The ridged multifractal.
    Ridged(Ridged),
    /// fBm whose octaves fade where the ground is steep.
    Damped(Damped),
}

parameters! {
    /// The ridged multifractal: sharp crests, and roughness only where the land is high.
    ///
    /// The sum of a_i s_i with s_i = w_i (offset - |n_i|)^2, w_0 = 1, w_i = min(1, feedback
    /// s_(i-1)).
    ///
    /// Its gradient is the product rule's. It has creases where an octave is zero, the crests,
    /// where |n_i|' counts as 0, and where a weight w_i reaches 1, where w_i' counts as 0.
    ///
    /// Source: F. Kenton Musgrave, in Ebert et al., "Texturing and Modeling: A Procedural
    /// Approach", 3rd edition, 2003, chapter 16.
    #[derive(Copy)]
    pub struct Ridged {}
    numbers {
        /// The value from which the absolute noise is taken: the height of a crest is its square.
        offset: f32 = 1 "", 0 to 4;
        /// How much an octave's height adds to the roughness of the next.
        feedback: f32 = 2 "", 0 to 16;
    }
}

parameters! {
    /// fBm whose octaves fade where those up to them are steep: rough on flat ground and crests,
    /// smooth on slopes, as if material had slid down.
    ///
    /// The sum of a_i n_i / (1 + strength |s_i|^2) with the slope so far, in units of that of the
    /// first octave, s_i = sum over j <= i of (a_j / a_0) grad n_j / frequency.
    ///
    /// Its gradient is the whole one, that of the divisors included, for which it takes the second
    /// derivatives of the noise: these must not jump, so that only the quintic fade and simplex
    /// noise will do. Second derivatives of the result are by differences of the gradient, over a
    /// hundredth of the finest octave's cells. No bound on them is known, so that rays which graze
    /// strongly damped ground may end unfinished.
    ///
    /// Source: Inigo Quilez, "Value noise derivatives", 2008, who returns the gradient of the
    /// octaves alone.
    #[derive(Copy)]
    pub struct Damped {}
    numbers {
        /// How much slopes damp: 0 is fBm.
        strength: f32 = 1 "", 0 to 100;
    }
}

/// Turns octaves into the terms of the sum, one after another: of samples, and of their bounds.
pub(crate) struct Terms<T> {
    kind: FractalKind,
    /// The weight of the next octave of a ridged multifractal.
    pub weight: Option<T>,
}

impl<T: Shaped> Terms<T> {
    pub fn new(kind: FractalKind) -> Self {
        Self { kind, weight: None }
    }

    /// The term of the next octave.
    #[inline(always)]
    pub fn next(&mut self, noise: T, amplitude: f32) -> T {
        match self.kind {
            // Before it is damped.
            FractalKind::Fbm | FractalKind::Damped(_) => noise.times(amplitude),
            FractalKind::Turbulence => noise.abs().times(amplitude),
            FractalKind::Billow => noise.abs().affine(2.0, -1.0).times(amplitude),
            FractalKind::Ridged(Ridged { offset, feedback }) => {
                let crest = noise.abs().affine(-1.0, offset).square();
                let signal = match self.weight {
                    Some(weight) => weight.product(crest),
                    None => crest,
                };
                self.weight = Some(signal.affine(feedback, 0.0).at_most_one());
                signal.times(amplitude)
            }
        }
    }
}
