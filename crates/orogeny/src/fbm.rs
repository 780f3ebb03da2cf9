//! Fractional Brownian motion: octaves of noise, summed.

use core::array;

use crate::field::Field;
use crate::grid::{Grid, Samples};
use crate::hash::derive;
use crate::lattice::{LatticeGradients, UnitDirections};
use crate::limits::{self, OutOfLimits};
use crate::octave::{Octave, fill, sum_at};
use crate::sample::Sample;

/// Fractional Brownian motion, fBm: octaves of [`GradientNoise`](crate::GradientNoise), each finer and fainter than the one before.
///
/// f(p) = sum over i from 0 to octaves - 1 of  a_i n_i(f_i p + o_i),  with a_i = amplitude gain^i and f_i = frequency lacunarity^i.
/// The gradient is the sum of a_i f_i grad n_i, by the chain rule.
///
/// Each octave has its own seed and its own offset o_i within the cell, both derived from `seed`: lattices do not
/// line up at the origin or at lacunarity 2, and the sum is not symmetric about anything.
///
/// The fields are plain data, used as they are. Values outside the limits make a result of no use, such as NaN, or one that
/// takes long; [`validate`](Self::validate) names them.
///
/// ```
/// use orogeny::{Fbm, Field};
///
/// let hills = Fbm { frequency: 1.0 / 500.0, amplitude: 80.0, ..Fbm::default() };
/// let ground = hills.sample([1200.0, -340.0]);
/// assert!(ground.value.abs() <= hills.max_abs::<2>());
/// // The normal of the ground, up to its length.
/// let [dx, dz] = ground.gradient;
/// let _normal = [-dx, 1.0, -dz];
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Fbm {
    /// Chooses the noise: sums of different seeds are unrelated.
    pub seed: u64,
    /// The number of octaves, 1 to 24.
    pub octaves: u32,
    /// Cells of the first octave per unit of length, 1e-9 to 1e3; its features are about 1 / frequency wide.
    pub frequency: f64,
    /// The amplitude of the first octave, in the unit of the value, -1e6 to 1e6.
    pub amplitude: f32,
    /// The ratio of frequencies from one octave to the next, 1 to 8.
    pub lacunarity: f64,
    /// The ratio of amplitudes from one octave to the next, 0 to 1; also called persistence.
    pub gain: f32,
}

impl Default for Fbm {
    fn default() -> Self {
        Self { seed: 0, octaves: 8, frequency: 1.0, amplitude: 1.0, lacunarity: 2.0, gain: 0.5 }
    }
}

impl Fbm {
    /// Whether every field is within its [limits], the frequency of the last octave included.
    ///
    /// # Errors
    /// The first field that is not.
    pub fn validate(&self) -> Result<(), OutOfLimits> {
        limits::OCTAVES.check(self.octaves.into())?;
        limits::FREQUENCY.check(self.frequency)?;
        limits::AMPLITUDE.check(self.amplitude.into())?;
        limits::LACUNARITY.check(self.lacunarity)?;
        limits::GAIN.check(self.gain.into())?;
        let last = self.frequency * self.lacunarity.powi(self.octaves as i32 - 1);
        limits::LAST_FREQUENCY.check(last)
    }

    /// A bound on |f|: the sum of the amplitudes times that of the noise, sqrt(N) / 2.
    pub fn max_abs<const N: usize>(&self) -> f32 {
        let amplitudes: f32 = self.series().map(|(_, a)| a.abs()).sum();
        amplitudes * (N as f32).sqrt() / 2.0
    }

    /// Frequency and amplitude of each octave.
    fn series(&self) -> impl Iterator<Item = (f64, f32)> + use<> {
        let Self { lacunarity, gain, .. } = *self;
        let first = (self.frequency, self.amplitude);
        core::iter::successors(Some(first), move |&(f, a)| Some((f * lacunarity, a * gain)))
            .take(self.octaves as usize)
    }

    fn each_octave<const N: usize>(&self) -> impl Iterator<Item = Octave<N>> + use<N> {
        let seed = self.seed;
        self.series().zip(0u64..).map(move |((frequency, amplitude), i)| {
            let seed = derive(seed, i);
            // Streams 0 to N - 1 of the octave's seed are the keys of its lattice.
            let offset = array::from_fn(|k| {
                (derive(seed, (N + k) as u64) >> 11) as f64 / (1u64 << 53) as f64
            });
            Octave { frequency, amplitude, offset, ..Octave::new(seed) }
        })
    }
}

impl<const N: usize> Field<N> for Fbm
where
    UnitDirections: LatticeGradients<N>,
{
    fn sample(&self, p: [f64; N]) -> Sample<N> {
        sum_at(self.each_octave(), p)
    }

    fn fill(&self, grid: &Grid<N>, out: &mut Samples<N>) {
        fill(self.each_octave(), grid, out);
    }
}
