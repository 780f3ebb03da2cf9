//! Builds missing tiles on tasks, and takes finished ones.

use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;
use bevy_tasks::futures::check_ready;

use super::bands::TileKey;
use super::of_ground::{Built, Slot, Wanted};
use super::stream::ScatterTiles;
use super::tile;
use super::tile_entity;
use crate::base::budget::TerrainBudget;
use crate::base::origin::TerrainOrigin;
use crate::plants::library::Library;
use crate::plants::store::Plants;
use crate::slices;

/// Starts tasks for missing tiles, the nearest first.
pub(crate) fn dispatch(
    mut terrains: Query<&mut ScatterTiles>,
    budget: Res<TerrainBudget>,
    library: Res<Library>,
) {
    let in_flight =
        |tiles: &ScatterTiles| -> usize { tiles.all().map(|tiles| tiles.building().count()).sum() };
    let mut free = budget.scatter_in_flight.max(1);
    for tiles in &terrains {
        free = free.saturating_sub(in_flight(tiles));
    }
    while free > 0 {
        // The nearest of all terrains.
        let first = |tiles: &Mut<ScatterTiles>| tiles.missing.last().map(|tile| tile.begin);
        let nearest = terrains.iter_mut().filter_map(|tiles| Some((first(&tiles)?, tiles)));
        let Some((_, mut tiles)) = nearest.min_by(|a, b| a.0.total_cmp(&b.0)) else { return };
        let Some(Wanted { key, .. }) = tiles.missing.pop() else { return };
        let Some(target) = tiles.target() else { continue };
        let Some(placement) = target.ground.scatter() else { continue };
        let library = library.clone();
        let task = async move {
            let start = Instant::now();
            let tile = tile::build(&placement, key, &library).await;
            Built { tile, time: start.elapsed() }
        };
        target.slots.insert(key, Slot::Building(slices::spawn(task)));
        free -= 1;
    }
}

/// Spawns the entities of finished tiles, hidden, the nearest of all terrains first.
pub(crate) fn receive(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut ScatterTiles)>,
    budget: Res<TerrainBudget>,
    origin: Res<TerrainOrigin>,
    (mut plants, library): (ResMut<Plants>, Res<Library>),
) {
    let mut finished: Vec<(f64, Entity, usize, TileKey)> = Vec::new();
    for (terrain, tiles) in &terrains {
        let all = tiles.all().enumerate();
        let all = all.flat_map(|(ground, tiles)| tiles.finished().map(move |key| (ground, key)));
        finished.extend(all.map(|(ground, key)| (tiles.begin(key), terrain, ground, key)));
    }
    finished.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    for (_, terrain, ground, key) in finished.into_iter().take(budget.scatter_per_frame.max(1)) {
        let Ok((_, mut tiles)) = terrains.get_mut(terrain) else { continue };
        let tiles = tiles.all_mut().nth(ground);
        let Some(slot) = tiles.and_then(|tiles| tiles.slots.get_mut(&key)) else { continue };
        let Slot::Building(task) = slot else { continue };
        let Some(built) = check_ready(task) else { continue };
        *slot = Slot::Ready(tile_entity::spawn(
            built,
            terrain,
            key,
            &origin,
            &mut plants,
            &library,
            &mut commands,
        ));
    }
}
