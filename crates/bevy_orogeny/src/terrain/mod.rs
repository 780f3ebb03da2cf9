//! The terrain component: what the ground is.

pub(crate) mod preset;

use std::fmt;
use std::sync::Arc;

use bevy_camera::visibility::Visibility;
use bevy_ecs::component::Component;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use orogeny::limits::{Limit, SEA_LEVEL};
use orogeny::{Cover, Field, Fractal, GradientNoise, Node, Recipe, RecipeError, Sample};

use crate::chunk::key::Layout;
use crate::chunk::mesh::HeightField;

/// Endless terrain. Spawn it, put a [`TerrainViewer`](crate::TerrainViewer) on the camera, and
/// chunks appear as children of this entity.
///
/// The component may be changed at any time: the new terrain is built in the background, and the
/// old one stays up until the new one is complete. A change that is not valid leaves the old
/// terrain up; see [`TerrainProblems`](crate::TerrainProblems).
///
/// The entity's `Transform` may move the terrain. Rotation and scale are refused: heights would no
/// longer be those of the field. Several terrains may exist at once, each streams on its own.
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[require(Transform, Visibility)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct Terrain {
    /// The heights.
    pub ground: Ground,
    /// Cells along each side of a chunk: a power of two, 8 to 128.
    pub cells: u32,
    /// The distance of neighbouring vertices at the finest level in metres: a power of two, 1/64
    /// to 64.
    pub spacing: f64,
    /// Whether meshes stay readable on the CPU, for picking and colliders of your own. That doubles
    /// their memory.
    pub keep_meshes: bool,
}

/// Where the heights of a terrain come from.
#[derive(Clone, Reflect)]
#[reflect(opaque)]
#[reflect(Debug, Clone)]
pub enum Ground {
    /// A recipe, as in a preset file, with what covers it.
    Recipe(Recipe),
    /// Any field of your own: height in metres over (x, z) in metres.
    Field(Arc<dyn HeightField>, Appearance),
}

/// What the ground looks like, besides its shape: a change of it alone is seen at once, and nothing
/// is built anew.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Appearance {
    /// What covers the ground.
    pub cover: Cover,
    /// The height of the sea above the terrain's origin in metres, where there is one.
    pub sea_level: Option<f32>,
}

impl Appearance {
    /// Whether the cover and the sea keep their limits.
    ///
    /// # Errors
    /// The path of what does not, and why.
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
    pub fn look(&self) -> Appearance {
        let (cover, sea_level) = self.parts();
        Appearance { cover: cover.clone(), sea_level }
    }

    fn parts(&self) -> (&Cover, Option<f32>) {
        match self {
            Ground::Recipe(Recipe { cover, sea_level, .. })
            | Ground::Field(_, Appearance { cover, sea_level }) => (cover, *sea_level),
        }
    }

    /// Whether its heights are those of another ground.
    pub(crate) fn has_shape_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Ground::Recipe(a), Ground::Recipe(b)) => {
                (a.seed, a.height, &a.field) == (b.seed, b.height, &b.field)
            }
            // Fields of your own are equal where they are the same one.
            (Ground::Field(a, _), Ground::Field(b, _)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ground::Recipe(recipe) => recipe.fmt(f),
            Ground::Field(_, look) => f.debug_tuple("Field").field(look).finish(),
        }
    }
}

impl PartialEq for Ground {
    /// Fields of your own are equal where they are the same one.
    fn eq(&self, other: &Self) -> bool {
        self.has_shape_of(other) && self.parts() == other.parts()
    }
}

/// Limits of [`Terrain::cells`], which must be a power of two as well.
pub const CELLS: Limit = Limit {
    name: "cells",
    unit: "",
    min: 8.0,
    max: 128.0,
    default: 64.0,
    help: "Cells along each side of a chunk, a power of two",
};

/// Limits of [`Terrain::spacing`], which must be a power of two as well.
pub const SPACING: Limit = Limit {
    name: "spacing",
    unit: "m",
    min: 1.0 / 64.0,
    max: 64.0,
    default: 1.0,
    help: "Distance between neighbouring vertices at the finest level, a power of two",
};

