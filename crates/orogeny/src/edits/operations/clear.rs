//! Clears the ground of what grows on it.

use crate::edits::area::{Area, PreparedArea};
use crate::edits::operations::{Apply, Operation, PreparedEdit};
use crate::error::DataError;
use crate::limits::parameters;
use crate::region::Region;

parameters! {
    /// Clears the ground of what stands on it by a [`Scatter`](crate::scatter::Scatter), natural
    /// and planted: where the weight of the area is at least one half. Things planted later stand.
    /// The heights of the ground stay as they are.
    #[derive(Copy, PartialOrd)]
    pub struct Clear {
        /// Where.
        area: Area = Area::default(),
        /// The seed of the kind to clear; `None` for all kinds.
        kind: Option<u64> = None,
    }
    numbers {}
}

impl Operation for Clear {
    fn check(&self) -> Result<(), DataError> {
        self.area.check().map_err(|e| e.under("area"))
    }

    fn prepared(&self) -> PreparedEdit {
        PreparedEdit::Clear(Cleared { area: self.area.prepared(), kind: self.kind })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Cleared {
    area: PreparedArea,
    kind: Option<u64>,
}

impl Cleared {
    /// Whether it removes an instance of a kind at a position.
    pub fn removes(&self, kind: u64, p: [f64; 2]) -> bool {
        self.kind.is_none_or(|own| own == kind)
            && self.area.weight(p).is_some_and(|weight| weight.value >= 0.5)
    }
}

impl Apply for Cleared {
    fn region(&self) -> Region {
        self.area.region()
    }
}
