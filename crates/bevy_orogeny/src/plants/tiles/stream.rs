//! Selects, shows and removes tiles around the viewers.
//!
//! A terrain shows the tiles of one ground: that of its chunks. When the ground changes, tiles of
//! the new one are built hidden, and replace the others in the frame in which its chunks do. Chunks
//! wait for them. Changes of plants alone are shown once all tiles that are seen are built.

use bevy_ecs::prelude::*;
use bevy_platform::collections::HashMap;

use super::bands::TileKey;
use super::of_ground::{Tiles, Wanted};
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

/// How far a viewer moves, in metres along an axis, before tiles are selected again.
const SLACK: f64 = 4.0;
/// Tiles are removed when they are this much farther away than where they are wanted, in metres.
const KEPT: f64 = 16.0;
/// Tiles within this distance in metres of a viewer are counted as near.
const NEAR: f64 = 100.0;

/// On each terrain: its tiles.
#[derive(Component, Default)]
pub(crate) struct ScatterTiles {
    pub(super) shown: Option<Tiles>,
    pub(super) next: Option<Next>,
    /// The viewers for which tiles were selected.
    pub(super) viewers: Vec<Viewer>,
    /// What they want, the nearest first.
    wanted: Vec<Wanted>,
    /// The wanted tiles for which no task has started, the nearest last.
    pub(super) missing: Vec<Wanted>,
    /// Whether tiles must be selected again, although no viewer has moved.
    is_stale: bool,
    /// How often a generation of chunks had replaced another one in the last frame.
    replaced: u32,
    /// The version of the models that new tiles are built with.
    models: u64,
}

/// Tiles that will replace those being shown.
pub(super) struct Next {
    pub(super) tiles: Tiles,
    /// They do so when a generation of chunks has replaced another one so often.
    due: u32,
}

