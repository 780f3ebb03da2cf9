//! Where the heights of a terrain come from, and what covers them.

use std::fmt;
use std::sync::Arc;

use bevy_reflect::prelude::ReflectDefault;
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use orogeny::limits::SEA_LEVEL;
use orogeny::{Cover, Recipe, RecipeError};
use serde::{Deserialize, Serialize};

use crate::chunk::height_field::HeightField;

/// Where the heights of a terrain come from.
///
/// It reflects as one opaque value that serialises, so scenes and remote editors can save and
/// change it. A field of your own is code: saving a scene that holds one is an error.
#[derive(Clone, Default, Reflect, Serialize, Deserialize)]
#[reflect(opaque)]
#[reflect(Default, Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ground {
    /// No ground yet: a [`TerrainPreset`](crate::TerrainPreset) sets it when its file is loaded.
    /// Nothing is built, and queries answer
    /// [`QueryError::Loading`](crate::QueryError::Loading).
    #[default]
    Loading,
    /// A recipe, as in a preset file, with what covers it.
    Recipe(Recipe),
    /// Any field of your own: height in metres over (x, z) in metres.
    #[serde(skip)]
    Field(Arc<dyn HeightField>, Appearance),
}

/// What the ground looks like, besides its shape. A change of it alone is seen at once, and no
/// chunk is rebuilt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Appearance {
    /// What covers the ground.
    pub cover: Cover,
    /// The height of the sea above the terrain's origin in metres, if there is a sea.
    pub sea_level: Option<f32>,
}

impl Appearance {
    /// Checks the cover and the sea against their limits.
    ///
    /// # Errors
    /// The path of the first number outside its limits.
    pub fn check(&self) -> Result<(), RecipeError> {
        self.cover.check()?;
        Ok(self.sea_level.map_or(Ok(()), |level| SEA_LEVEL.check(level.into()))?)
    }
}

impl Ground {
    /// A field of your own with the default cover and without a sea.
    pub fn field(field: Arc<dyn HeightField>) -> Self {
        Self::Field(field, Appearance::default())
    }

    /// What it looks like.
    pub fn appearance(&self) -> Appearance {
        let parts = self.parts();
        parts.map_or_else(Appearance::default, |(cover, &sea_level)| Appearance {
            cover: cover.clone(),
            sea_level,
        })
    }

    /// The cover and the sea level, once there is ground.
    pub(super) fn parts_mut(&mut self) -> Option<(&mut Cover, &mut Option<f32>)> {
        match self {
            Self::Loading => None,
            Self::Recipe(Recipe { cover, sea_level, .. })
            | Self::Field(_, Appearance { cover, sea_level }) => Some((cover, sea_level)),
        }
    }

    fn parts(&self) -> Option<(&Cover, &Option<f32>)> {
        match self {
            Self::Loading => None,
            Self::Recipe(Recipe { cover, sea_level, .. })
            | Self::Field(_, Appearance { cover, sea_level }) => Some((cover, sea_level)),
        }
    }

    /// Whether it has the heights of another ground.
    pub(crate) fn has_shape_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Loading, Self::Loading) => true,
            (Self::Recipe(a), Self::Recipe(b)) => {
                (a.seed, a.height, &a.field) == (b.seed, b.height, &b.field)
            }
            (Self::Field(a, _), Self::Field(b, _)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
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
    /// Fields of your own are equal if they are the same `Arc`.
    fn eq(&self, other: &Self) -> bool {
        self.has_shape_of(other) && self.parts() == other.parts()
    }
}
