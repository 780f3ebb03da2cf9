//! The ground under a scatter.

use alloc::sync::Arc;
use core::fmt;

use crate::climate::{Climate, ClimateField};
use crate::cover::{Cover, CoverPoint};
use crate::drainage::RiverGround;
use crate::edits::{EditedField, Edits};
use crate::field::{Field, SharedField};
use crate::scatter::site::depth;

/// The ground under a scatter. A clone shares all of it.
#[derive(Clone)]
pub struct ScatterGround {
    pub(super) field: EditedField<SharedField<2>>,
    /// The field with its slopes at the scale that cover depends on. It has ground where edits have
    /// taken it away: what grows beside a hole does not depend on it.
    pub(super) smooth: SharedField<2>,
    pub(super) rivers: Option<RiverGround>,
    pub(super) cover: Cover,
    pub(super) sea_level: Option<f32>,
    pub(super) climate: ClimateField,
}

impl fmt::Debug for ScatterGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScatterGround").field("cover", &self.cover).finish_non_exhaustive()
    }
}

impl ScatterGround {
    /// Ground with these heights and edits, in the default climate, without rivers and a sea.
    pub fn new(field: EditedField<SharedField<2>>, cover: Cover) -> Self {
        let smooth = smooth(&field);
        let climate = Climate::default().build(0).expect("default numbers are valid");
        Self { field, smooth, rivers: None, cover, sea_level: None, climate }
    }

    /// The same ground with other edits.
    pub(super) fn with_edits(&self, edits: Edits) -> Self {
        let field = self.field.with_edits(edits);
        Self { smooth: smooth(&field), field, ..self.clone() }
    }

    /// The heights.
    pub fn field(&self) -> &(dyn Field<2> + Send + Sync) {
        &self.field
    }

    /// The edits.
    pub fn edits(&self) -> &Edits {
        self.field.edits()
    }

    /// The depth in metres under the sea or a flood at a position with a height, negative above it.
    pub(super) fn depth(&self, p: [f64; 2], height: f32) -> f32 {
        let depth = depth(self.sea_level, height);
        let Some(flood) = self.edits().flooding(p) else { return depth };
        depth.max((flood.level - f64::from(self.field().value(p))) as f32)
    }

    /// The same ground with rivers.
    pub fn with_rivers(self, rivers: Option<RiverGround>) -> Self {
        Self { rivers, ..self }
    }

    /// The same ground in a climate.
    pub fn with_climate(self, climate: ClimateField) -> Self {
        Self { climate, ..self }
    }

    /// The same ground with a sea at a height in metres.
    pub fn with_sea(self, sea_level: Option<f32>) -> Self {
        Self { sea_level, ..self }
    }
}

/// A field without holes, with its slopes at the scale that cover depends on.
fn smooth(field: &EditedField<SharedField<2>>) -> SharedField<2> {
    let filled = field.without_holes();
    filled.band_limited(CoverPoint::SCALE).unwrap_or_else(|| Arc::new(filled))
}
