//! Tiles of plants: which records are on the device, around the viewers.
//!
//! Start with `rings`: which instances are in tiles of which width, and which tiles are wanted.
//! This module wants, builds, shows and replaces them; `ground_tiles` are those of one ground, and
//! a `tile` has records of the instances that stand in it.
//!
//! A terrain shows the tiles of one ground: that of its chunks. When the ground changes, tiles of
//! the new one are built hidden, and replace the others in the frame in which its chunks do. Chunks
//! wait for them. Changes of plants alone are shown once all tiles that are seen are built.

mod ground_tiles;
mod rings;
pub(crate) mod tile;

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_platform::time::Instant;

use self::ground_tiles::{Built, GroundTiles, SLACK};
use self::rings::{TileKey, Viewer};
use self::tile::TileOf;
use super::library::Library;
use super::own::plant_model::PlantModels;
use super::store::{self, Plants};
use super::textures::{self, Baking};
use crate::base::budget::TerrainBudget;
use crate::base::events::TerrainChanged;
use crate::base::origin::TerrainOrigin;
use crate::base::schedule::{FollowLateViewers, StreamTerrain, TerrainSystems};
use crate::query::GroundQuery;
use crate::query::adopted_ground::AdoptedGround;
use crate::render::DrawnParts;
use crate::scatter::{ScatterStats, ScatterTile, spawn};
use crate::slices;
use crate::streaming;
use crate::streaming::components::{ChunkSets, TerrainViews};
use crate::terrain::Terrain;

/// Streams tiles to what draws them.
pub(super) fn build(app: &mut App) {
    app.add_systems(
        StreamTerrain,
        (
            (receive, store::spawn, follow)
                .chain()
                .in_set(TerrainSystems::Place)
                .before(spawn::find),
            show.in_set(TerrainSystems::Follow),
            (dispatch, textures::receive).chain().in_set(TerrainSystems::Dispatch),
            report.in_set(TerrainSystems::Report).before(streaming::report),
        ),
    )
    // Chunks may be replaced a second time in a frame.
    .add_systems(FollowLateViewers, show.after(streaming::show_again))
    .add_observer(on_tile_removed)
    .add_observer(on_terrain_removed);
}

/// Tiles within this distance in metres of a viewer are counted as near.
const NEAR: f64 = 100.0;

/// On each terrain: its tiles.
#[derive(Component, Default)]
struct ScatterTiles {
    shown: Option<GroundTiles>,
    /// Tiles that will replace those being shown.
    next: Option<GroundTiles>,
    /// They do so when a set of chunks has replaced another one so often.
    due: u32,
    /// The viewers around which tiles are wanted.
    viewers: Vec<Viewer>,
    /// How often a set of chunks had replaced another one in the last frame.
    replaced: u32,
    /// The version of the models that new tiles are built with.
    models: u64,
}

impl ScatterTiles {
    fn all_mut(&mut self) -> impl Iterator<Item = &mut GroundTiles> {
        self.shown.iter_mut().chain(&mut self.next)
    }

    fn all(&self) -> impl Iterator<Item = &GroundTiles> {
        self.shown.iter().chain(&self.next)
    }

    /// The tiles that are being built.
    fn target(&self) -> Option<&GroundTiles> {
        self.next.as_ref().or(self.shown.as_ref())
    }

    fn target_mut(&mut self) -> Option<&mut GroundTiles> {
        self.next.as_mut().or(self.shown.as_mut())
    }

    /// Whether the next tiles lack nothing that those being shown have.
    fn is_complete(&self) -> bool {
        let next = self.next.as_ref().map_or(0, GroundTiles::unready);
        next == 0 || self.shown.as_ref().is_some_and(|shown| next <= shown.unready())
    }

    /// Starts to build the tiles of another ground. What was built for an earlier change may still
    /// hold.
    fn start(&mut self, ground: GroundQuery, due: u32, commands: &mut Commands) {
        let Some(target) = self.target() else { return };
        let mut tiles = target.of_changed(ground, self.models);
        tiles.want(&self.viewers, commands);
        self.due = due;
        if let Some(old) = self.next.replace(tiles) {
            let kept: Vec<&GroundTiles> = self.all().collect();
            old.despawn(&kept, commands);
        }
    }

    /// Builds all tiles anew, if a model of theirs has come or changed. Those being shown stay
    /// until then.
    fn follow_models(&mut self, version: u64, replaced: u32, commands: &mut Commands) {
        self.models = version;
        let Some(target) = self.target_mut().filter(|tiles| tiles.models != version) else {
            return;
        };
        if !target.has_custom_models() {
            target.models = version;
            return;
        }
        let ground = target.ground.clone();
        let due = if self.next.is_some() { self.due } else { replaced };
        self.start(ground, due, commands);
    }

