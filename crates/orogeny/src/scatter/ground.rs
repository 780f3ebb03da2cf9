//! The ground under a scatter.

use alloc::sync::Arc;
use core::fmt;

use crate::cover::{Cover, CoverPoint};
use crate::drainage::RiverGround;
use crate::edits::{EditedField, Edits};
use crate::field::{Field, SharedField};
use crate::scatter::climate::PreparedClimate;

/// The ground under a scatter. A clone shares all of it.
#[derive(Clone)]
pub struct ScatterGround {
    pub(super) field: SharedField<2>,
    /// The field with its slopes at the scale that cover depends on. It has ground where edits have
    /// taken it away: what grows beside a hole does not depend on it.
    pub(super) smooth: SharedField<2>,
    pub(super) edits: Edits,
    pub(super) rivers: Option<RiverGround>,
    pub(super) cover: Cover,
    pub(super) sea_level: Option<f32>,
    /// That of the scatter that stands on it.
    pub(super) climate: PreparedClimate,
}

impl fmt::Debug for ScatterGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScatterGround").field("cover", &self.cover).finish_non_exhaustive()
    }
}

impl ScatterGround {
    /// Ground with these heights, without other edits, rivers and a sea.
    pub fn new(field: SharedField<2>, cover: Cover) -> Self {
        let smooth = smooth(&field);
        let (edits, climate) = (Edits::default(), PreparedClimate::default());
        Self { field, smooth, edits, rivers: None, cover, sea_level: None, climate }
    }

    /// Ground with edits.
    pub fn edited<F>(field: EditedField<F>, cover: Cover) -> Self
    where
        F: Field<2> + Clone + Send + Sync + 'static,
    {
        let edits = field.edits().clone();
        let filled: SharedField<2> = Arc::new(field.without_holes());
        let smooth = smooth(&filled);
        Self { smooth, edits, ..Self::new(Arc::new(field), cover) }
    }

    /// The heights.
    pub fn field(&self) -> &(dyn Field<2> + Send + Sync) {
        &*self.field
    }

    /// The same ground with edits that do not change its heights, such as those that fell trees.
    /// For edits that do see [`edited`](Self::edited).
    pub fn with_edits(self, edits: Edits) -> Self {
        Self { edits, ..self }
    }

    /// The same ground with rivers.
    pub fn with_rivers(self, rivers: Option<RiverGround>) -> Self {
        Self { rivers, ..self }
    }

    /// The same ground with a sea at a height in metres.
    pub fn with_sea(self, sea_level: Option<f32>) -> Self {
        Self { sea_level, ..self }
    }
}

/// A field with its slopes at the scale that cover depends on.
fn smooth(field: &SharedField<2>) -> SharedField<2> {
    field.band_limited(CoverPoint::SCALE).unwrap_or_else(|| field.clone())
}
