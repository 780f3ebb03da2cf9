//! The ground under a scatter.

use alloc::sync::Arc;
use core::fmt;

use crate::climate::ClimateField;
use crate::cover::CoverPoint;
use crate::drainage::RiverGround;
use crate::edits::{EditedField, Edits};
use crate::field::{Field, SharedField};
use crate::scatter::appearance::Appearance;
use crate::scatter::site::depth;

/// The ground under a scatter: all that decides what stands where. A clone shares all of it.
#[derive(Clone)]
pub(crate) struct ScatterGround {
    /// The heights.
    pub field: EditedField<SharedField<2>>,
    /// The field with its slopes at the scale that cover depends on. It has ground where edits have
    /// taken it away: what grows beside a hole does not depend on it.
    pub smooth: SharedField<2>,
    pub rivers: Option<RiverGround>,
    pub climate: ClimateField,
    pub appearance: Arc<Appearance>,
}

impl fmt::Debug for ScatterGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScatterGround")
            .field("appearance", &self.appearance)
            .finish_non_exhaustive()
    }
}

impl ScatterGround {
    /// Ground without edits.
    pub fn new(
        field: SharedField<2>,
        rivers: Option<RiverGround>,
        climate: ClimateField,
        appearance: Appearance,
    ) -> Self {
        let field = EditedField::new(field, Edits::new());
        let (smooth, appearance) = (smooth(&field), Arc::new(appearance));
        Self { field, smooth, rivers, climate, appearance }
    }

    /// The same ground with other edits.
    pub fn with_edits(&self, edits: Edits) -> Self {
        let field = self.field.with_edits(edits);
        Self { smooth: smooth(&field), field, ..self.clone() }
    }

    /// The edits.
    pub fn edits(&self) -> &Edits {
        self.field.edits()
    }

    /// The depth in metres under the sea or a flood at a position with a height, negative above it.
    pub(super) fn depth(&self, p: [f64; 2], height: f32) -> f32 {
        let depth = depth(self.appearance.sea_level, height);
        let Some(flood) = self.edits().flooding(p) else { return depth };
        depth.max((flood.level - f64::from(self.field.value(p))) as f32)
    }
}

/// A field without holes, with its slopes at the scale that cover depends on.
fn smooth(field: &EditedField<SharedField<2>>) -> SharedField<2> {
    let filled = field.without_holes();
    filled.band_limited(CoverPoint::SCALE).unwrap_or_else(|| Arc::new(filled))
}
