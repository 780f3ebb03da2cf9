//! Which tiles a mesh needs, and the tasks that build them.

use core::mem::take;

use bevy_log::warn;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::scatter::ScatterKind;
use bevy_orogeny::{GroundQuery, slices};
use bevy_platform::collections::{HashMap, HashSet};
use bevy_platform::time::Instant;
use bevy_tasks::Task;
use bevy_tasks::futures::check_ready;

use super::obstacles::{MeshObstacles, WorldObstacles};
use crate::key::TileKey;
use crate::tile::NavigationTile;
use crate::tiles::NavigationTiles;

/// Why a tile is missing, the most urgent reason first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// An edit touches its ground, or an obstacle has come or gone.
    Touched,
    /// There is no tile yet.
    New,
    /// An obstacle has moved.
    Moved,
    /// Around an edit other things may grow.
    MayGrow,
}

/// In the order of urgency: the reason, and the bits of the distance from the nearest source, which
/// have the order of the distances themselves.
pub type Urgency = (Reason, u64, TileKey);

/// A task that builds a tile. Dropping it cancels it.
#[derive(Debug)]
struct Building {
    task: Task<NavigationTile>,
    /// Whether the ground has changed since it began.
    is_stale: bool,
}

/// The tiles that a mesh needs, those that it misses, and the tasks that build them.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// The ground of the newest tiles.
    ground: Option<GroundQuery>,
    /// The obstacles of the newest tiles.
    obstacles: MeshObstacles,
    /// Tiles and tasks whose ground or obstacles may have changed, and the most urgent reason.
    outdated: HashMap<TileKey, Reason>,
    tasks: HashMap<TileKey, Building>,
    /// The tiles on which sources are, with the bits of the range of these.
    stands: Vec<(TileKey, u64)>,
    /// Those of this frame.
    new_stands: Vec<(TileKey, u64)>,
    /// The tiles that they want, with the distance from the nearest one.
    wanted: HashMap<TileKey, f64>,
    /// The tiles that may stay, because a source may move back and forth across a border.
    kept: HashSet<TileKey>,
    /// The missing tiles without a task, the most urgent last.
    missing: Vec<Urgency>,
    /// Whether the missing tiles must be listed again.
    is_stale: bool,
    /// The tiles that have changed in this frame.
    changed: Vec<TileKey>,
}

impl Queue {
    pub fn is_outdated(&self, tile: TileKey) -> bool {
        self.outdated.contains_key(&tile)
    }

    /// The number of missing tiles. Before the first ground it is not known which, so there is one.
    pub fn missing(&self) -> usize {
        if self.ground.is_none() { 1 } else { self.missing.len() + self.tasks.len() }
    }

    /// The number of tasks.
    pub fn in_flight(&self) -> usize {
        self.tasks.len()
    }

    /// Takes the tiles that are finished. Those of older ground serve, too, until they are built
    /// again: if they were dropped, edits in each frame would keep a tile from ever changing.
    pub fn collect(&mut self, tiles: &mut NavigationTiles) {
        self.tasks.retain(|key, building| {
            let Some(tile) = check_ready(&mut building.task) else { return true };
            if let Some(error) = tile.error() {
                warn!("the navigation tile {key:?} is empty: {error}");
            }
            if building.is_stale {
                self.missing.push((Reason::Touched, 0, *key));
                self.is_stale = true;
            } else {
                self.outdated.remove(key);
            }
            // Changes are listed with room around them, so many a tile stays as it is.
            if tiles.tile(*key) != Some(&tile) {
                tiles.insert(tile);
                self.changed.push(*key);
            }
            false
        });
    }

    /// Marks the tiles that a newer ground changes.
    pub fn adopt(&mut self, ground: &GroundQuery, tiles: &NavigationTiles) {
        let Some(old) = self.ground.replace(ground.clone()) else {
            self.is_stale = true;
            return;
        };
        let changes = ground.changes_since(&old);
        if changes.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        let all = self.all(tiles);
        let kinds = &ground.appearance().scatter.kinds;
        let widest = kinds.iter().map(ScatterKind::widest_solid).fold(0.0, f64::max);
        let margin = tiles.margin() + widest;
        let cell_size = tiles.agent().cell_size;
        let near = |regions: &[Region]| TileKey::near(&all, regions, margin, cell_size);
        let edits = ground.edits().all_differences(old.edits());
        for key in changes.map_or_else(|| all.clone(), |regions| near(&regions)) {
            self.outdate(key, Reason::MayGrow);
        }
        for key in near(&edits) {
            self.outdated.entry(key).and_modify(|reason| *reason = Reason::Touched);
        }
    }

