//! What covers a ground, and what instances stand on.

use alloc::sync::Arc;
use core::fmt;

use crate::climate::{Climate, ClimateField};
use crate::cover::{Cover, CoverPoint};
use crate::drainage::RiverGround;
use crate::edits::{EditedField, Edits};
use crate::error::DataError;
use crate::field::{Field, SharedField};
use crate::limits::SEA_LEVEL;
use crate::scatter::Scatter;
use crate::scatter::site::depth;

/// The appearance of the ground. Heights do not depend on it, but for rivers, which end in the sea.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Appearance {
    /// The layers that cover the ground.
    pub cover: Cover,
    /// The height of the sea above the terrain's origin in metres, if there is a sea.
    pub sea_level: Option<f32>,
    /// How warm and how moist it is.
    pub climate: Climate,
    /// What stands on the ground.
    pub scatter: Scatter,
}

impl Appearance {
    /// Checks the cover, the climate, the sea and the scatter against their limits. The fields of
    /// the climate are checked when they are built.
    ///
    /// # Errors
    /// The path of the first number that is outside its limits.
    pub fn check(&self) -> Result<(), DataError> {
        self.cover.check()?;
        self.climate.check()?;
        self.scatter.check()?;
        Ok(self.sea_level.map_or(Ok(()), |level| SEA_LEVEL.check(level.into()))?)
    }

    /// Whether what is drawn depends on the climate of its place: cover, or far woods in a climate
    /// that is made of fields.
    pub fn has_climates(&self) -> bool {
        Self::needs_climate(&self.cover, &self.climate, &self.scatter)
    }

    /// [`has_climates`](Self::has_climates) of these parts.
    pub fn needs_climate(cover: &Cover, climate: &Climate, scatter: &Scatter) -> bool {
        let has_fields = climate.temperature_field.is_some() || climate.moisture_field.is_some();
        cover.has_climates() || has_fields && scatter.kinds.iter().any(|kind| kind.has_climate())
    }

    /// Whether the same things grow in both: whether they differ in the season alone.
    pub fn grows_as(&self, other: &Self) -> bool {
        self.climate.has_mean_of(&other.climate)
            && (&self.cover, self.sea_level, &self.scatter)
                == (&other.cover, other.sea_level, &other.scatter)
    }
}

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
