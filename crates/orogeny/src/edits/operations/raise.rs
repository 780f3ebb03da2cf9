//! Raises or lowers the ground.

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::edits::area::{Area, PreparedArea};
use crate::edits::falloff::Jet64;
use crate::edits::operations::{AreaEdit, Effect, Operation};
use crate::edits::steps::{metres, units};
use crate::edits::widening::Widening;
use crate::limits::parameters;

parameters! {
    /// Raises or lowers the ground: h' = h + w height. Where raises of the same area follow each
    /// other, with no other change of the height there in between, they count as one, of the sum of
    /// their heights, rounded to `f32`.
    #[derive(Copy, PartialOrd)]
    pub struct Raise {
        /// Where.
        area: Area = Area::default(),
    }
    numbers {
        /// How far the ground rises, or falls if it is negative.
        height: f32 = 1 "m", -1e4 to 1e4;
    }
}

impl Operation for Raise {
    type Prepared = AreaEdit<Self>;

    /// Its height is a whole number of the units in which raises are summed.
    fn prepared(&self) -> AreaEdit<Self> {
        AreaEdit::new(&self.area, Self { height: metres(units(self.height)), ..*self })
    }
}

impl Effect for Raise {
    #[inline]
    fn apply<T: Dual<2>>(&self, ground: T, _p: [f64; 2], weight: Jet64) -> T {
        ground + weight.rounded::<T>() * self.height
    }

    fn bounds(&self, ground: Bounds, _p: [f64; 2], _radius: f64, weight: Bounds) -> Bounds {
        ground + weight.scaled(self.height.into())
    }

    fn widening(&self, area: &PreparedArea) -> Widening {
        Widening::adding(area.bounds().scaled(self.height.into()))
    }
}
