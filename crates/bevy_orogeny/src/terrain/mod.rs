//! The components that make an entity a terrain, and preset files.
//!
//! Start with [`Terrain`] below. `ground` is the source of heights, `preset` loads recipes from
//! files. This module uses the core crate and the layout of chunks. It does not depend on
//! streaming, rendering or physics.

mod ground;
mod mountains;
pub(crate) mod preset;

use std::sync::Arc;

use bevy_asset::Handle;
use bevy_camera::visibility::Visibility;
use bevy_ecs::component::Component;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use bevy_transform::components::Transform;
use orogeny::edits::EditLog;
use orogeny::limits::{Limit, OutOfLimits};
use orogeny::scatter::Scatter;
use orogeny::{Appearance, Climate, Cover, DataError, Field, Landscape, Recipe, Sample};
use serde::{Deserialize, Serialize};

use crate::chunk::height_field::HeightField;
use crate::chunk::key::Layout;
pub use ground::Ground;
use preset::{Preset, TerrainPreset};

/// Endless terrain. Spawn it, put a [`TerrainViewer`](crate::TerrainViewer) on the camera, and
/// chunks appear as children of this entity.
///
/// You may change the component at any time. The new terrain is built in the background, and the
/// old one stays until the new one is complete. An invalid change leaves the old terrain in place;
/// see [`TerrainProblems`](crate::TerrainProblems).
///
/// The entity's `Transform` may move the terrain. Rotation and scale are refused, because heights
/// would no longer be those of the field. Several terrains may exist at once; each streams on its
/// own.
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[require(Transform, Visibility, TerrainEdits)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct Terrain {
    /// The heights.
    pub ground: Ground,
    /// Cells along each side of a chunk: a power of two, 8 to 128. Default: 32.
    pub cells: u32,
    /// The distance between neighbouring vertices at the finest level in metres: a power of two,
    /// 1/64 to 64. Default: 1.
    pub spacing: f64,
    /// Whether meshes stay readable on the CPU, for picking of meshes and custom colliders; picking
    /// of terrain does not need them. Chunks that geomorph then also have positions and normals,
    /// which others do not need: a vertex takes 44 bytes instead of 20, on the CPU and on the GPU.
    /// Their vertices are on the ground at levels 0 to 2; at coarser ones they are a little above
    /// crests and below valleys, so that triangles are near the ground. Default: false.
    pub keep_meshes: bool,
    /// Multiplies the density of what stands on the ground, 0 to 1: a setting for slow machines,
    /// which leaves the recipe as it is. Machines that share a world need the same. Default: 1.
    pub scatter_density: f32,
}

/// Limits of [`Terrain::cells`], which must be a power of two as well.
pub const CELLS: Limit = Limit {
    name: "cells",
    unit: "",
    min: 8.0,
    max: 128.0,
    default: 32.0,
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

/// Limits of [`Terrain::scatter_density`].
pub const SCATTER_DENSITY: Limit = Limit {
    name: "scatter_density",
    unit: "",
    min: 0.0,
    max: 1.0,
    default: 1.0,
    help: "Multiplies the density of what stands on the ground",
};

impl Default for Terrain {
    /// High mountains with green valleys, lakes and woods, in chunks of 32 cells of 1 m. For a
    /// world of many lands, load the preset `world` of the repository, see
    /// [`preset`](Self::preset).
    fn default() -> Self {
        Self::recipe(mountains::recipe())
    }
}

impl Terrain {
    /// A terrain from a recipe.
    pub fn recipe(recipe: Recipe) -> Self {
        Self::new(Ground::Recipe(recipe))
    }

    /// A terrain from a custom field, with the default cover and without a sea.
    pub fn field(field: impl HeightField) -> Self {
        Self::new(Ground::field(Arc::new(field)))
    }

    /// A terrain from a preset file, for spawning. Nothing is built before the file is loaded.
    /// Equivalent to spawning [`TerrainPreset`] alone.
    ///
    /// ```
    /// use bevy::prelude::*;
    /// use bevy_orogeny::Terrain;
    ///
    /// fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    ///     commands.spawn(Terrain::preset(assets.load("presets/hills.terrain.ron")));
    /// }
    /// ```
    pub fn preset(preset: Handle<Preset>) -> (Self, TerrainPreset) {
        (Self::loading(), TerrainPreset(preset))
    }

    /// A terrain without ground, to be spawned with a [`TerrainPreset`]. Use it to change other
    /// fields than the ground.
    pub fn loading() -> Self {
        Self::new(Ground::Loading)
    }

    /// The same terrain with another cover. No effect while the ground is
    /// [`Loading`](Ground::Loading), because the preset has a cover of its own.
    pub fn covered(mut self, new: Cover) -> Self {
        if let Some((cover, ..)) = self.ground.parts_mut() {
            *cover = new;
        }
        self
    }

    /// The same terrain with a sea at a height above its origin, in metres. No effect while the
    /// ground is [`Loading`](Ground::Loading).
    pub fn with_sea(mut self, level: f32) -> Self {
        if let Some((_, sea_level, ..)) = self.ground.parts_mut() {
            *sea_level = Some(level);
        }
        self
    }

    /// The same terrain in another climate. No effect while the ground is
    /// [`Loading`](Ground::Loading).
    pub fn with_climate(mut self, new: Climate) -> Self {
        if let Some((_, _, climate, _)) = self.ground.parts_mut() {
            *climate = new;
        }
        self
    }

    /// The same terrain with other things on it. No effect while the ground is
    /// [`Loading`](Ground::Loading).
    pub fn with_scatter(mut self, new: Scatter) -> Self {
        if let Some((.., scatter)) = self.ground.parts_mut() {
            *scatter = new;
        }
        self
    }

    fn new(ground: Ground) -> Self {
        Self { ground, cells: 32, spacing: 1.0, keep_meshes: false, scatter_density: 1.0 }
    }

    /// Builds the field, which can be evaluated anywhere, with or without chunks.
    ///
    /// # Errors
    /// An invalid recipe, an invalid cover of a custom field, and ground that is still
    /// [`Loading`](Ground::Loading).
    pub fn build(&self) -> Result<Arc<dyn HeightField>, TerrainError> {
        Ok(Arc::new(self.ground.build()?))
    }

    /// The ground of this terrain, made of ground of the same shape with another appearance.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub(crate) fn build_beside(&self, old: &Landscape) -> Result<Landscape, TerrainError> {
        let climate = self.ground.climate().ok_or(TerrainError::Loading)?;
        // Trees of any depth can be compared and built, but only those that build cloned. Fields
        // with a name are the same, as those of the ground are.
        let climate = if climate.has_fields_of(&old.appearance().climate) {
            old.climate().with_numbers_of(climate)
        } else {
            self.ground.build_climate().ok_or(TerrainError::Loading)??
        };
        Ok(old.with_appearance(self.appearance(), climate)?)
    }

    /// Builds the ground with its density of scatter, without edits.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub(crate) fn build_ground(&self) -> Result<Landscape, TerrainError> {
        let ground = self.ground.build()?;
        if self.scatter_density == 1.0 {
            return Ok(ground);
        }
        let climate = ground.climate().clone();
        Ok(ground.with_appearance(self.appearance(), climate)?)
    }

    /// Height in metres above the terrain's origin and slopes at (x, z), in metres from that
    /// origin.
    /// This builds the field for a single answer. For many answers, keep the field that
    /// [`build`](Self::build) returns.
    ///
    /// # Errors
    /// Those of [`build`](Self::build).
    pub fn height(&self, position: [f64; 2]) -> Result<Sample<2>, TerrainError> {
        Ok(self.build()?.sample(position))
    }

    /// Whether both terrains have the same chunks, whatever their appearance.
    pub(crate) fn has_shape_of(&self, other: &Self) -> bool {
        let Self { ground, cells, spacing, keep_meshes, scatter_density: _ } = self;
        ground.has_shape_of(&other.ground)
            && (*cells, *spacing, *keep_meshes) == (other.cells, other.spacing, other.keep_meshes)
    }

    /// The cover, the sea and what stands on the ground.
    pub(crate) fn appearance(&self) -> Appearance {
        let mut appearance = self.ground.appearance();
        appearance.scatter.density *= self.scatter_density;
        appearance
    }

    /// The sizes of the chunks, if all numbers are within their limits.
    pub(crate) fn layout(&self) -> Result<Layout, TerrainError> {
        let Self { cells, spacing, scatter_density, .. } = *self;
        SCATTER_DENSITY.check(scatter_density.into())?;
        for (limit, value) in [(CELLS, f64::from(cells)), (SPACING, spacing)] {
            let power_of_two = value.log2().fract() == 0.0;
            if !power_of_two || limit.check(value).is_err() {
                return Err(TerrainError::NotAPowerOfTwo { limit, value });
            }
        }
        Ok(Layout { cells, spacing })
    }
}

