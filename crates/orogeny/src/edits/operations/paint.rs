//! Paints a layer of cover.

use crate::cover::{Cover, Painting};
use crate::edits::area::Area;
use crate::edits::falloff::Jet64;
use crate::edits::grids::Span;
use crate::edits::operations::{AreaEdit, Effect, Operation};
use crate::edits::span_weights::SpanWeights;
use crate::error::DataError;
use crate::limits::parameters;
use crate::simd;

parameters! {
    /// Paints a layer of cover over what is there: another layer, or earlier paint. The heights of
    /// the ground stay as they are. See [`Painting`].
    #[derive(Copy, PartialOrd)]
    pub struct Paint {
        /// Where.
        area: Area = Area::default(),
        /// The number of the layer in the recipe's cover, 0 to 15, 0 at the bottom. Without such a
        /// layer the paint is not seen.
        layer: u32 = 0,
    }
    numbers {
        /// The opacity of the paint in the core of the area.
        strength: f32 = 1 "", 0 to 1;
    }
}

impl Operation for Paint {
    type Prepared = AreaEdit<Self>;

    fn check_rest(&self) -> Result<(), DataError> {
        let last = Cover::MAX_LAYERS - 1;
        if self.layer as usize > last {
            let wrong = format!("{} is not a layer: must be 0 to {last}", self.layer);
            return Err(DataError::at("layer", wrong));
        }
        Ok(())
    }

    fn prepared(&self) -> AreaEdit<Self> {
        AreaEdit::new(&self.area, *self)
    }
}

impl Effect for Paint {}

impl AreaEdit<Paint> {
    /// Paints a point.
    pub fn paint(&self, p: [f64; 2], painting: &mut Painting) {
        self.paint_by(self.area.weight(p), painting);
    }

    /// Paints the points of a span, whose paintings are given.
    pub(in crate::edits) fn paint_span(&self, span: &Span, paintings: &mut [Painting]) {
        let mut weights = SpanWeights::NONE;
        weights.set_values(simd::best(), &self.area, span);
        for (i, painting) in paintings.iter_mut().enumerate() {
            self.paint_by(weights.at(i), painting);
        }
    }

    #[inline]
    fn paint_by(&self, weight: Option<Jet64>, painting: &mut Painting) {
        let Paint { layer, strength, .. } = self.effect;
        if let Some(weight) = weight {
            painting.add(layer as usize, strength * weight.value as f32);
        }
    }
}
