//! Why a query has no answer.

use orogeny::limits::OutOfLimits;

use crate::terrain::TerrainError;

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// A position or a level of detail is outside its limits.
    #[error("{0}")]
    OutOfLimits(#[from] OutOfLimits),
    /// There is no ground: the field has no finite height at the position itself, or at a vertex of
    /// the triangle there. Chunks and colliders have a hole.
    #[error("there is no ground at {position:?}")]
    NoGround {
        /// The position, as x and z in metres.
        position: [f64; 2],
    },
    /// The field has a height at the position, but its slope or curvature is not finite.
    #[error("the field's slope or curvature is not finite at {position:?}")]
    NotFinite {
        /// The position, as x and z in metres.
        position: [f64; 2],
    },
    /// The entity is not a terrain, or the world has none.
    #[error("there is no such terrain")]
    NoTerrain,
    /// The world has several terrains.
    #[error("there are several terrains: name one, or take the highest")]
    Several,
    /// The terrain's ground is not loaded yet.
    #[error("the terrain's ground is not loaded yet")]
    Loading,
    /// The terrain's settings are not valid, and there were none before.
    #[error("the terrain is not valid: {0}")]
    Terrain(TerrainError),
    /// The terrain is rotated, scaled or too far away, so it has no chunks.
    #[error("the terrain is rotated, scaled, or not within 1e15 m")]
    Transformed,
    /// The app lacks [`TerrainPlugins`](crate::TerrainPlugins), or Bevy's `AssetPlugin`, without
    /// which that does nothing.
    #[error(
        "terrain is not running: add Bevy's AssetPlugin (or DefaultPlugins), then TerrainPlugins"
    )]
    NotRunning,
}

impl From<TerrainError> for QueryError {
    fn from(error: TerrainError) -> Self {
        match error {
            TerrainError::Loading => Self::Loading,
            error => Self::Terrain(error),
        }
    }
}
