//! Paints a layer of cover.

use crate::cover::{Cover, Painting};
use crate::edits::area::{Area, PreparedArea};
use crate::edits::operations::{Apply, Operation, PreparedEdit};
use crate::error::DataError;
use crate::limits::{Parameters, parameters};
use crate::region::Region;

parameters! {
    /// Paints a layer of cover over what is there: another layer, or earlier paint. The heights of
    /// the ground stay as they are. See [`Painting`].
    #[derive(Copy, PartialOrd)]
    pub struct Paint {
        /// Where.
        area: Area = Area::default(),
        /// The number of the layer in the recipe's cover, 0 to 7, 0 at the bottom. Without such a
        /// layer the paint is not seen.
        layer: u32 = 0,
    }
    numbers {
        /// The opacity of the paint in the core of the area.
        strength: f32 = 1 "", 0 to 1;
    }
}

impl Operation for Paint {
    fn check(&self) -> Result<(), DataError> {
        self.area.check().map_err(|e| e.under("area"))?;
        let last = Cover::MAX_LAYERS - 1;
        if self.layer as usize > last {
            let wrong = format!("{} is not a layer: must be 0 to {last}", self.layer);
            return Err(DataError::at("layer", wrong));
        }
        Ok(self.check_numbers()?)
    }

    fn prepared(&self) -> PreparedEdit {
        let &Self { area, layer, strength } = self;
        PreparedEdit::Paint(Painted { area: area.prepared(), layer: layer as usize, strength })
    }
}

#[derive(Clone, Debug)]
pub(in crate::edits) struct Painted {
    area: PreparedArea,
    layer: usize,
    strength: f32,
}

impl Painted {
    /// Paints a point.
    pub fn paint(&self, p: [f64; 2], painting: &mut Painting) {
        if let Some(weight) = self.area.weight(p) {
            painting.add(self.layer, self.strength * weight.value as f32);
        }
    }
}

impl Apply for Painted {
    fn region(&self) -> Region {
        self.area.region()
    }
}