    /// Marks the tiles around obstacles that have come, moved or gone.
    pub fn follow(
        &mut self,
        world: &WorldObstacles,
        offset: [f64; 3],
        now: Instant,
        tiles: &NavigationTiles,
    ) {
        let outdated = self.obstacles.follow(world, offset, now);
        if outdated.is_empty() {
            return;
        }
        let (all, cell_size) = (self.all(tiles), tiles.agent().cell_size);
        for (region, reason) in outdated {
            for key in TileKey::near(&all, &[region], tiles.margin(), cell_size) {
                self.outdate(key, reason);
            }
        }
    }

    /// Says that obstacles were not followed in this frame.
    pub fn miss_obstacles(&mut self) {
        self.obstacles.forget_frame();
    }

    /// The tiles that exist or are being built.
    fn all(&self, tiles: &NavigationTiles) -> HashSet<TileKey> {
        tiles.iter().map(|tile| tile.key()).chain(self.tasks.keys().copied()).collect()
    }

    fn outdate(&mut self, key: TileKey, reason: Reason) {
        let old = self.outdated.entry(key).or_insert(reason);
        *old = (*old).min(reason);
        self.is_stale = true;
        if let Some(building) = self.tasks.get_mut(&key) {
            building.is_stale = true;
        }
    }

    /// Lists all tiles as changed.
    pub fn mark_all(&mut self, tiles: &NavigationTiles) {
        self.changed.extend(tiles.iter().map(|tile| tile.key()));
    }

    /// Wants the tiles around one on which a source is.
    pub fn stand(&mut self, tile: TileKey, range: f64) {
        self.new_stands.push((tile, range.to_bits()));
    }

    /// Removes the tiles that no source needs, and lists those that are missing, if either may have
    /// changed.
    pub fn update(&mut self, tiles: &mut NavigationTiles) {
        self.want(tiles.agent().cell_size);
        if take(&mut self.is_stale) {
            self.remove(tiles);
            self.list(tiles);
        }
    }

    /// Lists the tiles that sources want. Those on one tile want the same, so it changes only when
    /// one of them enters another tile.
    fn want(&mut self, cell_size: f64) {
        let mut stands = take(&mut self.new_stands);
        stands.sort_unstable();
        stands.dedup();
        if stands == self.stands {
            return;
        }
        self.stands = stands;
        self.is_stale = true;
        self.wanted.clear();
        self.kept.clear();
        let size = TileKey::size(cell_size);
        for &(tile, range) in &self.stands {
            let range = f64::from_bits(range);
            for (key, distance) in TileKey::around(tile.square(cell_size), range + size, cell_size)
            {
                self.kept.insert(key);
                if distance <= range {
                    let least = self.wanted.entry(key).or_insert(distance);
                    *least = least.min(distance);
                }
            }
        }
    }

    /// Removes tiles that no source needs, and outdated ones that none wants.
    fn remove(&mut self, tiles: &mut NavigationTiles) {
        let is_needed = |key: &TileKey| {
            self.wanted.contains_key(key)
                || self.kept.contains(key) && !self.outdated.contains_key(key)
        };
        let gone: Vec<_> = tiles.iter().map(|tile| tile.key()).filter(|k| !is_needed(k)).collect();
        for key in gone {
            tiles.remove(key);
            self.changed.push(key);
        }
        self.tasks.retain(|key, _| self.wanted.contains_key(key));
        let exists = |key: &TileKey| tiles.tile(*key).is_some() || self.tasks.contains_key(key);
        self.outdated.retain(|key, _| exists(key));
    }

    /// Lists the missing tiles that have no task.
    fn list(&mut self, tiles: &NavigationTiles) {
        self.missing.clear();
        for (&key, distance) in self.wanted.iter().filter(|(key, _)| !self.tasks.contains_key(*key))
        {
            let reason = match (tiles.tile(key), self.outdated.get(&key)) {
                (_, Some(Reason::Touched)) => Reason::Touched,
                (None, _) => Reason::New,
                (_, Some(reason)) => *reason,
                _ => continue,
            };
            self.missing.push((reason, distance.to_bits(), key));
        }
        self.missing.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// The most urgent tile that waits for a task.
    pub fn next(&self) -> Option<&Urgency> {
        self.missing.last()
    }

    /// Begins to build it.
    pub fn begin(&mut self, tiles: &NavigationTiles) {
        let Some(ground) = self.ground.clone() else { return };
        let Some((.., key)) = self.missing.pop() else { return };
        let agent = *tiles.agent();
        let obstacles = self.obstacles.near(tiles.footprint(key));
        let task = slices::spawn(async move {
            NavigationTile::build_in_turns(&ground, &agent, &obstacles, key).await
        });
        self.tasks.insert(key, Building { task, is_stale: false });
    }

    /// The tiles that have changed since the last call, each once.
    pub fn take_changed(&mut self) -> Vec<TileKey> {
        let mut changed = take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}