impl Default for Terrain {
    /// High mountains with green valleys between them, in chunks of 64 cells of 1 m.
    fn default() -> Self {
        let fbm = |seed, frequency, octaves, amplitude, gain| {
            let fractal = Fractal::fbm(octaves, GradientNoise::seeded(seed));
            Node::from(Fractal { frequency, amplitude, gain, ..fractal })
        };
        // The square of a broad noise decides where the land is high, and rough mountains rise
        // where it is.
        let high = Node::Constant(0.55) + fbm(1, 0.0001, 4.0, 0.85, 0.5);
        let mountains = Node::Constant(0.4) + fbm(2, 0.0004, 13.0, 1.0, 0.47);
        let field = high.square() * mountains + fbm(3, 0.0011, 9.0, 0.035, 0.45);
        Self::recipe(Recipe::new(1, 2600.0, field))
    }
}

impl Terrain {
    /// A terrain after a recipe.
    pub fn recipe(recipe: Recipe) -> Self {
        Self::new(Ground::Recipe(recipe))
    }

    /// A terrain after a field of your own, with the default cover and without a sea.
    pub fn field(field: impl HeightField) -> Self {
        Self::new(Ground::field(Arc::new(field)))
    }

    /// The same terrain with another cover.
    pub fn covered(mut self, new: Cover) -> Self {
        match &mut self.ground {
            Ground::Recipe(Recipe { cover, .. }) | Ground::Field(_, Appearance { cover, .. }) => {
                *cover = new;
            }
        }
        self
    }

    /// The same terrain with a sea at a height above its origin, in metres.
    pub fn with_sea(mut self, level: f32) -> Self {
        match &mut self.ground {
            Ground::Recipe(Recipe { sea_level, .. })
            | Ground::Field(_, Appearance { sea_level, .. }) => *sea_level = Some(level),
        }
        self
    }

    fn new(ground: Ground) -> Self {
        Self { ground, cells: 64, spacing: 1.0, keep_meshes: false }
    }

    /// The field itself, to be evaluated anywhere at once, whether or not a chunk is there.
    ///
    /// # Errors
    /// What is wrong with the recipe, or with the cover of a field of your own.
    pub fn build(&self) -> Result<Arc<dyn HeightField>, RecipeError> {
        match &self.ground {
            Ground::Recipe(recipe) => Ok(Arc::new(recipe.build()?)),
            Ground::Field(field, look) => {
                look.check()?;
                Ok(field.clone())
            }
        }
    }

    /// Height in metres above the terrain's origin and slopes at (x, z), in metres from that
    /// origin.
    ///
    /// It builds the field for this one answer; to ask often, keep the field that
    /// [`build`](Self::build) gives.
    ///
    /// # Errors
    /// What is wrong with the recipe.
    pub fn height(&self, position: [f64; 2]) -> Result<Sample<2>, RecipeError> {
        Ok(self.build()?.sample(position))
    }

    /// Whether its chunks are those of another terrain, whatever they look like.
    pub(crate) fn has_shape_of(&self, other: &Self) -> bool {
        let Self { ground, cells, spacing, keep_meshes } = self;
        ground.has_shape_of(&other.ground)
            && (*cells, *spacing, *keep_meshes) == (other.cells, other.spacing, other.keep_meshes)
    }

    /// The geometry of the chunks.
    pub(crate) fn layout(&self) -> Result<Layout, TerrainError> {
        let Self { cells, spacing, .. } = *self;
        for (limit, value) in [(CELLS, f64::from(cells)), (SPACING, spacing)] {
            let power_of_two = value.log2().fract() == 0.0;
            if !power_of_two || limit.check(value).is_err() {
                return Err(TerrainError::NotAPowerOfTwo { limit, value });
            }
        }
        Ok(Layout { cells, spacing })
    }
}

/// Why a terrain cannot be built as it is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TerrainError {
    /// The recipe is not valid.
    #[error("{0}")]
    Recipe(#[from] RecipeError),
    /// Chunks of neighbouring levels share their vertices exactly only at powers of two.
    #[error("{} is {value}, but must be a power of two, {limit}", limit.name)]
    NotAPowerOfTwo {
        /// The limit, with the name of the field.
        limit: Limit,
        /// The value found.
        value: f64,
    },
}
