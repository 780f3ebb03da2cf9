//! Fractals: sums of octaves of a noise.
//!
//! `Fractal` describes the sum, and `FractalKind` (fractal_kind.rs) how octaves combine. octaves.rs
//! evaluates them at points and on grids, damped.rs does so for slope-damped fBm. This module uses
//! noise/, lattice/ and derivative/, and passes grids, batches of points, and the octaves of a
//! single point to kernel/. Start with `Fractal`.

pub(crate) mod damped;
pub(crate) mod fractal_kind;
pub(crate) mod octaves;

pub use fractal_kind::{Damped, FractalKind, Hybrid, PingPong, Ridged};

use crate::arrays::{self, Each};
use crate::derivative::affine::Affine;
use crate::derivative::elementary::power;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::fractal::octaves::{Octave, Octaves};
use crate::lattice::LatticeMapping;
use crate::lattice::hash::derive;
use crate::limits::{LAST_FREQUENCY, Parameters, parameters};
use crate::noise::Noise;

parameters! {
    /// A sum of octaves of a noise, each finer and weaker than the one before.
    ///
    /// Octave i samples the noise at f_i R^i p + o_i, with frequencies f_i = frequency lacunarity^i
    /// and amplitudes a_i = amplitude gain^i. The [`FractalKind`] says how they combine. The
    /// gradient is exact, by the chain rule.
    ///
    /// By default each octave has its own seed and its own offset o_i within the cell, both derived
    /// from the seed of the noise. Lattices then do not line up, neither at the origin nor at
    /// lacunarity 2, and the sum has no centre of symmetry. R rotates each octave against the one
    /// before, for noises whose lattice shows.
    ///
    /// The form sum of n(b^i p) / a^i is [`b_over_a`](Self::b_over_a). Some texts call gain
    /// "persistence"; others use the word for a = b in that form.
    ///
    /// ```
    /// use orogeny::{Field, Fractal, GradientNoise, Node};
    ///
    /// let fbm = Fractal::fbm(8.0, GradientNoise::seeded(7));
    /// let hills = Fractal { frequency: 1.0 / 500.0, amplitude: 80.0, ..fbm };
    /// let hills = Node::<2>::from(hills).build()?;
    /// let ground = hills.sample([1200.0, -340.0]);
    /// assert!(f64::from(ground.value) <= hills.bounds().max);
    /// // The normal of the ground, up to its length.
    /// let [dx, dz] = ground.gradient;
    /// let _normal = [-dx, 1.0, -dz];
    /// # Ok::<(), orogeny::DataError>(())
    /// ```
    pub struct Fractal<const N: usize> {
        /// The noise of every octave. The period of a periodic noise is in cells of the first
        /// octave; lacunarity must then be whole.
        noise: Noise<N> = Noise::default(),
        /// How octaves combine.
        kind: FractalKind = FractalKind::Fbm,
        /// Whether each octave has a seed of its own.
        reseed: bool = true,
        /// Whether each octave is shifted by a random fraction of a cell.
        offset: bool = true,
    }
    numbers {
        /// The number of octaves. A fraction scales the amplitude of the last one.
        octaves: f64 = 8 "", 1 to 24;
        /// Cells of the first octave per unit of length: features are about 1 / frequency wide.
        frequency: f64 = 1 "cells per unit of length", 1e-9 to 1e3;
        /// The amplitude of the first octave.
        amplitude: f32 = 1 "", -1e6 to 1e6;
        /// The ratio of frequencies from one octave to the next.
        lacunarity: f64 = 2 "", 1 to 8;
        /// The roughness: the ratio of amplitudes from one octave to the next, or persistence.
        gain: f32 = 0.5 "", 0 to 1;
        /// The rotation of each octave against the one before: counter-clockwise in two dimensions,
        /// around (1, 1, 1) in three, 0 in others. Unrotated octaves of lattice noise share their
        /// axes, which low light shows as a faint weave. 30 degrees hide it, but make grids slower.
        rotation: f64 = 0 "degrees", -360 to 360;
    }
}

impl<const N: usize> Fractal<N> {
    /// Fractional Brownian motion (fBm) of a noise.
    pub fn fbm(octaves: f64, noise: impl Into<Noise<N>>) -> Self {
        Self { noise: noise.into(), octaves, ..Self::default() }
    }

    /// The sum over i of n(b^i p) / a^i, with one lattice for all octaves: gain 1 / a and
    /// lacunarity b.
    ///
    /// By the limits of `gain` and `lacunarity`, a is at least 1 and b from 1 to 8. Texts that call
    /// a = b = k "persistence" mean, for k = 2, that each octave doubles the frequency and halves
    /// the amplitude.
    pub fn b_over_a(octaves: f64, noise: impl Into<Noise<N>>, a: f64, b: f64) -> Self {
        let sum = Self { lacunarity: b, gain: (1.0 / a) as f32, ..Self::fbm(octaves, noise) };
        Self { reseed: false, offset: false, ..sum }
    }

