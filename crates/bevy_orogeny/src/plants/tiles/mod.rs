//! Tiles of plants: which records are on the device, around the viewers.
//!
//! Start with `bands`: which instances are in tiles of which width. `viewer` decides which tiles
//! are wanted, `stream` shows and replaces them, `build` builds them in the background,
//! `of_ground` are those of one ground. `tile` makes records of the instances of one, and
//! `tile_entity` spawns it.

mod bands;
mod build;
mod of_ground;
mod stream;
mod tile;
pub(crate) mod tile_entity;
mod viewer;

use bevy_app::App;
use bevy_ecs::schedule::IntoScheduleConfigs;

use super::{baking, entities};
use crate::base::schedule::FollowLateViewers;
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::scatter::spawn;
use crate::streaming;

/// Streams tiles to what draws them.
pub(super) fn build(app: &mut App) {
    app.add_systems(
        StreamTerrain,
        (
            (build::receive, entities::spawn, stream::follow)
                .chain()
                .in_set(TerrainSystems::Place)
                .before(spawn::find),
            stream::show.in_set(TerrainSystems::Follow),
            (build::dispatch, baking::receive).chain().in_set(TerrainSystems::Dispatch),
            stream::report.in_set(TerrainSystems::Report).before(streaming::report),
        ),
    )
    // Chunks may be replaced a second time in a frame.
    .add_systems(FollowLateViewers, stream::show.after(streaming::show))
    .add_observer(stream::on_tile_removed)
    .add_observer(stream::on_terrain_removed);
}
