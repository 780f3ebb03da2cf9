//! Builds tiles around sources, and again where edits touch them.

use bevy_ecs::prelude::*;
use bevy_log::warn;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::limits::{Limit, OutOfLimits};
use bevy_orogeny::orogeny::scatter::ScatterKind;
use bevy_orogeny::{GroundQuery, POSITION, TerrainBudget, TerrainOrigin, TerrainQuery, slices};
use bevy_platform::collections::{HashMap, HashSet};
use bevy_tasks::Task;
use bevy_tasks::futures::check_ready;
use bevy_transform::helper::TransformHelper;

use crate::error::NavigationError;
use crate::key::TileKey;
use crate::mesh::NavigationMesh;
use crate::source::{NavigationSource, RANGE};
use crate::tile::NavigationTile;
use crate::tiles::NavigationTiles;

/// Tiles of a mesh were built, replaced by other ones or removed: paths over them should be
/// searched again.
/// Triggered once a frame, on the mesh.
#[derive(EntityEvent, Clone, Debug, PartialEq)]
pub struct NavigationChanged {
    /// The entity of the mesh.
    #[event_target]
    pub mesh: Entity,
    /// The tiles, in any order.
    pub tiles: Vec<TileKey>,
}

/// Which tiles a mesh needs, and the tasks that build them.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    /// The ground of the newest tiles.
    ground: Option<GroundQuery>,
    /// Tiles whose ground may have changed, and whether an edit itself touches them. Around it only
    /// what grows may differ.
    outdated: HashMap<TileKey, bool>,
    /// Dropping a task cancels it.
    tasks: HashMap<TileKey, Task<NavigationTile>>,
    /// The tiles on which sources are, with the range of these.
    stands: Vec<(TileKey, u64)>,
    /// The tiles that they want, with the distance from the nearest one.
    wanted: HashMap<TileKey, f64>,
    /// The tiles that may stay, because a source may move back and forth across a border.
    kept: HashSet<TileKey>,
}

impl Stream {
    pub fn is_outdated(&self, tile: TileKey) -> bool {
        self.outdated.contains_key(&tile)
    }

    pub fn missing(&self, tiles: &NavigationTiles) -> usize {
        self.wanted.keys().filter(|key| self.is_missing(tiles, **key)).count()
    }

    fn is_missing(&self, tiles: &NavigationTiles, key: TileKey) -> bool {
        tiles.tile(key).is_none() || self.outdated.contains_key(&key)
    }

    /// Marks the tiles that a newer ground changes, and cancels their tasks.
    fn adopt(&mut self, ground: &GroundQuery, tiles: &NavigationTiles) {
        if let Some(old) = &self.ground {
            let changes = ground.changes_since(old);
            if changes.as_ref().is_none_or(|changes| !changes.is_empty()) {
                let kinds = &ground.appearance().scatter.kinds;
                let widest = kinds.iter().map(ScatterKind::widest_solid).fold(0.0, f64::max);
                let edits = ground.edits().all_differences(old.edits());
                let meets = |all: &[Region], key: &TileKey| {
                    let footprint = tiles.footprint(*key).grown(widest);
                    all.iter().any(|region| region.meets(&footprint))
                };
                let is_changed = |key: &TileKey| changes.as_ref().is_none_or(|all| meets(all, key));
                for key in tiles.iter().map(|tile| tile.key()).filter(is_changed) {
                    let is_touched = meets(&edits, &key);
                    *self.outdated.entry(key).or_default() |= is_touched;
                }
                self.tasks.retain(|key, _| !is_changed(key));
            }
        }
        self.ground = Some(ground.clone());
    }

    /// Takes the tiles that are finished.
    fn collect(&mut self, tiles: &mut NavigationTiles, changed: &mut Vec<TileKey>) {
        let outdated = &mut self.outdated;
        self.tasks.retain(|key, task| {
            let Some(tile) = check_ready(task) else { return true };
            if let Some(error) = tile.error() {
                warn!("the navigation tile {key:?} is empty: {error}");
            }
            outdated.remove(key);
            // Changes are listed with room around them, so many a tile stays as it is.
            if tiles.tile(*key) != Some(&tile) {
                tiles.insert(tile);
                changed.push(*key);
            }
            false
        });
    }

    /// Lists the tiles that sources want. Those on one tile want the same, so it changes only when
    /// one of them enters another tile.
    fn want(&mut self, mut stands: Vec<(TileKey, u64)>, cell_size: f64) {
        stands.sort_unstable();
        stands.dedup();
        if stands == self.stands {
            return;
        }
        self.stands = stands;
        self.wanted.clear();
        self.kept.clear();
        let size = TileKey::size(cell_size);
        for &(TileKey { x, z }, range) in &self.stands {
            let range = f64::from_bits(range);
            let reach = (range / size).ceil() as i64 + 1;
            for (dx, dz) in (-reach..=reach).flat_map(|dz| (-reach..=reach).map(move |dx| (dx, dz)))
            {
                let key = TileKey { x: x + dx, z: z + dz };
                let [gap_x, gap_z] = [dx, dz].map(|d| (d.abs() - 1).max(0) as f64 * size);
                let distance = gap_x.hypot(gap_z);
                if distance <= range {
                    let least = self.wanted.entry(key).or_insert(distance);
                    *least = least.min(distance);
                }
                if distance <= range + size {
                    self.kept.insert(key);
                }
            }
        }
    }