    /// Follows the ground of chunks. Returns whether the next chunks must wait.
    fn follow(&mut self, sets: &ChunkSets, commands: &mut Commands) -> bool {
        let Some(ground) = sets.shown_ground() else { return false };
        let shown = self.shown.get_or_insert_with(|| {
            let mut tiles = GroundTiles::new(ground.clone(), self.models);
            tiles.want(&self.viewers, commands);
            tiles
        });
        let waiting = sets.next_ground();
        let due = sets.replaced.wrapping_add(u32::from(waiting.is_some()));
        let target = waiting.unwrap_or(ground);
        match &self.next {
            Some(next) if next.ground.has_scatter_of(target) => self.due = due,
            // A change of plants alone is shown before the next one is looked at.
            Some(_) if self.due == sets.replaced => {}
            None if shown.ground.has_scatter_of(target) => return false,
            _ => self.start(target.clone(), due, commands),
        }
        let is_for = |ground| self.next.as_ref().is_some_and(|it| it.ground.has_scatter_of(ground));
        waiting.is_some_and(|waiting| !(is_for(waiting) && self.is_complete()))
    }

    /// Replaces the tiles being shown when their time has come. Returns whether other plants are
    /// shown on the same chunks.
    fn replace(&mut self, sets: &ChunkSets, commands: &mut Commands) -> bool {
        let Some(ground) = sets.shown_ground() else { return false };
        let replaced = core::mem::replace(&mut self.replaced, sets.replaced);
        let is_new = replaced != sets.replaced;
        if is_new && !self.all().any(|tiles| tiles.ground.has_scatter_of(ground)) {
            // Chunks did not wait, as after a teleport.
            self.start(ground.clone(), sets.replaced, commands);
        }
        if self.due != sets.replaced || !is_new && !self.is_complete() {
            return false;
        }
        let Some(mut next) = self.next.take() else { return false };
        let Some(old) = self.shown.take() else { return false };
        next.settle_as(&old);
        let differs = !next.ground.has_scatter_of(&old.ground);
        old.despawn(&[&next], commands);
        self.shown = Some(next);
        differs && !is_new
    }
}

/// Gives each terrain its tiles, and follows the ground of its chunks.
fn follow(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut ChunkSets, Option<&mut ScatterTiles>)>,
    drawn: Res<DrawnParts>,
    library: Res<Library>,
) {
    for (terrain, mut sets, tiles) in &mut terrains {
        if !drawn.plants {
            sets.forget_plants();
            commands.entity(terrain).try_remove::<ScatterTiles>();
            continue;
        }
        let Some(mut tiles) = tiles else {
            commands.entity(terrain).try_insert(ScatterTiles::default());
            continue;
        };
        tiles.follow_models(library.version, sets.replaced, &mut commands);
        let waits = tiles.follow(&sets, &mut commands);
        sets.wait_for_plants(waits);
    }
}

/// Replaces tiles, wants those around the viewers, and shows them.
fn show(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut ScatterTiles, &ChunkSets, &AdoptedGround, &TerrainViews)>,
) {
    for (terrain, mut tiles, sets, ground, views) in &mut terrains {
        // A change of chunks has been announced with them.
        if tiles.replace(sets, &mut commands) {
            commands.trigger(TerrainChanged { terrain });
        }
        let now: Vec<Viewer> = views.now.iter().map(Viewer::of).collect();
        let has_left = |(now, old): (&Viewer, &Viewer)| now.has_left(old, SLACK);
        let same =
            tiles.viewers.len() == now.len() && !now.iter().zip(&tiles.viewers).any(has_left);
        // Without a viewer all tiles stay, unless the terrain itself has no place.
        let stays = same || now.is_empty() && ground.position.is_some();
        if !stays {
            tiles.all_mut().for_each(|tiles| tiles.want(&now, &mut commands));
            tiles.viewers = now;
        }
        let ScatterTiles { shown, viewers, .. } = &mut *tiles;
        if let Some(shown) = shown {
            // Viewers may move and rise that far before they are looked at again.
            let is_coarse_at = |point| sets.is_coarse_at(point);
            shown.show(viewers, 2.0 * SLACK, is_coarse_at, &mut commands);
        }
    }
}

