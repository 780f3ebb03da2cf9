//! Scatter: what stands where around the viewers, as tiles of records and as entities.
//!
//! Start with `bands`: which instances are in tiles of which width. `viewer` decides which tiles
//! are wanted, `stream` selects and replaces them, `build_tiles` builds them in the background,
//! `tiles` are those of one ground. `tile` makes records of the instances of one, and
//! `tile_entity` spawns it. What is drawn of them is decided in `plants`. `spawn` gives instances
//! near the viewers entities. This module uses `query` and, of streaming, the viewers and the
//! origin.

#[cfg(feature = "render")]
mod bands;
mod block;
#[cfg(feature = "render")]
mod build_tiles;
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

#[cfg(feature = "render")]
use bevy_app::App;
use bevy_ecs::component::Component;
use bevy_ecs::reflect::{ReflectComponent, ReflectResource};
use bevy_ecs::resource::Resource;
#[cfg(feature = "render")]
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use orogeny::scatter::{Instance, ScatterKind};

#[cfg(feature = "render")]
use crate::plants::{baking, entities};
#[cfg(feature = "render")]
use crate::streaming::schedule::{StreamTerrain, TerrainSystems};
#[cfg(feature = "render")]
use crate::streaming::{self, FollowLateViewers};

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
    /// Wanted tiles, and textures of grown plants, that are not ready.
    pub missing: usize,
    /// Those of them that begin within 100 m of a viewer.
    pub missing_near: usize,
}

/// Streams tiles to what draws them.
#[cfg(feature = "render")]
pub(crate) fn build(app: &mut App) {
    app.add_systems(
        StreamTerrain,
        (
            (build_tiles::receive, entities::spawn, stream::follow)
                .chain()
                .after(TerrainSystems::Select)
                .before(spawn::find)
                .before(TerrainSystems::Show),
            (stream::show, build_tiles::dispatch, baking::receive, stream::report)
                .chain()
                .after(TerrainSystems::Show)
                .before(TerrainSystems::Report),
        ),
    )
    // Chunks may be replaced a second time in a frame.
    .add_systems(FollowLateViewers, stream::show.after(streaming::show))
    .add_observer(stream::on_tile_removed)
    .add_observer(stream::on_terrain_removed);
}

/// The axis of an instance: upright, leaning, and as far along the normal of the ground as its kind
/// follows it.
pub(crate) fn axis(instance: &Instance, kind: &ScatterKind, normal: Vec3) -> Vec3 {
    let [x, z] = instance.lean;
    Vec3::new(x, 1.0, z).lerp(normal, kind.align).normalize_or(Vec3::Y)
}