    /// Removes tiles that no source needs, and outdated ones that none wants.
    fn remove(&mut self, tiles: &mut NavigationTiles, changed: &mut Vec<TileKey>) {
        let is_needed = |key: &TileKey| {
            self.kept.contains(key)
                && (!self.outdated.contains_key(key) || self.wanted.contains_key(key))
        };
        let gone: Vec<_> = tiles.iter().map(|tile| tile.key()).filter(|k| !is_needed(k)).collect();
        for key in gone {
            tiles.remove(key);
            self.outdated.remove(&key);
            changed.push(key);
        }
        let wanted = &self.wanted;
        self.tasks.retain(|key, _| wanted.contains_key(key));
    }

    /// Starts tasks for missing tiles: for those that edits touch first, and for the nearest first.
    fn dispatch(&mut self, tiles: &NavigationTiles, most: usize) {
        let free = most.max(1).saturating_sub(self.tasks.len());
        let Some(ground) = self.ground.as_ref().filter(|_| free > 0) else { return };
        let is_next = |key: &TileKey| self.is_missing(tiles, *key) && !self.tasks.contains_key(key);
        let mut next: Vec<_> = self.wanted.iter().filter(|(key, _)| is_next(key)).collect();
        if next.is_empty() {
            return;
        }
        next.sort_unstable_by(|(a, near_a), (b, near_b)| {
            // What edits touch, then what may grow differently, then what is new.
            let rank = |key: &TileKey| match self.outdated.get(key) {
                Some(true) => 0,
                Some(false) => 1,
                None => 2,
            };
            rank(a).cmp(&rank(b)).then(near_a.total_cmp(near_b)).then(a.cmp(b))
        });
        let next: Vec<_> = next.into_iter().take(free).map(|(key, _)| *key).collect();
        for key in next {
            let (ground, agent) = (ground.clone(), *tiles.agent());
            let task = async move { NavigationTile::build(&ground, &agent, key) };
            self.tasks.insert(key, slices::spawn(task));
        }
    }
}

/// Keeps the tiles of all meshes up to date.
pub(crate) fn stream(
    mut commands: Commands,
    mut meshes: Query<(Entity, &mut NavigationMesh)>,
    sources: Query<(Entity, &NavigationSource)>,
    terrains: TerrainQuery,
    transforms: TransformHelper,
    origin: Option<Res<TerrainOrigin>>,
    budget: Option<Res<TerrainBudget>>,
) {
    let origin = origin.as_deref().copied().unwrap_or_default();
    let most = budget.as_deref().copied().unwrap_or_default().tiles_in_flight;
    for (entity, mut component) in &mut meshes {
        let mesh = component.bypass_change_detection();
        let ground = mesh.terrain.map_or_else(|| terrains.single(), |it| terrains.get(it));
        let ground = match ground {
            Ok(ground) => ground,
            // The old tiles stay until there is ground again.
            Err(error) => {
                mesh.problem = Some(error.into());
                continue;
            }
        };
        let [x, _, z] = ground.offset();
        mesh.offset = [x, z];
        mesh.problem = None;
        let mut changed = Vec::new();
        mesh.stream.adopt(ground.query(), &mesh.tiles);
        mesh.stream.collect(&mut mesh.tiles, &mut changed);
        let cell_size = mesh.tiles.agent().cell_size;
        let mut stands = Vec::new();
        for (it, source) in sources.iter().filter(|(_, source)| source.mesh == entity) {
            let Ok(global) = transforms.compute_global_transform(it) else { continue };
            let [x, _, z] = origin.position(global.translation());
            let position = [x - mesh.offset[0], z - mesh.offset[1]];
            match check(source, position, cell_size) {
                Ok(()) => stands.push((TileKey::at(position, cell_size), source.range.to_bits())),
                Err(error) => mesh.problem = Some(NavigationError::OutOfLimits(error)),
            }
        }
        mesh.stream.want(stands, cell_size);
        mesh.stream.remove(&mut mesh.tiles, &mut changed);
        mesh.stream.dispatch(&mesh.tiles, most);
        if !changed.is_empty() {
            component.set_changed();
            commands.trigger(NavigationChanged { mesh: entity, tiles: changed });
        }
    }
}

fn check(source: &NavigationSource, position: [f64; 2], cell_size: f64) -> Result<(), OutOfLimits> {
    let max = RANGE.max.min(NavigationSource::MAX_TILES * TileKey::size(cell_size));
    Limit { max, ..RANGE }.check(source.range)?;
    position.into_iter().try_for_each(|x| POSITION.check(x))
}
