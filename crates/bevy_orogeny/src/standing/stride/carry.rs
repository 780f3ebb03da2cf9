//! Being carried by what moves.

use bevy_math::DVec2;

use super::{Feet, MAX_STRIDES, TerrainWalker};
use crate::query::Footing;
use crate::standing::surroundings::{Stride, Surroundings};

impl TerrainWalker {
    /// Where feet are after what they stand on has moved them: as far as other obstacles and
    /// higher ground let them.
    pub(in crate::standing) fn carried<G: Fn(DVec2) -> Option<Footing>>(
        &self,
        around: &Surroundings<G>,
        (from, _): Feet,
        (to, height): Feet,
    ) -> Feet {
        let way = to - from;
        let strides = (way.length() / self.longest_stride()).ceil().clamp(1.0, MAX_STRIDES);
        let mut at = from;
        for _ in 0..strides as u32 {
            let next = at + way / strides;
            let stride = Stride { to: next, ..self.body(at, height) };
            let Some(end) = around.keep_out(stride) else { break };
            if (around.ground)(end).is_some_and(|it| it.height > height + self.step()) {
                break;
            }
            at = end;
        }
        (at, height)
    }
}