impl ScatterTiles {
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Tiles> {
        self.shown.iter_mut().chain(self.next.iter_mut().map(|next| &mut next.tiles))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Tiles> {
        self.shown.iter().chain(self.next.iter().map(|next| &next.tiles))
    }

    /// The distance in metres at which a tile begins, for the nearest viewer.
    pub(super) fn begin(&self, key: TileKey) -> f64 {
        let all = self.viewers.iter().map(|viewer| viewer.begin(key));
        all.fold(f64::INFINITY, f64::min)
    }

    /// The tiles that are being built.
    pub(super) fn target(&mut self) -> Option<&mut Tiles> {
        self.next.as_mut().map(|next| &mut next.tiles).or(self.shown.as_mut())
    }

    /// Whether the next tiles lack nothing that those being shown have.
    fn is_complete(&self) -> bool {
        let unready = |tiles: &Tiles| tiles.unready(&self.wanted);
        let next = self.next.as_ref().map_or(0, |next| unready(&next.tiles));
        next == 0 || self.shown.as_ref().is_some_and(|shown| next <= unready(shown))
    }

    /// Starts to build the tiles of another ground.
    fn start(&mut self, ground: &GroundQuery, due: u32, commands: &mut Commands) {
        let Some(shown) = &self.shown else { return };
        let mut tiles = shown.of_changed(ground.clone(), self.models);
        if let Some(old) = self.next.take() {
            // What was built for an earlier change may still hold.
            let kept = old.tiles.of_changed(ground.clone(), self.models);
            tiles.slots.extend(kept.slots);
            let Next { tiles: old, .. } = old;
            let shared = |key, entity| tiles.has(key, entity) || shown.has(key, entity);
            old.despawn(shared, commands);
        }
        self.next = Some(Next { tiles, due });
        self.is_stale = true;
    }

    /// Builds all tiles anew, if a model of theirs has come or changed. Those being shown stay
    /// until then.
    fn follow_models(&mut self, version: u64, replaced: u32, commands: &mut Commands) {
        self.models = version;
        let Some(target) = self.target().filter(|tiles| tiles.models != version) else { return };
        if !target.has_custom_models() {
            target.models = version;
            return;
        }
        let ground = target.ground.clone();
        let due = self.next.as_ref().map_or(replaced, |next| next.due);
        let Some(shown) = &self.shown else { return };
        if let Some(old) = self.next.take() {
            let shared = |key, entity| shown.has(key, entity);
            old.tiles.despawn(shared, commands);
        }
        self.next = Some(Next { tiles: Tiles::new(ground, version), due });
        self.is_stale = true;
    }

    /// Follows the ground of chunks. Returns whether the next chunks must wait.
    fn follow(&mut self, generations: &Generations, commands: &mut Commands) -> bool {
        let Some(ground) = generations.shown_ground() else { return false };
        self.is_stale |= self.shown.is_none();
        let shown = self.shown.get_or_insert_with(|| Tiles::new(ground.clone(), self.models));
        let waiting = generations.next_ground();
        let due = generations.replaced.wrapping_add(u32::from(waiting.is_some()));
        let target = waiting.unwrap_or(ground);
        match &mut self.next {
            Some(next) if next.tiles.ground.has_scatter_of(target) => next.due = due,
            // A change of plants alone is shown before the next one is looked at.
            Some(next) if next.due == generations.replaced => {}
            None if shown.ground.has_scatter_of(target) => return false,
            _ => self.start(target, due, commands),
        }
        let is_for = |ground| {
            self.next.as_ref().is_some_and(|next| next.tiles.ground.has_scatter_of(ground))
        };
        waiting.is_some_and(|waiting| !(is_for(waiting) && self.is_complete()))
    }

    /// Replaces the tiles being shown when their time has come. Returns whether other plants are
    /// shown on the same chunks.
    fn replace(&mut self, generations: &Generations, commands: &mut Commands) -> bool {
        let Some(ground) = generations.shown_ground() else { return false };
        let replaced = core::mem::replace(&mut self.replaced, generations.replaced);
        let is_new = replaced != generations.replaced;
        let is_for = |tiles: &Tiles| tiles.ground.has_scatter_of(ground);
        let knows = self.all().any(is_for);
        if is_new && !knows {
            // Chunks did not wait, as after a teleport.
            self.start(ground, generations.replaced, commands);
        }
        let is_due = |next: &Next| next.due == generations.replaced;
        if self.next.as_ref().is_some_and(is_due)
            && (is_new || self.is_complete())
            && let Some(Next { tiles, .. }) = self.next.take()
            && let Some(old) = self.shown.replace(tiles)
        {
            self.shown.iter_mut().for_each(|shown| shown.settle_as(&old));
            let shown = self.shown.as_ref();
            let shared = |key, entity| shown.is_some_and(|shown| shown.has(key, entity));
            let has_same = |shown: &Tiles| shown.ground.has_scatter_of(&old.ground);
            let differs = !shown.is_some_and(has_same);
            old.despawn(shared, commands);
            self.is_stale = true;
            return differs && !is_new;
        }
        false
    }

    /// Selects the tiles that viewers want, and removes all others.
    fn select(&mut self, now: Vec<Viewer>, commands: &mut Commands) {
        self.is_stale = false;
        let kept = |key| now.iter().any(|viewer| viewer.wants(key, SLACK + KEPT));
        for tiles in self.all_mut() {
            let is_bare = tiles.is_bare();
            tiles.keep(|key| !is_bare && kept(key), commands);
        }
        let mut nearest: HashMap<TileKey, f64> = HashMap::default();
        for viewer in &now {
            viewer.wanted(SLACK, |key| {
                let begin = nearest.entry(key).or_insert(f64::INFINITY);
                *begin = begin.min(viewer.begin(key));
            });
        }
        self.wanted.clear();
        self.wanted.extend(nearest.into_iter().map(|(key, begin)| Wanted { begin, key }));
        self.wanted.sort_unstable_by(|a, b| a.begin.total_cmp(&b.begin));
        let wanted = core::mem::take(&mut self.wanted);
        self.missing = self.target().map_or_else(Vec::new, |tiles| tiles.missing(&wanted));
        self.missing.reverse();
        (self.wanted, self.viewers) = (wanted, now);
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

/// Replaces, selects and shows tiles.
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
        if !stays || tiles.is_stale {
            tiles.select(now, &mut commands);
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
    let mut is_stale = false;
    for tiles in tiles.all_mut().filter(|tiles| tiles.has(key, event.entity)) {
        tiles.slots.remove(&key);
        is_stale = true;
    }
    tiles.is_stale |= is_stale;
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
        let building = tiles.all().flat_map(Tiles::building).map(|key| tiles.begin(key));
        for begin in building.chain(tiles.missing.iter().map(|tile| tile.begin)) {
            missing += 1;
            missing_near += usize::from(begin <= NEAR);
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
