//! The term that each octave adds to a fractal's sum, for all types of numbers: samples, jets, SIMD
//! lanes and bounds.

use crate::derivative::elementary::Shaped;

/// How an octave becomes a term of the sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OctaveTerm {
    /// a n.
    Plain,
    /// a |n|.
    Turbulence,
    /// a (2 |n| - 1).
    Billow,
    /// a (2 T((n + 1) strength) - 1), T the triangle wave of period 2.
    PingPong { strength: f32 },
    /// a s, s = w (offset - |n|)^2. The next octave's weight w is min(1, feedback s).
    Ridged { offset: f32, feedback: f32 },
    /// s = a w (n + offset). The next octave's weight w is min(1, feedback s).
    Hybrid { offset: f32, feedback: f32 },
}

/// Converts octaves to terms, in order.
pub(crate) struct OctaveTerms<T> {
    term: OctaveTerm,
    /// The weight of the next octave of a multifractal; `None` before the first octave.
    pub weight: Option<T>,
}

impl<T: Shaped> OctaveTerms<T> {
    pub fn new(term: OctaveTerm) -> Self {
        Self { term, weight: None }
    }

    /// The term of the next octave.
    #[inline(always)]
    pub fn next(&mut self, noise: T, amplitude: f32) -> T {
        match self.term {
            OctaveTerm::Plain => noise.times(amplitude),
            OctaveTerm::Turbulence => noise.abs().times(amplitude),
            OctaveTerm::Billow => noise.abs().affine(2.0, -1.0).times(amplitude),
            OctaveTerm::PingPong { strength } => {
                noise.affine(strength, strength).triangle().affine(2.0, -1.0).times(amplitude)
            }
            OctaveTerm::Ridged { offset, feedback } => {
                let signal = self.weighted(noise.abs().affine(-1.0, offset).square());
                self.weight = Some(signal.affine(feedback, 0.0).at_most_one());
                signal.times(amplitude)
            }
            OctaveTerm::Hybrid { offset, feedback } => {
                let term = self.weighted(noise.affine(1.0, offset)).times(amplitude);
                self.weight = Some(term.affine(feedback, 0.0).at_most_one());
                term
            }
        }
    }

    #[inline(always)]
    fn weighted(&self, signal: T) -> T {
        match self.weight {
            Some(weight) => weight.product(signal),
            None => signal,
        }
    }
}
