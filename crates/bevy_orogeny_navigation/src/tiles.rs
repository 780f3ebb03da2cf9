//! All tiles of a navigation mesh, and paths on them.

use std::sync::Arc;

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny::orogeny::limits::OutOfLimits;
use bevy_platform::collections::HashMap;

use crate::agent::NavigationAgent;
use crate::key::TileKey;
use crate::obstacle::Obstacle;
use crate::path::{NavigationError, NavigationPath};
use crate::search::corridor::{self, Corridor};
use crate::search::{Located, Node, Point, View};
use crate::tile::NavigationTile;

/// The tiles of a navigation mesh for one kind of agent. Needs no `App`: a server or a task can
/// build tiles and find paths. Clones share their tiles.
///
/// Positions are (x, z) in metres from the terrain's origin. Tiles join by themselves, so one can
/// be replaced without a look at its neighbours.
///
/// ```
/// use bevy_orogeny::orogeny::Region;
/// use bevy_orogeny::{GroundQuery, Terrain};
/// use bevy_orogeny_navigation::{NavigationAgent, NavigationTiles};
///
/// let ground = GroundQuery::of(&Terrain::default())?;
/// let mut tiles = NavigationTiles::new(NavigationAgent::default())?;
/// tiles.build(&ground, Region::around([300.0, 0.0], [30.0; 2]));
/// match tiles.path([290.0, -10.0], [310.0, 20.0]) {
///     Ok(path) => println!("{:.0} m to go", path.length()),
///     Err(error) => println!("no path: {error}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NavigationTiles {
    agent: NavigationAgent,
    tiles: HashMap<TileKey, Arc<NavigationTile>>,
}

impl NavigationTiles {
    /// The maximum number of polygons that a search visits, which bounds its time and memory. Tiles
    /// in woods have some 40 polygons, so it covers a range of 512 m with cells of 0.25 m.
    pub const MAX_VISITED: usize = 200_000;

    /// No tiles yet, for a kind of agent.
    ///
    /// # Errors
    /// A number of the agent that is outside its limits.
    pub fn new(agent: NavigationAgent) -> Result<Self, OutOfLimits> {
        agent.check()?;
        Ok(Self { agent, tiles: HashMap::default() })
    }

    /// The kind of agent.
    pub fn agent(&self) -> &NavigationAgent {
        &self.agent
    }

    /// The tile of a square, if it exists.
    pub fn tile(&self, key: TileKey) -> Option<&NavigationTile> {
        self.tiles.get(&key).map(Arc::as_ref)
    }