/// Builds a tile again that was despawned by others.
fn on_tile_removed(
    event: On<Remove, TileOf>,
    removed: Query<&TileOf>,
    mut terrains: Query<&mut ScatterTiles>,
) {
    let Ok(&TileOf { terrain, key }) = removed.get(event.entity) else { return };
    let Ok(mut tiles) = terrains.get_mut(terrain) else { return };
    for tiles in tiles.all_mut().filter(|tiles| tiles.has(key, event.entity)) {
        tiles.stream.lose(key);
    }
}

/// Forgets the tiles of an entity that is no longer a terrain.
fn on_terrain_removed(
    event: On<Remove, Terrain>,
    mut commands: Commands,
    mut plants: ResMut<Plants>,
) {
    commands.entity(event.entity).try_remove::<ScatterTiles>();
    plants.forget(event.entity);
}

/// Counts tiles, instances and bytes, and despawns tiles that have lost their terrain.
fn report(
    mut commands: Commands,
    tiles: Query<&ScatterTile>,
    orphans: Query<Entity, (With<TileOf>, Without<ChildOf>)>,
    terrains: Query<&ScatterTiles>,
    (plants, baking): (Res<Plants>, Res<Baking>),
    (library, models): (Res<Library>, Res<PlantModels>),
    mut stats: ResMut<ScatterStats>,
) {
    orphans.iter().for_each(|entity| commands.entity(entity).try_despawn());
    // Without textures nothing is seen.
    let (mut missing, mut missing_near) = (baking.unfinished(), 0);
    let mut coming: Vec<String> = Vec::new();
    for tiles in &terrains {
        coming.extend(tiles.all().flat_map(|tiles| tiles.coming_models(&library, &models)));
        let waiting = tiles.target().into_iter();
        let waiting = waiting.flat_map(|it| it.stream.missing().map(move |key| (it, key)));
        let building = tiles.all();
        let building = building.flat_map(|it| it.stream.building().map(move |key| (it, key)));
        for (GroundTiles { stream, .. }, key) in waiting.chain(building) {
            missing += 1;
            missing_near += usize::from(stream.distance(key) <= NEAR);
        }
    }
    coming.sort_unstable();
    coming.dedup();
    missing += coming.len();
    stats.set_if_neq(ScatterStats {
        tiles: tiles.iter().len(),
        instances: tiles.iter().map(|tile| tile.instances as usize).sum(),
        bytes: plants.bytes(),
        missing,
        missing_near,
    });
}

/// Starts tasks for missing tiles, the nearest first.
fn dispatch(
    mut terrains: Query<&mut ScatterTiles>,
    budget: Res<TerrainBudget>,
    library: Res<Library>,
) {
    let tasks = terrains.iter().flat_map(ScatterTiles::all).map(|tiles| tiles.stream.building());
    let in_flight: usize = tasks.map(|tasks| tasks.len()).sum();
    for _ in in_flight..budget.max_plant_tasks() {
        // The nearest of all terrains.
        let waiting = terrains.iter_mut().filter_map(|it| Some((it.target()?.stream.next()?, it)));
        let Some(((.., key), mut tiles)) = waiting.min_by_key(|(next, _)| *next) else { return };
        let Some(target) = tiles.target_mut() else { return };
        let placement = target.ground.placement().clone();
        let library = library.clone();
        let build = async move {
            let start = Instant::now();
            let tile = tile::build(&placement, key, &library).await;
            Built { tile, time: start.elapsed() }
        };
        target.stream.begin(key, slices::spawn_one_of_many(build, budget.io_threads));
    }
}

/// Spawns the entities of finished tiles, hidden, the nearest of all terrains first.
fn receive(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut ScatterTiles)>,
    budget: Res<TerrainBudget>,
    origin: Res<TerrainOrigin>,
    (mut plants, library): (ResMut<Plants>, Res<Library>),
) {
    let mut finished: Vec<(f64, Entity, usize, TileKey)> = Vec::new();
    for (terrain, tiles) in &terrains {
        for (ground, GroundTiles { stream, .. }) in tiles.all().enumerate() {
            let all = stream
                .finished()
                .into_iter()
                .map(|key| (stream.distance(key), terrain, ground, key));
            finished.extend(all);
        }
    }
    finished.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    for (_, terrain, ground, key) in finished.into_iter().take(budget.max_plants_per_frame()) {
        let Ok((_, mut tiles)) = terrains.get_mut(terrain) else { continue };
        let Some(GroundTiles { stream, .. }) = tiles.all_mut().nth(ground) else { continue };
        stream.receive(key, |built, _| {
            tile::spawn(built, terrain, key, &origin, &mut plants, &library, &mut commands)
        });
    }
}