    /// Frequency and amplitude of each octave.
    fn series(&self) -> impl Iterator<Item = (f64, f32)> + use<N> {
        self.series_from(self.amplitude)
    }

    /// Like `series`, with another amplitude of the first octave.
    fn series_from(&self, amplitude: f32) -> impl Iterator<Item = (f64, f32)> + use<N> {
        let Self { frequency, lacunarity, gain, octaves, .. } = *self;
        let first = (frequency, amplitude);
        core::iter::successors(Some(first), move |&(f, a)| Some((f * lacunarity, a * gain)))
            .zip(0..octaves.ceil() as u32)
            .map(move |((f, a), i)| (f, a * (octaves - f64::from(i)).min(1.0) as f32))
    }

    /// The kind by which octaves are summed.
    fn summed(&self) -> FractalKind {
        self.kind.resolved(self.amplitude)
    }

    /// The weight of each octave's slope in damping: its amplitude divided by that of the first
    /// octave and by the first frequency.
    fn shares(&self) -> impl Iterator<Item = f32> + use<N> {
        let frequency = self.frequency;
        self.series_from(1.0).map(move |(_, a)| (f64::from(a) / frequency) as f32)
    }

    /// The frequency of the last octave.
    pub(crate) fn last_frequency(&self) -> f64 {
        self.series().last().map_or(self.frequency, |(frequency, _)| frequency)
    }

    /// The period of octave i.
    fn period(&self, i: u32) -> [f64; N] {
        self.noise.period().each(|cells| f64::from(cells) * power(self.lacunarity, i))
    }

    pub(crate) fn check(&self) -> Result<(), DataError> {
        self.check_numbers()?;
        self.noise.check().map_err(|e| e.under("noise"))?;
        self.kind.check().map_err(|e| e.under("kind"))?;
        if matches!(self.kind, FractalKind::Damped(_)) && !self.noise.is_smooth() {
            let problem = "must be gradient or value noise with the quintic fade, or simplex \
                           noise: damped octaves need continuous second derivatives";
            return Err(DataError::at("noise", problem));
        }
        let last = self.octaves.ceil() as u32 - 1;
        LAST_FREQUENCY.check(self.last_frequency()).map_err(DataError::here)?;
        if self.rotation != 0.0 && !(2..=3).contains(&N) {
            let problem = format!("is {}, but must be 0 in {N} dimensions", self.rotation);
            return Err(DataError::at("rotation", problem));
        }
        if self.noise.period() != [0; N] {
            if last > 0 && self.lacunarity.fract() != 0.0 {
                let problem = "but must be a whole number, since the noise has a period";
                return Err(DataError::at(
                    "lacunarity",
                    format!("is {}, {problem}", self.lacunarity),
                ));
            }
            if self.rotation != 0.0 {
                let problem = "but must be 0, since the noise has a period";
                return Err(DataError::at("rotation", format!("is {}, {problem}", self.rotation)));
            }
            if let Some(cells) = self.period(last).iter().find(|&&n| n > f64::from(1u32 << 31)) {
                let problem = "but the last octave's period must be at most 2^31 cells";
                return Err(DataError::at("octaves", format!("lead to {cells}, {problem}")));
            }
        }
        Ok(())
    }

    /// Builds the octaves. `seed` replaces that of the noise.
    pub(crate) fn build(&self, seed: u64) -> Octaves<N> {
        let rotation = (self.rotation != 0.0).then(|| Affine::rotation(self.rotation, [1.0; 3]));
        let (tables, bounds) = (self.noise.tables(), self.noise.bounds());
        let mut turned = None;
        let series = self.series().zip(self.shares()).zip(0u64..);
        let octaves = series.map(|(((frequency, amplitude), share), i)| {
            let own = if self.reseed { derive(seed, i) } else { seed };
            let offset = arrays::from_fn(|k| {
                // Streams 0 to N - 1 of the octave's seed are the keys of its lattice. Octaves with
                // the same seed get different offsets.
                let stream = if self.reseed { N + k } else { N + k + N * i as usize };
                if self.offset { unit(derive(own, stream as u64)) } else { 0.0 }
            });
            if i > 0 {
                turned = rotation.map(|r| turned.map_or(r, |t: Affine<N>| t.then(&r)));
            }
            let period = self.period(i as u32).each(|cells| cells as u32);
            let noise = self.noise.build(&tables, own, period);
            let mapping = LatticeMapping { frequency, offset };
            let mut octave = Octave::new(noise, bounds.stretched(frequency), mapping);
            (octave.amplitude, octave.share, octave.rotation) = (amplitude, share, turned);
            octave
        });
        Octaves::new(octaves.collect(), self.summed())
    }
}

/// Converts bits to a number from 0 to 1, excluding 1.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}