    /// All tiles, in any order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<NavigationTile>> {
        self.tiles.values()
    }

    /// The number of tiles.
    pub fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Whether there is no tile.
    pub fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// Builds all tiles that meet a finite region of a ground, at once and on this thread.
    pub fn build(&mut self, ground: &GroundQuery, region: Region) {
        self.build_around(ground, &[], region);
    }

    /// Builds them around obstacles.
    pub fn build_around(&mut self, ground: &GroundQuery, obstacles: &[Obstacle], region: Region) {
        let ends = [region.min, region.max];
        if region.is_empty() || !ends.as_flattened().iter().all(|x| x.is_finite()) {
            return;
        }
        for key in TileKey::within(region, self.agent.cell_size) {
            let footprint = self.footprint(key);
            let near = obstacles.iter().filter(|it| it.region().meets(&footprint));
            let near: Vec<_> = near.copied().collect();
            self.insert(NavigationTile::build_around(ground, &self.agent, &near, key));
        }
    }

    /// Adds a tile, or replaces the one of its square. It must be built for the same agent.
    pub fn insert(&mut self, tile: impl Into<Arc<NavigationTile>>) {
        let tile = tile.into();
        self.tiles.insert(tile.key(), tile);
    }

    /// Removes a tile. Returns whether it existed.
    pub fn remove(&mut self, key: TileKey) -> bool {
        self.tiles.remove(&key).is_some()
    }

    /// A region that contains all ground that a tile samples: its square, and as far around it as
    /// what blocks agents can matter. Trunks and rocks that stand farther out may reach into it.
    pub fn footprint(&self, key: TileKey) -> Region {
        key.square(self.agent.cell_size).grown(self.margin())
    }

    /// How far the ground around the square of a tile matters to it, in metres.
    pub(crate) fn margin(&self) -> f64 {
        self.agent.radius + 4.0 * self.agent.cell_size
    }

    /// The shortest path that the search finds. It starts and ends at the nearest points of the
    /// mesh, up to [`NavigationAgent::snap`] away. It never comes nearer than
    /// [`NavigationAgent::radius`] to anything that blocks agents, apart from what is finer than a
    /// cell.
    ///
    /// # Errors
    /// A position outside [`POSITION`](bevy_orogeny::advanced::POSITION); a start or a goal without
    /// a tile, or that is not walkable; a goal that cannot be reached; and one behind more than
    /// [`MAX_VISITED`](Self::MAX_VISITED) polygons.
    pub fn path(&self, from: Point, to: Point) -> Result<NavigationPath, NavigationError> {
        for coordinate in [from, to].as_flattened() {
            bevy_orogeny::advanced::POSITION.check(*coordinate)?;
        }
        let view = View::new(self, from);
        let origin = view.origin();
        let local = |p: Point| [p[0] - origin[0], p[1] - origin[1]];
        let snap = self.agent.snap;
        let (start, first) = self.locate(&view, local(from), from).map_err(|lost| match lost {
            Lost::OutsideTiles => NavigationError::StartOutsideTiles(from),
            Lost::OffMesh => NavigationError::StartOffMesh { position: from, snap },
            Lost::Other(error) => error,
        })?;
        let (goal, last) = self.locate(&view, local(to), to).map_err(|lost| match lost {
            Lost::OutsideTiles => NavigationError::GoalOutsideTiles(to),
            Lost::OffMesh => NavigationError::GoalOffMesh { position: to, snap },
            Lost::Other(error) => error,
        })?;
        match corridor::search(&view, (start, &first), (goal, &last), Self::MAX_VISITED) {
            Corridor::Found(gates) => {
                let mut corners = corridor::pull(start, goal, &gates);
                corridor::straighten(&view, &mut corners);
                Ok(NavigationPath::new(corners).moved(origin))
            }
            Corridor::Blocked { nearest: [x, z], is_open } => {
                Err(NavigationError::NoPath { nearest: [x + origin[0], z + origin[1]], is_open })
            }
            Corridor::TooFar => Err(NavigationError::TooFar { max: Self::MAX_VISITED }),
        }
    }

    /// The point of the mesh that is nearest to a position, up to [`NavigationAgent::snap`] away:
    /// the position itself where it is walkable.
    pub fn nearest(&self, position: Point) -> Option<Point> {
        let (view, origin, local) = self.local(position)?;
        match view.locate(local, self.agent.snap, self.agent.cell_size) {
            Located::At(at, _) if at == local => Some(position),
            Located::At(at, _) => Some([at[0] + origin[0], at[1] + origin[1]]),
            _ => None,
        }
    }

    /// Whether an agent can stand at a position. At the border of a tile the polygons on both sides
    /// count.
    pub fn contains(&self, position: Point) -> bool {
        self.local(position).is_some_and(|(view, _, local)| !view.all_at(local).is_empty())
    }

    /// Moves an agent towards a position on the mesh, and along the edges of the mesh on its way:
    /// for steering that may push it off its path. One that starts off the mesh is first put on the
    /// nearest point of it, up to [`NavigationAgent::snap`] away.
    ///
    /// `None` where there is no mesh.
    pub fn slide(&self, from: Point, to: Point) -> Option<Point> {
        let (view, origin, local) = self.local(from)?;
        let Located::At(start, node) = view.locate(local, self.agent.snap, self.agent.cell_size)
        else {
            return None;
        };
        let target = [to[0] - origin[0], to[1] - origin[1]];
        let target = if target.iter().all(|x| x.is_finite()) { target } else { start };
        let [x, z] = view.slide(start, node, target);
        Some([x + origin[0], z + origin[1]])
    }

    fn local(&self, position: Point) -> Option<(View<'_>, Point, Point)> {
        position.iter().try_for_each(|x| bevy_orogeny::advanced::POSITION.check(*x)).ok()?;
        let view = View::new(self, position);
        let origin = view.origin();
        Some((view, origin, [position[0] - origin[0], position[1] - origin[1]]))
    }

    /// The point of the mesh at or near a position, with all polygons there.
    fn locate(
        &self,
        view: &View,
        local: Point,
        position: Point,
    ) -> Result<(Point, Vec<Node>), Lost> {
        match view.locate(local, self.agent.snap, self.agent.cell_size) {
            Located::At(at, node) => {
                let mut nodes = view.all_at(at);
                if !nodes.contains(&node) {
                    nodes.push(node);
                }
                Ok((at, nodes))
            }
            Located::OutsideTiles => Err(Lost::OutsideTiles),
            Located::OffMesh => Err(Lost::OffMesh),
            Located::Broken(error) => Err(Lost::Other(NavigationError::Tile { position, error })),
        }
    }
}

/// Why a point was not located.
enum Lost {
    OutsideTiles,
    OffMesh,
    Other(NavigationError),
}
