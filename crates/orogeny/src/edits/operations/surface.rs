//! Operations that leave heights as they are: they paint, clear, plant, take the ground away, and
//! flood it.

use crate::cover::{Cover, Painting};
use crate::derivative::chain_rule::Differentiated;
use crate::edits::area::Area;
use crate::edits::falloff::Jet64;
use crate::edits::grids::Span;
use crate::edits::ground_queries::Flooding;
use crate::edits::operations::{Apply, AreaEdit, Effect, Operation};
use crate::edits::weighted_target::SpanWeights;
use crate::error::DataError;
use crate::kind_id::KindId;
use crate::limits::{Parameters, parameters};
use crate::region::Region;
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

parameters! {
    /// Clears the ground of what stands on it by a [`Scatter`](crate::scatter::Scatter), natural
    /// and planted: where the weight of the area is at least one half. Things planted later stand.
    /// The heights of the ground stay as they are.
    #[derive(Copy, PartialOrd)]
    pub struct Clear {
        /// Where.
        area: Area = Area::default(),
        /// The kind to clear; `None` for all kinds.
        kind: Option<KindId> = None,
    }
    numbers {}
}

impl Effect for Clear {}

impl AreaEdit<Clear> {
    /// Whether it removes an instance of a kind at a position.
    pub fn removes(&self, kind: KindId, p: [f64; 2]) -> bool {
        self.effect.kind.is_none_or(|own| own == kind)
            && self.area.weight(p).is_some_and(|weight| weight.value >= 0.5)
    }
}

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

/// Places without a value do not count in bounds.
impl Effect for Hole {
    const DISTURBS: bool = true;

    #[inline]
    fn apply<T: Differentiated<2>>(&self, ground: T, _p: [f64; 2], weight: Jet64) -> T {
        if weight == Jet64::ONE { T::OUTSIDE } else { ground }
    }
}

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
