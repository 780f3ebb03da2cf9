//! Wants, shows and replaces tiles around the viewers.
//!
//! A terrain shows the tiles of one ground: that of its chunks. When the ground changes, tiles of
//! the new one are built hidden, and replace the others in the frame in which its chunks do. Chunks
//! wait for them. Changes of plants alone are shown once all tiles that are seen are built.

use bevy_ecs::prelude::*;

use super::of_ground::{SLACK, Tiles};
use super::tile_entity::TileOf;
use super::viewer::Viewer;
use crate::base::events::TerrainChanged;
use crate::plants::baking::Baking;
use crate::plants::library::Library;
use crate::plants::own::plant_model::PlantModels;
use crate::plants::store::Plants;
use crate::query::GroundQuery;
use crate::query::adopted_ground::AdoptedGround;
use crate::render::drawn_parts::DrawnParts;
use crate::scatter::{ScatterStats, ScatterTile};
use crate::streaming::components::{Generations, TerrainViews};
use crate::terrain::Terrain;

/// Tiles within this distance in metres of a viewer are counted as near.
const NEAR: f64 = 100.0;

/// On each terrain: its tiles.
#[derive(Component, Default)]
pub(crate) struct ScatterTiles {
    pub(super) shown: Option<Tiles>,
    /// Tiles that will replace those being shown.
    pub(super) next: Option<Tiles>,
    /// They do so when a generation of chunks has replaced another one so often.
    due: u32,
    /// The viewers around which tiles are wanted.
    viewers: Vec<Viewer>,
    /// How often a generation of chunks had replaced another one in the last frame.
    replaced: u32,
    /// The version of the models that new tiles are built with.
    models: u64,
}

impl ScatterTiles {
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Tiles> {
        self.shown.iter_mut().chain(&mut self.next)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Tiles> {
        self.shown.iter().chain(&self.next)
    }

    /// The tiles that are being built.
    pub(super) fn target(&self) -> Option<&Tiles> {
        self.next.as_ref().or(self.shown.as_ref())
    }

    pub(super) fn target_mut(&mut self) -> Option<&mut Tiles> {
        self.next.as_mut().or(self.shown.as_mut())
    }

    /// Whether the next tiles lack nothing that those being shown have.
    fn is_complete(&self) -> bool {
        let next = self.next.as_ref().map_or(0, Tiles::unready);
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
            let kept: Vec<&Tiles> = self.all().collect();
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
    fn follow(&mut self, generations: &Generations, commands: &mut Commands) -> bool {
        let Some(ground) = generations.shown_ground() else { return false };
        let shown = self.shown.get_or_insert_with(|| {
            let mut tiles = Tiles::new(ground.clone(), self.models);
            tiles.want(&self.viewers, commands);
            tiles
        });
        let waiting = generations.next_ground();
        let due = generations.replaced.wrapping_add(u32::from(waiting.is_some()));
        let target = waiting.unwrap_or(ground);
        match &self.next {
            Some(next) if next.ground.has_scatter_of(target) => self.due = due,
            // A change of plants alone is shown before the next one is looked at.
            Some(_) if self.due == generations.replaced => {}
            None if shown.ground.has_scatter_of(target) => return false,
            _ => self.start(target.clone(), due, commands),
        }
        let is_for = |ground| self.next.as_ref().is_some_and(|it| it.ground.has_scatter_of(ground));
        waiting.is_some_and(|waiting| !(is_for(waiting) && self.is_complete()))
    }

    /// Replaces the tiles being shown when their time has come. Returns whether other plants are
    /// shown on the same chunks.
    fn replace(&mut self, generations: &Generations, commands: &mut Commands) -> bool {
        let Some(ground) = generations.shown_ground() else { return false };
        let replaced = core::mem::replace(&mut self.replaced, generations.replaced);
        let is_new = replaced != generations.replaced;
        if is_new && !self.all().any(|tiles| tiles.ground.has_scatter_of(ground)) {
            // Chunks did not wait, as after a teleport.
            self.start(ground.clone(), generations.replaced, commands);
        }
        if self.due != generations.replaced || !is_new && !self.is_complete() {
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
pub(crate) fn follow(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut Generations, Option<&mut ScatterTiles>)>,
    drawn: Res<DrawnParts>,
    library: Res<Library>,
) {
    for (terrain, mut generations, tiles) in &mut terrains {
        if !drawn.plants {
            generations.forget_plants();
            commands.entity(terrain).try_remove::<ScatterTiles>();
            continue;
        }
        let Some(mut tiles) = tiles else {
            commands.entity(terrain).try_insert(ScatterTiles::default());
            continue;
        };
        tiles.follow_models(library.version, generations.replaced, &mut commands);
        let waits = tiles.follow(&generations, &mut commands);
        generations.wait_for_plants(waits);
    }
}

/// Replaces tiles, wants those around the viewers, and shows them.
pub(crate) fn show(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut ScatterTiles, &Generations, &AdoptedGround, &TerrainViews)>,
) {
    for (terrain, mut tiles, generations, ground, views) in &mut terrains {
        // A change of chunks has been announced with them.
        if tiles.replace(generations, &mut commands) {
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
            let is_coarse_at = |point| generations.is_coarse_at(point);
            shown.show(viewers, 2.0 * SLACK, is_coarse_at, &mut commands);
        }
    }
}

/// Builds a tile again that was despawned by others.
pub(crate) fn on_tile_removed(
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
pub(crate) fn on_terrain_removed(
    event: On<Remove, Terrain>,
    mut commands: Commands,
    mut plants: ResMut<Plants>,
) {
    commands.entity(event.entity).try_remove::<ScatterTiles>();
    plants.forget(event.entity);
}

/// Counts tiles, instances and bytes, and despawns tiles that have lost their terrain.
pub(crate) fn report(
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
        for (Tiles { stream, .. }, key) in waiting.chain(building) {
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
