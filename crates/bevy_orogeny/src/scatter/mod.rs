//! Scatter on the screen: trees, grass and rocks, in tiles of meshes around the viewers.
//!
//! Start with `tiers`: an instance is drawn with a finer or coarser level of its model, by its
//! distance. Each tier has tiles of its own, which `stream` builds in the background; `tile` makes
//! the mesh of one from the models of `models`. The vertex shader decides for each view which
//! instances of a tile are in the range of its tier, so levels change one instance at a time, and
//! nothing depends on when a tile arrives. This module uses `query` and, of streaming, the viewers
//! and the origin.

#[cfg(feature = "render")]
mod models;
#[cfg(feature = "render")]
pub(crate) mod stream;
#[cfg(feature = "render")]
pub(crate) mod tiers;
#[cfg(feature = "render")]
mod tile;
#[cfg(feature = "render")]
pub(crate) mod vertex;

use core::time::Duration;

use bevy_ecs::component::Component;
use bevy_ecs::reflect::{ReflectComponent, ReflectResource};
use bevy_ecs::resource::Resource;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

/// A tile of trees, grass or rocks: a child of its terrain.
#[derive(Component, Clone, Copy, Debug, Reflect)]
#[reflect(Component, Debug, Clone)]
pub struct ScatterTile {
    /// The number of instances in its mesh.
    pub instances: u32,
    /// The size of its mesh in bytes.
    pub bytes: u32,
    /// Whether it is near enough for its shadows to be seen.
    pub has_shadows: bool,
    /// The time that it took to build on its thread.
    pub build_time: Duration,
}

/// The current state of scatter, for all terrains together.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct ScatterStats {
    /// Tiles with a mesh.
    pub tiles: usize,
    /// Instances in their meshes. One that is near the end of a range may be in two.
    pub instances: usize,
    /// Bytes of the meshes.
    pub bytes: usize,
    /// Wanted tiles that are not ready.
    pub missing: usize,
    /// Those of them that begin within 100 m of a viewer.
    pub missing_near: usize,
}
