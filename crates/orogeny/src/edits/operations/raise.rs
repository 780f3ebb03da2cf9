//! Raises or lowers the ground.

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::edits::area::{Area, PreparedArea};
use crate::edits::operations::{Apply, Operation, PreparedEdit};
use crate::edits::smoothed_bases::Targets;
use crate::edits::widening::Widening;
use crate::error::DataError;
use crate::limits::{Parameters, parameters};
use crate::region::Region;

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
    fn check(&self) -> Result<(), DataError> {
        self.area.check().map_err(|e| e.under("area"))?;
        Ok(self.check_numbers()?)
    }

    fn prepared(&self) -> PreparedEdit {
        PreparedEdit::Raise(Raised { area: self.area.prepared(), height: self.height })
    }
}

#[derive(Clone, Debug)]
pub(in crate::edits) struct Raised {
    pub area: PreparedArea,
    pub height: f32,
}

impl Raised {
    /// Raises the ground by any height.
    #[inline]
    pub fn raise<T: Dual<2>>(&self, ground: T, p: [f64; 2], height: f32) -> T {
        let Some(weight) = self.area.weight(p) else { return ground };
        ground + weight.rounded::<T>() * height
    }
}

impl Apply for Raised {
    fn region(&self) -> Region {
        self.area.region()
    }

    #[inline]
    fn apply<T: Dual<2>>(&self, ground: T, p: [f64; 2], _: &mut impl Targets<T>) -> T {
        self.raise(ground, p, self.height)
    }

    fn bounds(
        &self,
        ground: Bounds,
        p: [f64; 2],
        radius: f64,
        _: &mut impl Targets<Bounds>,
    ) -> Bounds {
        ground + self.area.local_bounds(p, radius).scaled(self.height.into())
    }

    fn widening(&self) -> Widening {
        Widening::adding(self.area.bounds().scaled(self.height.into()))
    }
}
