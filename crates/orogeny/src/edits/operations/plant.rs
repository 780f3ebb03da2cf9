//! Plants one thing.

use crate::edits::operations::{Apply, Operation};
use crate::kind_id::KindId;
use crate::limits::{Parameters, parameters};
use crate::region::Region;

parameters! {
    /// Plants an instance of a [`Scatter`](crate::scatter::Scatter), wherever it is. The heights of
    /// the ground stay as they are.
    #[derive(Copy, PartialOrd)]
    pub struct Plant {
        /// Its position (x, z) in metres.
        center: [f64; 2] = [0.0; 2],
        /// Its kind. Without such a kind there is nothing.
        kind: KindId = KindId(0),
    }
    numbers {
        /// The size, relative to the model.
        size: f32 = 1 "", 0.01 to 100;
        /// The rotation about the vertical axis.
        turn: f32 = 0 "degrees", -360 to 360;
    }
}

impl Plant {
    /// The maximum size.
    pub(crate) const MAX_SIZE: f32 = <Self as Parameters>::LIMITS[0].max as f32;
}

impl Operation for Plant {
    type Prepared = Self;

    fn prepared(&self) -> Self {
        *self
    }
}

impl Apply for Plant {
    fn region(&self) -> Region {
        Region::around(self.center, [0.0; 2])
    }
}
