//! The component that holds a navigation mesh, and around whom it has tiles.

use bevy_ecs::prelude::*;
use bevy_orogeny::orogeny::limits::{Limit, OutOfLimits};
use bevy_transform::components::Transform;

use crate::agent::NavigationAgent;
use crate::key::TileKey;
use crate::path::{NavigationError, NavigationPath};
use crate::stream::Queue;
use crate::tiles::NavigationTiles;

/// A navigation mesh of a terrain, for one kind of agent. Put it on an entity of its own, and name
/// that in the [`NavigationSource`](crate::NavigationSource)s around which it has tiles.
///
/// Positions are (x, z) in the world, in metres, as those of
/// [`TerrainQuery`](bevy_orogeny::TerrainQuery). The height at each comes from the ground.
/// To change the agent, insert another mesh.
#[derive(Component, Debug)]
pub struct NavigationMesh {
    /// The terrain; `None` for the only one.
    pub terrain: Option<Entity>,
    pub(crate) tiles: NavigationTiles,
    /// The terrain's position (x, z) in the world.
    pub(crate) offset: [f64; 2],
    pub(crate) problem: Option<NavigationError>,
    pub(crate) queue: Queue,
}

impl NavigationMesh {
    /// The mesh of the only terrain, for a kind of agent.
    ///
    /// # Errors
    /// A number of the agent that is outside its limits.
    pub fn new(agent: NavigationAgent) -> Result<Self, OutOfLimits> {
        let tiles = NavigationTiles::new(agent)?;
        let queue = Queue::default();
        Ok(Self { terrain: None, tiles, offset: [0.0; 2], problem: None, queue })
    }

    /// The mesh of a terrain, for a kind of agent.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of(terrain: Entity, agent: NavigationAgent) -> Result<Self, OutOfLimits> {
        Ok(Self { terrain: Some(terrain), ..Self::new(agent)? })
    }

    /// Its tiles, in the terrain's own coordinates. A clone of them can find paths in a task.
    pub fn tiles(&self) -> &NavigationTiles {
        &self.tiles
    }

    /// The terrain's position (x, z) in the world, in metres: add it to positions of tiles.
    pub fn offset(&self) -> [f64; 2] {
        self.offset
    }

    /// What is wrong, if it has no tiles or keeps old ones: no terrain, or a source that is outside
    /// its limits.
    pub fn problem(&self) -> Option<&NavigationError> {
        self.problem.as_ref()
    }

    /// The number of tiles that sources want, and that are not built yet or outdated. At least 1
    /// until the plugin has seen the mesh together with its terrain. The last half second of an
    /// [obstacle](crate::NavigationObstacle) that moves all the time does not count.
    pub fn missing(&self) -> usize {
        self.queue.missing()
    }

    /// Whether the ground of a tile, or an obstacle on it, has changed since it was built. Paths
    /// still lead over it until it is replaced.
    pub fn is_outdated(&self, tile: TileKey) -> bool {
        self.queue.is_outdated(tile)
    }

    /// A path, see [`NavigationTiles::path`].
    ///
    /// # Errors
    /// As there, and [`problem`](Self::problem) while there is no tile at all.
    pub fn path(&self, from: [f64; 2], to: [f64; 2]) -> Result<NavigationPath, NavigationError> {
        if let Some(problem) = self.problem.as_ref().filter(|_| self.tiles.is_empty()) {
            return Err(problem.clone());
        }
        let path = self.tiles.path(self.local(from), self.local(to));
        path.map(|path| path.moved(self.offset)).map_err(|error| error.moved(self.offset))
    }

    /// The nearest point of the mesh, see [`NavigationTiles::nearest`].
    pub fn nearest(&self, position: [f64; 2]) -> Option<[f64; 2]> {
        self.tiles.nearest(self.local(position)).map(|at| self.world(at))
    }

    /// Whether an agent can stand at a position.
    pub fn contains(&self, position: [f64; 2]) -> bool {
        self.tiles.contains(self.local(position))
    }

    /// Moves an agent on the mesh, see [`NavigationTiles::slide`].
    pub fn slide(&self, from: [f64; 2], to: [f64; 2]) -> Option<[f64; 2]> {
        self.tiles.slide(self.local(from), self.local(to)).map(|at| self.world(at))
    }

    /// The tile at a position.
    pub fn key_at(&self, position: [f64; 2]) -> TileKey {
        TileKey::at(self.local(position), self.tiles.agent().cell_size)
    }

    fn local(&self, position: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|k| position[k] - self.offset[k])
    }

    fn world(&self, position: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|k| position[k] + self.offset[k])
    }
}

/// Limits of [`NavigationSource::range`]. It must also be at most 32 tiles.
pub const RANGE: Limit = Limit::new(
    "range",
    "m",
    [0.0, 8192.0],
    64.0,
    "Distance within which there are tiles of a navigation mesh",
);

/// Put this on agents: the mesh has tiles around them. Tiles that no source needs are dropped.
///
/// Where it is comes from its `Transform` and the
/// [`TerrainOrigin`](bevy_orogeny::TerrainOrigin), or from the
/// [`WorldPosition`](bevy_orogeny::WorldPosition) of the topmost entity above it, so it may be
/// anywhere in the world. Sources of a flock share tiles; one source at its middle will do, too.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[require(Transform)]
pub struct NavigationSource {
    /// The entity of the [`NavigationMesh`](crate::NavigationMesh).
    pub mesh: Entity,
    /// The distance within which there are tiles, in metres, see [`RANGE`]. At most 32 tiles: 512 m
    /// with cells of 0.25 m. Goals must be within it.
    pub range: f64,
}

impl NavigationSource {
    /// The largest range in tiles, which bounds their number to 3,500 for each source.
    pub(crate) const MAX_TILES: f64 = 32.0;

    /// A source of a mesh with the default range.
    pub fn new(mesh: Entity) -> Self {
        Self { mesh, range: RANGE.default }
    }
}
