#![doc = include_str!("../README.md")]

mod budget;
mod chunk;
mod display;
#[cfg(feature = "render")]
mod material;
mod mesh;
mod plugin;
mod preset;
mod problems;
mod select;
mod streaming;
mod systems;
mod terrain;
mod viewer;

pub use budget::{TerrainBudget, TerrainStats};
pub use chunk::{Chunk, ChunkKey, Layout, MAX_LOD};
pub use display::display;
#[cfg(feature = "render")]
pub use material::{GroundBands, TerrainMaterial, TerrainMaterialPlugin};
pub use mesh::{ChunkMesh, HeightField, build, normal, triangles};
pub use orogeny;
pub use plugin::TerrainPlugin;
pub use preset::{Preset, PresetError, PresetLoader, TerrainPreset};
pub use problems::{TerrainProblem, TerrainProblems};
pub use select::{RANGE, Selection, View, select};
pub use systems::TerrainSystems;
pub use terrain::{CELLS, Ground, SPACING, Terrain, TerrainError};
pub use viewer::{DETAIL, PLACE, TerrainViewer, VIEW_RANGE};

/// The workspace has no library of its own to test its README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct WorkspaceReadme;
