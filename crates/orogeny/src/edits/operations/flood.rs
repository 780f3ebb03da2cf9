//! Floods the ground.

use crate::edits::area::Area;
use crate::edits::flooding::Flooding;
use crate::edits::operations::{AreaEdit, Effect};
use crate::limits::parameters;

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

impl Effect for Flood {}

impl AreaEdit<Flood> {
    /// Its water.
    pub fn flooding(&self) -> Flooding {
        Flooding { level: self.effect.level.into(), width: self.area.width() }
    }

    /// The water at a point, if it is in the core.
    pub fn at(&self, p: [f64; 2]) -> Option<Flooding> {
        self.area.core_contains(p).then(|| self.flooding())
    }
}
