//! Why there is no path.

use bevy_orogeny::QueryError;
use bevy_orogeny::orogeny::limits::OutOfLimits;

use crate::tile::TileError;

/// Why there is no path, or no mesh. Positions are (x, z) in metres, as they were asked for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NavigationError {
    /// A number of the agent, of a source or of a position is outside its limits.
    #[error("{0}")]
    OutOfLimits(#[from] OutOfLimits),
    /// The terrain has no ground, or there is no such terrain.
    #[error("{0}")]
    Ground(#[from] QueryError),
    /// There is no tile at the start: no [`NavigationSource`](crate::NavigationSource) is near, or
    /// the tile is still being built.
    #[error("the start {0:?} is outside the tiles that exist")]
    StartOutsideTiles([f64; 2]),
    /// There is no tile at the goal.
    #[error("the goal {0:?} is outside the tiles that exist")]
    GoalOutsideTiles([f64; 2]),
    /// The start is not walkable, nor is any point within
    /// [`NavigationAgent::snap`](crate::NavigationAgent::snap).
    #[error("the start {position:?} is not walkable, nor is the ground within {snap} m of it")]
    StartOffMesh {
        /// The start.
        position: [f64; 2],
        /// How far was searched, in metres.
        snap: f64,
    },
    /// The goal is not walkable, nor is any point near it.
    #[error("the goal {position:?} is not walkable, nor is the ground within {snap} m of it")]
    GoalOffMesh {
        /// The goal.
        position: [f64; 2],
        /// How far was searched, in metres.
        snap: f64,
    },
    /// No walkable ground connects the start with the goal.
    #[error(
        "no path on the tiles that exist; {nearest:?} is the nearest point to the goal{}",
        if *is_open { ". There may be one outside them" } else { "" }
    )]
    NoPath {
        /// The point that can be reached and is nearest to the goal.
        nearest: [f64; 2],
        /// Whether what can be reached ends where tiles are missing, so that there may be a path
        /// through these.
        is_open: bool,
    },
    /// The search has visited [`MAX_VISITED`](crate::NavigationTiles::MAX_VISITED) polygons.
    #[error("the search has visited {max} polygons without an end: the goal is too far away")]
    TooFar {
        /// The limit.
        max: usize,
    },
    /// The tile at the start or at the goal could not be built.
    #[error("the tile at {position:?} could not be built: {error}")]
    Tile {
        /// A position on it.
        position: [f64; 2],
        /// Why.
        error: TileError,
    },
}

impl NavigationError {
    /// The same, with positions that are moved.
    pub(crate) fn moved(mut self, by: [f64; 2]) -> Self {
        use NavigationError::*;
        let position = match &mut self {
            StartOutsideTiles(position) | GoalOutsideTiles(position) => position,
            StartOffMesh { position, .. } | GoalOffMesh { position, .. } => position,
            NoPath { nearest, .. } => nearest,
            Tile { position, .. } => position,
            OutOfLimits(_) | Ground(_) | TooFar { .. } => return self,
        };
        *position = [position[0] + by[0], position[1] + by[1]];
        self
    }
}