/// Why a terrain cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TerrainError {
    /// The ground is [`Ground::Loading`].
    #[error("its ground is not loaded yet")]
    Loading,
    /// The recipe is not valid.
    #[error("{0}")]
    Recipe(#[from] DataError),
    /// A number is outside its limits.
    #[error("{0}")]
    OutOfLimits(#[from] OutOfLimits),
    /// Chunks of neighbouring levels share their vertices exactly only if sizes are powers of two.
    #[error("{} is {value}, but must be a power of two, {limit}", limit.name)]
    NotAPowerOfTwo {
        /// The limit, with the name of the field.
        limit: Limit,
        /// The value found.
        value: f64,
    },
}

/// The edits of a terrain: what was stamped, flattened and dug.
///
/// Every [`Terrain`](crate::Terrain) has this component. Change its log at any time: with
/// [`TerrainEditor`](crate::TerrainEditor), or by changes that arrive from another machine. Chunks
/// that an edit changes are built again in the background, and all of them are replaced in one
/// frame. Colliders and queries follow in the same frame. Positions are in metres from the
/// terrain's origin. It reflects as one opaque value that serialises, so scenes save it.
///
/// Edits stay when the recipe or the preset changes: they act on the new ground, at the same
/// positions. Remove or replace this component for ground without them.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::orogeny::edits::Crater;
/// use bevy_orogeny::{Terrain, TerrainEdits};
///
/// fn setup(mut commands: Commands) -> Result {
///     let mut edits = TerrainEdits::default();
///     let author = 1;
///     edits.log.add(author, Crater { center: [20.0, 5.0], ..Crater::default() })?;
///     commands.spawn((Terrain::default(), edits));
///     Ok(())
/// }
/// # let mut app = App::new();
/// # app.add_plugins((MinimalPlugins, AssetPlugin::default(), bevy_orogeny::TerrainPlugins));
/// # app.add_systems(Startup, setup);
/// # app.update();
/// ```
#[derive(Component, Clone, Debug, Default, Reflect, Serialize, Deserialize)]
#[reflect(opaque)]
#[reflect(Component, Default, Debug, Clone, Serialize, Deserialize)]
// As scenes name it.
#[type_path = "bevy_orogeny::terrain::edits"]
pub struct TerrainEdits {
    /// All edits.
    pub log: EditLog,
}
