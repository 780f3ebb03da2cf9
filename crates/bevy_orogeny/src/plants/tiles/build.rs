//! Builds missing tiles on tasks, and takes finished ones.

use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;

use super::bands::TileKey;
use super::of_ground::{Built, Tiles};
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
    let tasks = terrains.iter().flat_map(ScatterTiles::all).map(|tiles| tiles.stream.building());
    let in_flight: usize = tasks.map(|tasks| tasks.len()).sum();
    for _ in in_flight..budget.scatter_in_flight.max(1) {
        // The nearest of all terrains.
        let waiting = terrains.iter_mut().filter_map(|it| Some((it.target()?.stream.next()?, it)));
        let Some((_, mut tiles)) = waiting.min_by_key(|(next, _)| *next) else { return };
        let Some(target) = tiles.target_mut() else { return };
        let Some(placement) = target.ground.scatter() else { return };
        let library = library.clone();
        target.stream.begin(|key| {
            slices::spawn(async move {
                let start = Instant::now();
                let tile = tile::build(&placement, key, &library).await;
                Built { tile, time: start.elapsed() }
            })
        });
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
        for (ground, Tiles { stream, .. }) in tiles.all().enumerate() {
            let all = stream
                .finished()
                .into_iter()
                .map(|key| (stream.distance(key), terrain, ground, key));
            finished.extend(all);
        }
    }
    finished.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    for (_, terrain, ground, key) in finished.into_iter().take(budget.scatter_per_frame.max(1)) {
        let Ok((_, mut tiles)) = terrains.get_mut(terrain) else { continue };
        let Some(Tiles { stream, .. }) = tiles.all_mut().nth(ground) else { continue };
        stream.receive(key, |built, _| {
            tile_entity::spawn(built, terrain, key, &origin, &mut plants, &library, &mut commands)
        });
    }
}
