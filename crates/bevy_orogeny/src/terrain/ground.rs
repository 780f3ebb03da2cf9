//! The source of a terrain's heights, and its cover.

use std::fmt;
use std::sync::Arc;

use bevy_reflect::prelude::ReflectDefault;
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use orogeny::climate::ClimateField;
use orogeny::scatter::Scatter;
use orogeny::{Appearance, Climate, Cover, DataError, Landscape, Recipe};
use serde::{Deserialize, Serialize};

use crate::chunk::height_field::HeightField;
use crate::terrain::TerrainError;

/// The source of a terrain's heights.
///
/// It reflects as one opaque value that serialises, so scenes and remote editors can save and
/// change it. A custom field is code: saving a scene that contains one is an error.
#[derive(Clone, Default, Reflect, Serialize, Deserialize)]
#[reflect(opaque)]
#[reflect(Default, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "terrains are few")]
pub enum Ground {
    /// No ground yet: a [`TerrainPreset`](crate::TerrainPreset) sets it when its file is loaded.
    /// Nothing is built, and queries return
    /// [`QueryError::Loading`](crate::advanced::QueryError::Loading).
    #[default]
    Loading,
    /// A recipe, as in a preset file, with its cover.
    Recipe(Recipe),
    /// A custom field: height in metres over (x, z) in metres. If only the appearance changes, no
    /// chunk is rebuilt.
    #[serde(skip)]
    Field(Arc<dyn HeightField>, Appearance),
}

impl Ground {
    /// A custom field with the default cover and without a sea.
    pub fn field(field: Arc<dyn HeightField>) -> Self {
        Self::Field(field, Appearance::default())
    }

    /// The cover, the sea and what stands on the ground.
    pub fn appearance(&self) -> Appearance {
        match self {
            Self::Loading => Appearance::default(),
            Self::Recipe(recipe) => recipe.appearance(),
            Self::Field(_, appearance) => appearance.clone(),
        }
    }

    /// The cover, the sea level, the climate and the scatter, mutably. `None` before there is
    /// ground.
    pub(super) fn parts_mut(
        &mut self,
    ) -> Option<(&mut Cover, &mut Option<f32>, &mut Climate, &mut Scatter)> {
        match self {
            Self::Loading => None,
            Self::Recipe(Recipe { cover, sea_level, climate, scatter, .. })
            | Self::Field(_, Appearance { cover, sea_level, climate, scatter }) => {
                Some((cover, sea_level, climate, scatter))
            }
        }
    }

    fn parts(&self) -> Option<(&Cover, &Option<f32>, &Climate, &Scatter)> {
        match self {
            Self::Loading => None,
            Self::Recipe(Recipe { cover, sea_level, climate, scatter, .. })
            | Self::Field(_, Appearance { cover, sea_level, climate, scatter }) => {
                Some((cover, sea_level, climate, scatter))
            }
        }
    }

    pub(super) fn climate(&self) -> Option<&Climate> {
        self.parts().map(|(_, _, climate, _)| climate)
    }

    /// Whether chunks need the climate of their place.
    #[cfg(feature = "render")]
    pub(crate) fn has_climates(&self) -> bool {
        self.parts().is_some_and(|(cover, _, climate, scatter)| {
            Appearance::needs_climate(cover, climate, scatter)
        })
    }

    /// Builds the ground, without edits.
    ///
    /// # Errors
    /// An invalid recipe or appearance, and ground that is still loading.
    pub(super) fn build(&self) -> Result<Landscape, TerrainError> {
        match self {
            Self::Loading => Err(TerrainError::Loading),
            Self::Recipe(recipe) => Ok(recipe.build()?),
            Self::Field(field, appearance) => Ok(Landscape::new(field.clone(), appearance, 0)?),
        }
    }

    /// The climate.
    ///
    /// # Errors
    /// Those of [`Recipe::build_climate`]; `None` before there is ground.
    pub(crate) fn build_climate(&self) -> Option<Result<ClimateField, DataError>> {
        match self {
            Self::Loading => None,
            Self::Recipe(recipe) => Some(recipe.build_climate()),
            Self::Field(_, appearance) => Some(appearance.climate.build(0)),
        }
    }

    /// Whether both have the same heights.
    pub(crate) fn has_shape_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Loading, Self::Loading) => true,
            (Self::Recipe(a), Self::Recipe(b)) => {
                // Rivers end in the sea, and chunks have the cover of their banks.
                let has_rivers_of = || {
                    let [own, others] = [a, b].map(|recipe| {
                        let layers = recipe.cover.layers.iter().enumerate();
                        layers.filter(|(_, layer)| layer.is_bank())
                    });
                    a.rivers == b.rivers && a.sea_level == b.sea_level && own.eq(others)
                };
                (a.seed, a.height, &a.fields, &a.lands, &a.field)
                    == (b.seed, b.height, &b.fields, &b.lands, &b.field)
                    && has_climate_of(
                        [(&a.cover, &a.climate, &a.scatter), (&b.cover, &b.climate, &b.scatter)],
                        || a.has_names() || b.has_names(),
                    )
                    && (a.rivers.is_none() && b.rivers.is_none() || has_rivers_of())
            }
            (Self::Field(a, own), Self::Field(b, other)) => {
                let parts = [
                    (&own.cover, &own.climate, &own.scatter),
                    (&other.cover, &other.climate, &other.scatter),
                ];
                Arc::ptr_eq(a, b) && has_climate_of(parts, || false)
            }
            _ => false,
        }
    }
}

/// Whether chunks of two terrains have the same climate, if they have any, or if the ground may
/// depend on it.
fn has_climate_of(
    of: [(&Cover, &Climate, &Scatter); 2],
    shapes_ground: impl FnOnce() -> bool,
) -> bool {
    let [own, other] =
        of.map(|(cover, climate, scatter)| Appearance::needs_climate(cover, climate, scatter));
    let [climate, others] = of.map(|(_, climate, _)| climate);
    // Chunks have the cover of banks, which depends on heights as well.
    let has_banks = |cover: &Cover| {
        let mut layers = cover.layers.iter();
        layers.any(|layer| layer.is_bank() && layer.climate_bands().is_some())
    };
    let needs_mean = of.iter().any(|(cover, ..)| has_banks(cover));
    own == other
        && (!own && !shapes_ground() || climate.has_fields_of(others))
        && (!needs_mean || climate.has_mean_of(others))
}

impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loading => f.write_str("Loading"),
            Self::Recipe(recipe) => recipe.fmt(f),
            Self::Field(_, appearance) => f.debug_tuple("Field").field(appearance).finish(),
        }
    }
}

impl PartialEq for Ground {
    /// Custom fields are equal if they are the same `Arc`.
    fn eq(&self, other: &Self) -> bool {
        self.has_shape_of(other) && self.parts() == other.parts()
    }
}
