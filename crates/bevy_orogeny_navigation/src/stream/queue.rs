//! Which tiles a mesh needs, and the tasks that build them.

use core::mem::take;

use bevy_log::warn;
use bevy_orogeny::GroundQuery;
use bevy_orogeny::advanced::slices;
use bevy_orogeny::advanced::stream::TileStream;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::scatter::ScatterKind;
use bevy_platform::collections::HashMap;
use bevy_platform::time::Instant;

use super::obstacles::{MeshObstacles, WorldObstacles};
use crate::key::TileKey;
use crate::tile::NavigationTile;
use crate::tiles::NavigationTiles;

/// Why a tile is missing, the most urgent reason first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// An edit touches its ground, or an obstacle has come or gone.
    Touched,
    /// There is no tile yet.
    #[default]
    New,
    /// An obstacle has moved.
    Moved,
    /// Around an edit other things may grow.
    MayGrow,
}

/// The tiles that a mesh needs. Those that are ready are in its [`NavigationTiles`].
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// The ground of the newest tiles.
    ground: Option<GroundQuery>,
    /// The obstacles of the newest tiles.
    obstacles: MeshObstacles,
    pub stream: TileStream<TileKey, NavigationTile, (), Reason>,
    /// The tiles on which sources are, with the bits of the range of these.
    stands: Vec<(TileKey, u64)>,
    /// Those of this frame.
    new_stands: Vec<(TileKey, u64)>,
    /// The tiles around them, with the distance from the nearest one that wants each. It is
    /// infinite for those that may stay, because a source may move back and forth across a border.
    around: HashMap<TileKey, f64>,
    /// Whether sources want other tiles, or tiles are outdated that none of them wants.
    is_stale: bool,
    /// The tiles that have changed in this frame.
    changed: Vec<TileKey>,
}

impl Queue {
    pub fn is_outdated(&self, tile: TileKey) -> bool {
        self.stream.is_stale(tile)
    }

    /// The number of missing tiles. Before the first ground it is not known which, so there is one.
    pub fn missing(&self) -> usize {
        match self.ground {
            None => 1,
            Some(_) => self.stream.missing().len() + self.stream.building().len(),
        }
    }

    /// Takes the tiles that are finished.
    pub fn collect(&mut self, tiles: &mut NavigationTiles) {
        for key in self.stream.finished() {
            self.stream.receive(key, |tile, _| {
                if let Some(error) = tile.error() {
                    warn!("the navigation tile {key:?} is empty: {error}");
                }
                // Changes are listed with room around them, so many a tile stays as it is.
                if tiles.tile(key) != Some(&tile) {
                    tiles.insert(tile);
                    self.changed.push(key);
                }
            });
        }
    }

    /// Marks the tiles that a newer ground changes.
    pub fn adopt(&mut self, ground: &GroundQuery, tiles: &NavigationTiles) {
        let Some(old) = self.ground.replace(ground.clone()) else { return };
        let changes = ground.changes_since(&old);
        if changes.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        let all = self.stream.begun().collect();
        let kinds = &ground.appearance().scatter.kinds;
        let widest = kinds.iter().map(ScatterKind::widest_solid).fold(0.0, f64::max);
        let margin = tiles.margin() + widest;
        let cell_size = tiles.agent().cell_size;
        let near = |regions: &[Region]| TileKey::near(&all, regions, margin, cell_size);
        let edited = near(&ground.edits().all_differences(old.edits()));
        for key in changes.map_or_else(|| all.clone(), |regions| near(&regions)) {
            let is_edited = edited.contains(&key);
            self.outdate(key, if is_edited { Reason::Touched } else { Reason::MayGrow });
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
        let (all, cell_size) = (self.stream.begun().collect(), tiles.agent().cell_size);
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

    fn outdate(&mut self, key: TileKey, reason: Reason) {
        self.stream.touch(key, reason);
        self.is_stale = true;
    }

    /// Lists all tiles as changed.
    pub fn mark_all(&mut self, tiles: &NavigationTiles) {
        self.changed.extend(tiles.iter().map(|tile| tile.key()));
    }

    /// Wants the tiles around one on which a source is.
    pub fn stand(&mut self, tile: TileKey, range: f64) {
        self.new_stands.push((tile, range.to_bits()));
    }

    /// Removes tiles that no source needs, and outdated ones that none wants.
    pub fn update(&mut self, tiles: &mut NavigationTiles) {
        self.look_around(tiles.agent().cell_size);
        if !take(&mut self.is_stale) {
            return;
        }
        let around = self.around.iter().map(|(&key, &distance)| (key, distance));
        let wanted = around.filter(|(_, distance)| distance.is_finite());
        let stays = |key, _: Option<&()>, is_current| is_current && self.around.contains_key(&key);
        for (key, ()) in self.stream.want(wanted, stays) {
            tiles.remove(key);
            self.changed.push(key);
        }
    }

    /// Lists the tiles that sources want. Those on one tile want the same, so it changes only when
    /// one of them enters another tile.
    fn look_around(&mut self, cell_size: f64) {
        let mut stands = take(&mut self.new_stands);
        stands.sort_unstable();
        stands.dedup();
        if stands == self.stands {
            return;
        }
        self.stands = stands;
        self.is_stale = true;
        self.around.clear();
        let size = TileKey::size(cell_size);
        for &(tile, range) in &self.stands {
            let range = f64::from_bits(range);
            for (key, distance) in TileKey::around(tile.square(cell_size), range + size, cell_size)
            {
                let distance = if distance <= range { distance } else { f64::INFINITY };
                let least = self.around.entry(key).or_insert(distance);
                *least = least.min(distance);
            }
        }
    }

    /// Begins to build the most urgent tile that waits for a task.
    pub fn begin(&mut self, tiles: &NavigationTiles) {
        let Some(ground) = self.ground.clone() else { return };
        let Some((.., key)) = self.stream.next() else { return };
        let (agent, obstacles) = (*tiles.agent(), self.obstacles.near(tiles.footprint(key)));
        let build =
            async move { NavigationTile::build_in_turns(&ground, &agent, &obstacles, key).await };
        self.stream.begin(key, slices::spawn(build));
    }

    /// The tiles that have changed since the last call, each once.
    pub fn take_changed(&mut self) -> Vec<TileKey> {
        let mut changed = take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}
