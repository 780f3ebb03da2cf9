//! Blends the ground with the base field without its fine octaves.

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::derivative::lerp::{lerp, lerp_bounds};
use crate::edits::area::{Area, PreparedArea};
use crate::edits::operations::{Apply, Operation, PreparedEdit};
use crate::edits::smoothed_bases::Targets;
use crate::edits::wavelength::Wavelength;
use crate::edits::widening::Widening;
use crate::error::DataError;
use crate::limits::{Parameters, parameters};
use crate::region::Region;

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
        /// Octaves of smaller wavelengths are left out. It is rounded to the power of two with the
        /// smallest ratio to it, so that edits share few smoothed bases.
        wavelength: f64 = 64 "m", 1 to 32768;
        /// How far the ground is blended: 0 leaves it as it is.
        strength: f32 = 1 "", 0 to 1;
    }
}

impl Operation for Smooth {
    fn check(&self) -> Result<(), DataError> {
        self.area.check().map_err(|e| e.under("area"))?;
        Ok(self.check_numbers()?)
    }

    fn prepared(&self) -> PreparedEdit {
        PreparedEdit::Smooth(Smoothed {
            area: self.area.prepared(),
            wavelength: Wavelength::nearest(self.wavelength),
            strength: self.strength.into(),
        })
    }
}

#[derive(Clone, Debug)]
pub(in crate::edits) struct Smoothed {
    area: PreparedArea,
    wavelength: Wavelength,
    strength: f64,
}

impl Apply for Smoothed {
    fn region(&self) -> Region {
        self.area.region()
    }

    fn wavelength(&self) -> Option<Wavelength> {
        Some(self.wavelength)
    }

    fn apply<T: Dual<2>>(&self, ground: T, p: [f64; 2], targets: &mut impl Targets<T>) -> T {
        let Some(weight) = self.area.weight(p) else { return ground };
        let Some(target) = targets(self.wavelength) else { return ground };
        lerp(ground, target, weight.times(self.strength).rounded())
    }

    fn bounds(
        &self,
        ground: Bounds,
        p: [f64; 2],
        radius: f64,
        targets: &mut impl Targets<Bounds>,
    ) -> Bounds {
        let Some(target) = targets(self.wavelength) else { return ground };
        let weight = self.area.local_bounds(p, radius).scaled(self.strength);
        lerp_bounds(ground, target, weight)
    }

    fn widening(&self) -> Widening {
        Widening::blending_with_base(self.area.bounds().scaled(self.strength))
    }
}
