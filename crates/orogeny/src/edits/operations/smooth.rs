//! Blends the ground with the base field without its fine octaves.

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::derivative::lerp::{lerp, lerp_bounds};
use crate::edits::area::{Area, PreparedArea};
use crate::edits::falloff::Jet64;
use crate::edits::grids::Span;
use crate::edits::operations::{Apply, AreaEdit, Effect, Operation};
use crate::edits::span_weights::SpanWeights;
use crate::edits::wavelength::Wavelength;
use crate::edits::widening::Widening;
use crate::limits::parameters;
use crate::simd::Level;

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
    pub fn smooth<T: Dual<2>>(
        &self,
        ground: T,
        p: [f64; 2],
        smoothed: impl FnOnce(Wavelength) -> Option<T>,
    ) -> T {
        self.smooth_by(self.area.weight(p), ground, smoothed)
    }

    /// The same at the points of a span.
    pub fn smooth_span<T: Dual<2>>(
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
    fn smooth_by<T: Dual<2>>(
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
