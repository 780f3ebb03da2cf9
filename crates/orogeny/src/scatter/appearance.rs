//! What covers a ground, and what stands on it.

use crate::climate::Climate;
use crate::cover::Cover;
use crate::error::DataError;
use crate::limits::SEA_LEVEL;
use crate::scatter::Scatter;

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
