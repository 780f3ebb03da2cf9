#![doc = include_str!("../README.md")]

mod budget;
mod chunk;
mod collider_source;
mod colliders;
mod curvature;
pub mod display;
mod events;
#[cfg(feature = "render")]
pub mod geomorph;
#[cfg(feature = "render")]
mod ground_cover;
mod levels;
#[cfg(feature = "render")]
mod material;
mod mesh;
pub mod morph;
mod origin;
mod placing;
mod plugin;
mod preset;
mod problems;
mod query;
#[cfg(feature = "render")]
mod sea;
mod seams;
pub mod select;
mod spawn_on_ground;
mod streaming;
mod systems;
mod terrain;
mod terrain_query;
#[cfg(test)]
mod tests;
mod triangles;
mod viewer;
mod walk;

pub use budget::{TerrainBudget, TerrainStats};
pub use chunk::{Chunk, ChunkKey, Layout, MAX_LOD};
pub use collider_source::{ColliderTile, TerrainColliderSource};
#[cfg(feature = "avian")]
pub use colliders::Avian;
#[cfg(feature = "rapier")]
pub use colliders::Rapier;
pub use colliders::{PhysicsEngine, TerrainColliderPlugin, TerrainColliderSystems, Tile};
pub use curvature::ATTRIBUTE_CURVATURE;
pub use events::{ChunkReady, ChunkRemoved, GroundReady, TerrainReady};
#[cfg(feature = "render")]
pub use ground_cover::{GroundCover, TerrainMaterial};
pub use levels::LevelErrors;
#[cfg(feature = "render")]
pub use material::TerrainMaterialPlugin;
pub use mesh::{ATTRIBUTE_TARGET, ChunkBuilder, ChunkMesh, HeightField, normal};
pub use origin::{MovesWithOrigin, ORIGIN_STEP, OriginMoved, TerrainOrigin};
pub use orogeny;
pub use plugin::TerrainPlugin;
pub use preset::{Preset, PresetError, PresetLoader, TerrainPreset};
pub use problems::{TerrainProblem, TerrainProblems};
pub use query::{GroundQuery, QueryError};
#[cfg(feature = "render")]
pub use sea::{Sea, SeaMaterial, Waves};
pub use seams::Seams;
pub use spawn_on_ground::{NoPlace, SpawnOnGround};
pub use systems::{StreamTerrain, TerrainSystems};
pub use terrain::{Appearance, CELLS, Ground, SPACING, Terrain, TerrainError};
pub use terrain_query::{TerrainGround, TerrainQuery};
pub use viewer::{PIXEL_ERROR, PLACE, TerrainViewer, VIEW_RANGE};
pub use walk::{TerrainWalker, walk};

/// The workspace has no library of its own to test its README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct WorkspaceReadme;
