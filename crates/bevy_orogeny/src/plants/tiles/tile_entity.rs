//! The entities of tiles.

use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_log::warn_once;
use bevy_math::Vec3;

use super::bands::TileKey;
use super::of_ground::{Built, Placed};
use crate::base::anchor::Anchor;
use crate::base::derived::derived;
use crate::base::drawn_for::DrawnFor;
use crate::base::origin::TerrainOrigin;
use crate::plants::library::Library;
use crate::plants::store::Plants;
use crate::scatter::ScatterTile;

/// On the entity of a tile: which one it is.
#[derive(Component, Clone, Copy, Debug)]
#[component(immutable)]
pub(crate) struct TileOf {
    pub terrain: Entity,
    pub key: TileKey,
}

/// Spawns the hidden entity of a tile, unless nothing stands there.
pub(super) fn spawn(
    Built { tile, time }: Built,
    terrain: Entity,
    key: TileKey,
    origin: &TerrainOrigin,
    plants: &mut Plants,
    library: &Library,
    commands: &mut Commands,
) -> Option<Placed> {
    let tile = tile?;
    let parts = ScatterTile { instances: tile.records.len() as u32, build_time: time };
    let band = key.band();
    let number = plants.add(terrain, band.class, tile.reach, tile.records, &tile.looks, library);
    let Some(number) = number else {
        warn_once!("some tiles of plants are not drawn: there are more than eight million plants");
        return None;
    };
    let (anchor, mut place) = Anchor::new(origin, key.square().min);
    place.translation.y = tile.bottom;
    place.scale = Vec3::new(band.width as f32, tile.rise, band.width as f32);
    let owner = (TileOf { terrain, key }, DrawnFor(terrain), ChildOf(terrain), derived("Plants"));
    let entity = commands.spawn((parts, number, place, anchor, Visibility::Hidden, owner)).id();
    let heights = [tile.bottom, tile.bottom + tile.rise].map(f64::from);
    Some(Placed { entity, heights, is_drawn: false, is_settled: false })
}
