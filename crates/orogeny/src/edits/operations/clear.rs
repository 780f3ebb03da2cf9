//! Clears the ground of what grows on it.

use crate::edits::area::Area;
use crate::edits::operations::{AreaEdit, Effect};
use crate::kind_id::KindId;
use crate::limits::parameters;

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
