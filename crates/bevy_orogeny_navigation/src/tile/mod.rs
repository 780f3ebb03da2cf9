//! A tile: the convex polygons of the walkable ground in a square.
//!
//! Start with [`NavigationTile::build`] below. Its steps: `survey` samples the exact ground with
//! its water, and the banks and beds of rivers more closely; `walkable` keeps the agent's radius
//! from what is blocked, carves out trunks, rocks and obstacles of a game, and cuts what is left
//! into parts without holes; and `polygons` turns these into convex polygons, by Recast's contours
//! and triangulation.

mod polygons;
mod survey;
mod walkable;

use bevy_orogeny::GroundQuery;
use bevy_orogeny::advanced::slices::Pace;
use bevy_orogeny::orogeny::limits::OutOfLimits;
use bevy_tasks::futures::now_or_never;

pub(crate) use self::polygons::{Link, Mesh};
use self::walkable::{Margins, carve, carve_plants, regions};
use crate::agent::NavigationAgent;
use crate::key::TileKey;
use crate::obstacle::Obstacle;

/// How far Recast may move an edge of the mesh while it straightens it, in cells. The clearance is
/// larger by as much, so that edges never come too near.
const SIMPLIFICATION: f64 = 0.8;

/// The navigation mesh of a square of 64 by 64 cells.
///
/// Its vertices are corners of cells, as integers, so tiles are exact anywhere, and neighbours meet
/// without rounding.
#[derive(Clone, Debug, PartialEq)]
pub struct NavigationTile {
    key: TileKey,
    cell_size: f64,
    pub(crate) mesh: Mesh,
    error: Option<TileError>,
}

/// Why a tile could not be built. It is then empty.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TileError {
    /// A number of the agent is outside its limits.
    #[error("{0}")]
    Agent(OutOfLimits),
    /// More trunks may stand there than a query may visit.
    #[error("its trunks and rocks could not be listed: {0}")]
    Solids(OutOfLimits),
    /// It is too far away: beyond [`POSITION`](bevy_orogeny::advanced::POSITION).
    #[error("{0}")]
    Position(OutOfLimits),
    /// Recast could not triangulate its contours.
    #[error("its polygons could not be triangulated: {0}")]
    Polygons(String),
}

impl NavigationTile {
    /// Builds a tile of the exact ground: of [`GroundQuery::field`], with its edits. Takes some
    /// milliseconds.
    ///
    /// A tile that could not be built is empty and has an [`error`](Self::error). So is one for an
    /// agent that fails its [check](NavigationAgent::check).
    pub fn build(ground: &GroundQuery, agent: &NavigationAgent, key: TileKey) -> Self {
        Self::build_around(ground, agent, &[], key)
    }

    /// Builds a tile as [`build`](Self::build) does, around obstacles. Those that are too far away
    /// to matter and those that are not [valid](Obstacle::is_valid) change nothing.
    pub fn build_around(
        ground: &GroundQuery,
        agent: &NavigationAgent,
        obstacles: &[Obstacle],
        key: TileKey,
    ) -> Self {
        let built = now_or_never(Self::build_at(ground, agent, obstacles, key, Pace::AtOnce));
        built.expect("it awaits no turns")
    }

    /// Builds the same tile in a task.
    pub(crate) async fn build_in_turns(
        ground: &GroundQuery,
        agent: &NavigationAgent,
        obstacles: &[Obstacle],
        key: TileKey,
    ) -> Self {
        Self::build_at(ground, agent, obstacles, key, Pace::InTurns).await
    }

    async fn build_at(
        ground: &GroundQuery,
        agent: &NavigationAgent,
        obstacles: &[Obstacle],
        key: TileKey,
        pace: Pace,
    ) -> Self {
        let cell_size = agent.cell_size;
        let (mesh, error) = match Self::steps(ground, agent, obstacles, key, pace).await {
            Ok(mesh) => (mesh, None),
            Err(error) => (Mesh::default(), Some(error)),
        };
        Self { key, cell_size, mesh, error }
    }

    /// The steps of a tile. Each is bounded by the number of cells.
    async fn steps(
        ground: &GroundQuery,
        agent: &NavigationAgent,
        obstacles: &[Obstacle],
        key: TileKey,
        pace: Pace,
    ) -> Result<Mesh, TileError> {
        agent.check().map_err(TileError::Agent)?;
        for coordinate in key.corner(agent.cell_size) {
            bevy_orogeny::advanced::POSITION.check(coordinate).map_err(TileError::Position)?;
        }
        let margins = Margins::of(agent);
        let survey = survey::survey(ground, agent, key, &margins, pace).await;
        pace.turn().await;
        let mut walkable = walkable::walkable(&survey.blocked, &margins);
        if walkable.is_empty() {
            return Ok(Mesh::default());
        }
        carve_plants(ground, agent, key, &margins, &mut walkable, pace).await?;
        pace.turn().await;
        for obstacle in obstacles.iter().filter(|it| it.is_valid()) {
            carve(obstacle, agent, key, &margins, &survey.heights, &mut walkable);
        }
        let regions = regions(&walkable);
        polygons::polygons(&walkable, &regions).map_err(TileError::Polygons)
    }

    /// Which square it covers.
    pub fn key(&self) -> TileKey {
        self.key
    }

    /// Why it could not be built.
    pub fn error(&self) -> Option<&TileError> {
        self.error.as_ref()
    }

    /// The number of its polygons: 0 where nothing is walkable.
    pub fn polygon_count(&self) -> usize {
        self.mesh.polygon_count()
    }

    /// The corners (x, z) of each polygon in metres from [`corner`](Self::corner), to draw them.
    /// Polygons are convex, and their corners run from x to z.
    pub fn polygons(&self) -> impl Iterator<Item = Vec<[f64; 2]>> {
        (0..self.mesh.polygon_count() as u16).map(|polygon| {
            let corners = self.mesh.corners(polygon);
            corners.map(|cells| cells.map(|c| f64::from(c) * self.cell_size)).collect()
        })
    }

    /// The corner (x, z) of its square with the smallest coordinates, in metres from the terrain's
    /// origin.
    pub fn corner(&self) -> [f64; 2] {
        self.key.corner(self.cell_size)
    }
}
