//! Takes the ground away.

use crate::derivative::chain_rule::Dual;
use crate::edits::area::{Area, PreparedArea};
use crate::edits::falloff::Jet64;
use crate::edits::operations::{Apply, Operation, PreparedEdit};
use crate::edits::smoothed_bases::Targets;
use crate::error::DataError;
use crate::limits::parameters;
use crate::region::Region;

parameters! {
    /// Takes the ground away: in the core of the area there is no ground, and samples are NaN.
    /// Other edits do not fill a hole. Where the area falls off the ground is unchanged.
    #[derive(Copy, PartialOrd)]
    pub struct Hole {
        /// Where.
        area: Area = Area::default(),
    }
    numbers {}
}

impl Operation for Hole {
    fn check(&self) -> Result<(), DataError> {
        self.area.check().map_err(|e| e.under("area"))
    }

    fn prepared(&self) -> PreparedEdit {
        PreparedEdit::Hole(Holed { area: self.area.prepared() })
    }
}

#[derive(Clone, Debug)]
pub(in crate::edits) struct Holed {
    area: PreparedArea,
}

impl Holed {
    /// Whether there is no ground at a point.
    #[inline]
    pub fn contains(&self, p: [f64; 2]) -> bool {
        self.area.weight(p) == Some(Jet64::ONE)
    }
}

/// Places without a value do not count in bounds.
impl Apply for Holed {
    fn region(&self) -> Region {
        self.area.region()
    }

    #[inline]
    fn apply<T: Dual<2>>(&self, ground: T, p: [f64; 2], _: &mut impl Targets<T>) -> T {
        if self.contains(p) { T::OUTSIDE } else { ground }
    }

    fn disturbance(&self, p: [f64; 2]) -> f32 {
        self.area.weight(p).map_or(0.0, |weight| weight.value as f32)
    }

    fn distance(&self, p: [f64; 2], _: f64) -> f64 {
        self.area.distance(p)
    }
}
