//! The source of a terrain's heights, and its cover.

use std::fmt;
use std::sync::Arc;

use bevy_reflect::prelude::ReflectDefault;
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use orogeny::climate::ClimateField;
use orogeny::limits::SEA_LEVEL;
use orogeny::scatter::Scatter;
use orogeny::{Climate, Cover, DataError, Recipe};
use serde::{Deserialize, Serialize};

use crate::chunk::height_field::HeightField;

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
    /// Nothing is built, and queries return [`QueryError::Loading`](crate::QueryError::Loading).
    #[default]
    Loading,
    /// A recipe, as in a preset file, with its cover.
    Recipe(Recipe),
    /// A custom field: height in metres over (x, z) in metres.
    #[serde(skip)]
    Field(Arc<dyn HeightField>, Appearance),
}

/// The appearance of the ground. If only the appearance changes, it takes effect at once, and no
/// chunk is rebuilt.
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
            Self::Recipe(Recipe { cover, sea_level, climate, scatter, .. }) => {
                let (cover, climate, scatter) = (cover.clone(), climate.clone(), scatter.clone());
                Appearance { cover, sea_level: *sea_level, climate, scatter }
            }
            Self::Field(_, appearance) => appearance.clone(),
        }
    }

    /// The seed of the world, of which that of the scatter depends; 0 for a custom field.
    pub(crate) fn seed(&self) -> u64 {
        match self {
            Self::Recipe(recipe) => recipe.seed,
            Self::Loading | Self::Field(..) => 0,
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
                    && has_climate_of([&a.cover, &b.cover], [&a.climate, &b.climate], || {
                        a.has_names() || b.has_names()
                    })
                    && (a.rivers.is_none() && b.rivers.is_none() || has_rivers_of())
            }
            (Self::Field(a, own), Self::Field(b, other)) => {
                let (covers, climates) =
                    ([&own.cover, &other.cover], [&own.climate, &other.climate]);
                Arc::ptr_eq(a, b) && has_climate_of(covers, climates, || false)
            }
            _ => false,
        }
    }
}

/// Whether chunks of two terrains have the same climate, if they have any.
fn has_climate_of(
    covers: [&Cover; 2],
    [own, other]: [&Climate; 2],
    shapes_ground: impl FnOnce() -> bool,
) -> bool {
    let [own_chunks, other_chunks] = covers.map(Cover::has_climates);
    own_chunks == other_chunks && (!own_chunks && !shapes_ground() || own.has_mean_of(other))
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
