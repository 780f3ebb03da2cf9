//! Scatter: what of the placement of `orogeny::scatter` the game sees. No drawing.
//!
//! `spawn` gives instances near the viewers entities. What is drawn of plants, as tiles of records,
//! is decided in `plants`. This module uses `query` and, of streaming, the viewers and the origin.

pub(crate) mod spawn;

use core::time::Duration;

use bevy_ecs::component::Component;
use bevy_ecs::reflect::{ReflectComponent, ReflectResource};
use bevy_ecs::resource::Resource;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use orogeny::Region;
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
    /// Tiles that are built. A tile is hidden where all of its plants are drawn by other tiles.
    pub tiles: usize,
    /// Instances in these tiles.
    pub instances: usize,
    /// Bytes of their meshes and of the buffer of instances that they share.
    pub bytes: usize,
    /// Tiles, textures of grown plants, and [`PlantModel`](crate::PlantModel)s that are needed but
    /// not ready. A model that is refused, or that changes after it was drawn, does not count.
    pub missing: usize,
    /// Of these, the tiles that begin within 100 m of a viewer.
    pub missing_near: usize,
}

/// The size, relative to grown ones, below which all trees of a kind are saplings, some 3 m high:
/// they are drawn as bushes, and are no part of the canopy.
#[cfg(feature = "render")]
pub(crate) const SAPLING: f32 = 0.25;
/// The distances in metres between which the last trees thin out. The ground has the canopy of
/// forests beyond.
#[cfg(feature = "render")]
pub(crate) const TREES_THIN_OUT: [f32; 2] = [1000.0, 3000.0];

/// The axis of an instance: upright, leaning, and as far along the normal of the ground as its kind
/// follows it.
pub(crate) fn axis(instance: &Instance, kind: &ScatterKind, normal: Vec3) -> Vec3 {
    let [x, z] = instance.lean;
    Vec3::new(x, 1.0, z).lerp(normal, kind.align).normalize_or(Vec3::Y)
}

/// The square of an index, in metres from the terrain's origin.
pub(crate) fn square(index: [i64; 2], width: f64) -> Region {
    let [min, max] = [0.0, 1.0].map(|by| index.map(|i| (i as f64 + by) * width));
    Region { min, max }
}

/// The distance of a square from a position in metres.
pub(crate) fn distance_to(Region { min, max }: Region, position: [f64; 2]) -> f64 {
    let [x, z] = [0, 1].map(|k| (min[k] - position[k]).max(position[k] - max[k]).max(0.0));
    (x * x + z * z).sqrt()
}
