//! Floods the ground.

use crate::edits::area::{Area, PreparedArea};
use crate::edits::falloff::Jet64;
use crate::edits::flooding::Flooding;
use crate::edits::operations::{Apply, Operation, PreparedEdit};
use crate::error::DataError;
use crate::limits::{Parameters, parameters};
use crate::region::Region;

parameters! {
    /// Floods the ground: in the core of the area, what is below a level is under water. Behind a
    /// dam that makes a reservoir, in a canal it is the water. The heights of the ground stay as
    /// they are. Where the area falls off there is no water. See
    /// [`Edits::flooding`](crate::edits::Edits::flooding).
    #[derive(Copy, PartialOrd)]
    pub struct Flood {
        /// Where. It should reach the shore all around: at its edge the water ends.
        area: Area = Area::default(),
    }
    numbers {
        /// The height of the water.
        level: f32 = 0 "m", -1e6 to 1e6;
    }
}

impl Operation for Flood {
    fn check(&self) -> Result<(), DataError> {
        self.area.check().map_err(|e| e.under("area"))?;
        Ok(self.check_numbers()?)
    }

    fn prepared(&self) -> PreparedEdit {
        PreparedEdit::Flood(Flooded { area: self.area.prepared(), level: self.level.into() })
    }
}

#[derive(Clone, Debug)]
pub(in crate::edits) struct Flooded {
    area: PreparedArea,
    level: f64,
}

impl Flooded {
    /// The water at a point, if it is in the core.
    pub fn at(&self, p: [f64; 2]) -> Option<Flooding> {
        let is_core = self.area.weight(p) == Some(Jet64::ONE);
        is_core.then(|| Flooding { level: self.level, width: self.area.width() })
    }
}

impl Apply for Flooded {
    fn region(&self) -> Region {
        self.area.region()
    }
}
