//! Makes the ground rougher or smoother: adds noise, or blends it with the base field without its
//! fine octaves.

use alloc::format;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::{Differentiated, lerp, lerp_bounds};
use crate::edits::area::{Area, PreparedArea};
use crate::edits::falloff::Jet64;
use crate::edits::grids::Span;
use crate::edits::operations::{Apply, AreaEdit, Effect, Operation};
use crate::edits::smoothed_bases::Wavelength;
use crate::edits::weighted_target::SpanWeights;
use crate::edits::widening::Widening;
use crate::error::DataError;
use crate::fractal::Fractal;
use crate::fractal::octaves::Octaves;
use crate::lattice::MAX_CELL;
use crate::limits::parameters;
use crate::node::ops::Operator;
use crate::noise::GradientNoise;
use crate::region::Region;
use crate::simd::Level;

parameters! {
    /// Adds noise: h' = h + w n(p), with fBm of gradient noise. The last octave may have 2^60 cells
    /// between the origin and the area.
    #[derive(Copy, PartialOrd)]
    pub struct Roughen {
        /// Where.
        area: Area = Area::default(),
        /// The seed. Different seeds give unrelated noise.
        seed: u64 = 0,
    }
    numbers {
        /// The amplitude of the first octave.
        amplitude: f32 = 0.5 "m", 0 to 1e4;
        /// The size of the largest features.
        wavelength: f64 = 8 "m", 0.1 to 1e5;
        /// The number of octaves.
        octaves: f64 = 4 "", 1 to 8;
    }
}

impl Roughen {
    fn fractal(&self) -> Fractal<2> {
        let fbm = Fractal::fbm(self.octaves, GradientNoise::seeded(self.seed));
        Fractal { frequency: 1.0 / self.wavelength, amplitude: self.amplitude, ..fbm }
    }
}

impl Operation for Roughen {
    type Prepared = AreaEdit<Octaves<2>>;

    fn check_rest(&self) -> Result<(), DataError> {
        // Noise has no value beyond a number of its cells. One cell less leaves room for offsets.
        let Region { min, max } = self.area.prepared().region();
        let farthest = min.into_iter().chain(max).fold(0.0, |far, x| x.abs().max(far));
        let cells = farthest * self.fractal().last_frequency();
        if cells > MAX_CELL * (1.0 - f64::EPSILON) {
            let problem = format!(
                "is {} m, but must be at least {} m so far from the origin, with {} octaves",
                self.wavelength,
                self.wavelength * (cells / MAX_CELL),
                self.octaves
            );
            return Err(DataError::at("wavelength", problem));
        }
        Ok(())
    }

    fn prepared(&self) -> AreaEdit<Octaves<2>> {
        AreaEdit::new(&self.area, self.fractal().build(self.seed))
    }
}

impl Effect for Octaves<2> {
    fn apply<T: Differentiated<2>>(&self, ground: T, p: [f64; 2], weight: Jet64) -> T {
        ground + weight.rounded::<T>() * self.at::<T>(p)
    }

    fn bounds(&self, ground: Bounds, p: [f64; 2], radius: f64, weight: Bounds) -> Bounds {
        let noise = Operator::local_bounds(self, p, radius);
        let noise = noise.map_or(Bounds::UNKNOWN, |near| near.and(Operator::bounds(self)));
        ground + weight * noise
    }

    fn widening(&self, area: &PreparedArea) -> Widening {
        Widening::adding(area.bounds() * Operator::bounds(self))
    }
}

parameters! {
    /// Smooths the ground: h' = h + strength w (g - h), where g is the base, the field below all
    /// edits, without its fine octaves, see [`Field::smoothed`](crate::Field::smoothed). Nothing is
    /// averaged: g has exact derivatives and bounds, as the base has.
    ///
    /// g does not know of other edits. So a smooth edit blends earlier ones with the base: in its
    /// core, with a strength of 1, nothing of them is left. Later edits act on the smooth ground.
    ///
    /// A base of your own that does not implement `smoothed` is left as it is.
    #[derive(Copy, PartialOrd)]
    pub struct Smooth {
        /// Where.
        area: Area = Area::default(),
    }
    numbers {
        /// Octaves with smaller wavelengths are removed. It is rounded to the nearest power of two
        /// by ratio, so that edits share few smoothed bases.
        wavelength: f64 = 64 "m", 1 to 32768;
        /// The strength of the blend: 0 leaves the ground as it is.
        strength: f32 = 1 "", 0 to 1;
    }
}

impl Operation for Smooth {
    type Prepared = AreaEdit<Smoothing>;

    fn prepared(&self) -> AreaEdit<Smoothing> {
        let wavelength = Wavelength::nearest(self.wavelength);
        AreaEdit::new(&self.area, Smoothing { wavelength, strength: self.strength.into() })
    }
}

#[derive(Clone, Debug)]
pub(in crate::edits) struct Smoothing {
    pub wavelength: Wavelength,
    strength: f64,
}

/// It needs the smoothed base to change the ground, so the methods below do that.
impl Effect for Smoothing {
    fn widening(&self, area: &PreparedArea) -> Widening {
        Widening::blending_with_base(area.bounds(), self.strength)
    }
}

impl AreaEdit<Smoothing> {
    /// The ground after the edit, given the ground before it, a position, and the smoothed base
    /// there, if there is one. That is evaluated only where the weight is above 0.
    pub fn smooth<T: Differentiated<2>>(
        &self,
        ground: T,
        p: [f64; 2],
        smoothed: impl FnOnce(Wavelength) -> Option<T>,
    ) -> T {
        self.smooth_by(self.area.weight(p), ground, smoothed)
    }

    /// The same at the points of a span.
    pub fn smooth_span<T: Differentiated<2>>(
        &self,
        level: Level,
        span: &Span,
        ground: &mut [T],
        smoothed: &impl Fn(usize, Wavelength) -> Option<T>,
    ) {
        let mut weights = SpanWeights::NONE;
        weights.set(level, &self.area, span);
        span.change(&self.region(), ground, |i, ground, _| {
            self.smooth_by(weights.at(i), ground, |wavelength| smoothed(i, wavelength))
        });
    }

    #[inline]
    fn smooth_by<T: Differentiated<2>>(
        &self,
        weight: Option<Jet64>,
        ground: T,
        smoothed: impl FnOnce(Wavelength) -> Option<T>,
    ) -> T {
        let Some(weight) = weight else { return ground };
        let Some(target) = smoothed(self.effect.wavelength) else { return ground };
        lerp(ground, target, weight.times(self.effect.strength).rounded())
    }

    /// The bounds of that within `radius` of the position.
    pub fn smooth_bounds(
        &self,
        ground: Bounds,
        p: [f64; 2],
        radius: f64,
        smoothed: impl FnOnce(Wavelength) -> Option<Bounds>,
    ) -> Bounds {
        let Some(target) = smoothed(self.effect.wavelength) else { return ground };
        let weight = self.area.local_bounds(p, radius).scaled(self.effect.strength);
        lerp_bounds(ground, target, weight)
    }
}
