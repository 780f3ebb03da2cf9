//! A path, and why there is none.

use bevy_orogeny::advanced::QueryError;
use bevy_orogeny::orogeny::limits::OutOfLimits;

use crate::search::distance;
use crate::tile::TileError;

/// The shortest path through the polygons that the search has found: straight lines between
/// corners.
#[derive(Clone, Debug, PartialEq)]
pub struct NavigationPath {
    corners: Vec<[f64; 2]>,
}

impl NavigationPath {
    pub(crate) fn new(corners: Vec<[f64; 2]>) -> Self {
        Self { corners }
    }

    /// The straight way between two points, wherever it leads: where a game knows better.
    pub fn straight(from: [f64; 2], to: [f64; 2]) -> Self {
        Self::new(if from == to { vec![from] } else { vec![from, to] })
    }

    /// The start, each corner, and the end: (x, z) in metres. The ground at each has a height, see
    /// [`TerrainGround::surface`](bevy_orogeny::TerrainGround::surface). At least one point; the
    /// start alone if it is the goal.
    pub fn corners(&self) -> &[[f64; 2]] {
        &self.corners
    }

    /// Its length on the map in metres.
    pub fn length(&self) -> f64 {
        self.lines().map(|(from, to)| distance(from, to)).sum()
    }

    /// The point at a distance along it, in metres from the start; its ends beyond them. NaN counts
    /// as 0.
    pub fn at(&self, along: f64) -> [f64; 2] {
        let mut rest = along.max(0.0);
        for (from, to) in self.lines() {
            let length = distance(from, to);
            if rest < length {
                return [0, 1].map(|k| from[k] + (to[k] - from[k]) * (rest / length));
            }
            rest -= length;
        }
        self.corners.last().copied().unwrap_or_default()
    }

    /// Points along it that are at most `step` metres apart, with both ends. A step that is not
    /// positive counts as a metre.
    pub fn points(&self, step: f64) -> impl Iterator<Item = [f64; 2]> {
        let step = if step > 0.0 { step } else { 1.0 };
        let first = self.corners.first().copied();
        first.into_iter().chain(self.lines().flat_map(move |(from, to)| {
            let count = (distance(from, to) / step).ceil().clamp(1.0, 1e9) as u32;
            (1..=count).map(move |i| {
                let part = f64::from(i) / f64::from(count);
                [0, 1].map(|k| from[k] + (to[k] - from[k]) * part)
            })
        }))
    }

    fn lines(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
        self.corners.windows(2).map(|pair| (pair[0], pair[1]))
    }

    /// The same path, moved.
    pub(crate) fn moved(mut self, [x, z]: [f64; 2]) -> Self {
        for corner in &mut self.corners {
            *corner = [corner[0] + x, corner[1] + z];
        }
        self
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_along_the_path() {
        let path = NavigationPath::new(vec![[0.0, 0.0], [3.0, 4.0], [3.0, 10.0]]);
        assert_eq!(path.length(), 11.0);
        assert_eq!(path.at(2.5), [1.5, 2.0]);
        assert_eq!(path.at(7.0), [3.0, 6.0]);
        assert_eq!((path.at(f64::NAN), path.at(1e9)), ([0.0; 2], [3.0, 10.0]));
        let points: Vec<_> = path.points(0.25).collect();
        assert_eq!(points.len(), 1 + 20 + 24);
        assert!(points.windows(2).all(|pair| distance(pair[0], pair[1]) < 0.2501));
        assert_eq!(NavigationPath::new(vec![[1.0; 2]]).points(0.0).count(), 1);
    }
}
