//! Scatter on the screen: trees, grass and rocks, in tiles of meshes around the viewers.
//!
//! Start with `tiers`: an instance is drawn with a finer or coarser level of its model, by its
//! straight distance. Each tier has tiles of its own: `viewer` decides which are wanted, `stream`
//! builds them in the background, `tiles` are those of one ground. `tile` sorts the instances of
//! one into batches of the same shape (`models`), `tile_entity` spawns them. A batch is drawn as a
//! mesh of several copies of the shape (`copies`), which are placed by a `record` for each. Batches
//! share meshes and buffers of records: the `pool`. The vertex shader decides for each view which
//! instances are in the range of their tier, so levels change one instance at a time, and nothing
//! depends on when a tile arrives. `spawn` gives instances near the viewers entities. This module
//! uses `query` and, of streaming, the viewers and the origin.

mod block;
#[cfg(feature = "render")]
mod copies;
#[cfg(feature = "render")]
mod models;
#[cfg(feature = "render")]
pub(crate) mod pool;
#[cfg(feature = "render")]
mod ranges;
#[cfg(feature = "render")]
pub(crate) mod record;
pub(crate) mod spawn;
mod square;
#[cfg(feature = "render")]
pub(crate) mod stream;
#[cfg(feature = "render")]
pub(crate) mod tiers;
#[cfg(feature = "render")]
mod tile;
#[cfg(feature = "render")]
mod tile_entity;
#[cfg(feature = "render")]
mod tiles;
#[cfg(feature = "render")]
pub(crate) mod vertex;
#[cfg(feature = "render")]
mod viewer;

use core::time::Duration;

use bevy_ecs::component::Component;
use bevy_ecs::reflect::{ReflectComponent, ReflectResource};
use bevy_ecs::resource::Resource;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use orogeny::scatter::{Instance, ScatterKind};

/// A tile of trees, grass or rocks: a child of its terrain. Its own children draw it.
#[derive(Component, Clone, Copy, Debug, Reflect)]
#[reflect(Component, Debug, Clone)]
pub struct ScatterTile {
    /// The number of instances in it.
    pub instances: u32,
    /// The time that it took to build on its thread.
    pub build_time: Duration,
}

/// The current state of scatter, for all terrains together.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct ScatterStats {
    /// Tiles that are built. Those whose plants are all at distances of others are hidden.
    pub tiles: usize,
    /// Instances in them. One that is near the end of a range may be in two.
    pub instances: usize,
    /// Bytes of the meshes and buffers that they share. They are kept for other tiles.
    pub bytes: usize,
    /// Wanted tiles that are not ready.
    pub missing: usize,
    /// Those of them that begin within 100 m of a viewer.
    pub missing_near: usize,
}

/// The axis of an instance: upright, leaning, and as far along the normal of the ground as its kind
/// follows it.
pub(crate) fn axis(instance: &Instance, kind: &ScatterKind, normal: Vec3) -> Vec3 {
    let [x, z] = instance.lean;
    Vec3::new(x, 1.0, z).lerp(normal, kind.align).normalize_or(Vec3::Y)
}
