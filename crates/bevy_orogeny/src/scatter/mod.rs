//! Scatter: what stands where around the viewers, as tiles of records and as entities.
//!
//! Start with `bands`: which instances are in tiles of which width. `viewer` decides which tiles
//! are wanted, `stream` builds them in the background, `tiles` are those of one ground. `tile`
//! makes records of the instances of one, and `tile_entity` spawns it. What is drawn of them is
//! decided in `plants`. `spawn` gives instances near the viewers entities. This module uses `query`
//! and, of streaming, the viewers and the origin.

#[cfg(feature = "render")]
mod bands;
mod block;
pub(crate) mod spawn;
mod square;
#[cfg(feature = "render")]
pub(crate) mod stream;
#[cfg(feature = "render")]
mod tile;
#[cfg(feature = "render")]
mod tile_entity;
#[cfg(feature = "render")]
mod tiles;
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

/// A tile of trees, grass or rocks: a child of its terrain.
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
    /// Instances in them.
    pub instances: usize,
    /// Bytes of the meshes and the buffer of records that they share.
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
