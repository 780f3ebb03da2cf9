// The README's links are files beside it. Here they are what these lines say: of several
// definitions of a link the first wins.
#![cfg_attr(doc, doc = concat!(
    "[alpine]: ", env!("CARGO_PKG_REPOSITORY"), "/raw/v", env!("CARGO_PKG_VERSION"),
    "/crates/bevy_orogeny/pictures/alpine.png\n",
    "[performance]: docs::performance\n",
    "[coming]: docs::coming_from_other_engines\n",
    "[edge_cases]: docs::edge_cases\n",
    "[floating_origin]: docs::floating_origin\n",
    "[materials]: docs::materials\n",
))]
#![doc = include_str!("../README.md")]

mod base;
mod chunk;
mod colliders;
#[cfg(feature = "render")]
mod ground;
#[cfg(feature = "render")]
mod images;
mod lod;
#[cfg(feature = "plants")]
mod plants;
mod plugin;
pub mod prelude;
mod query;
#[cfg(feature = "render")]
mod render;
mod scatter;
pub mod slices;
mod standing;
// For crates with tiles of their own, too.
#[doc(hidden)]
pub mod stream;
mod streaming;
mod terrain;
#[cfg(test)]
mod tests;
#[cfg(feature = "water")]
mod water;

pub use base::anchor::FollowTerrainOrigin;
pub use base::budget::{TerrainBudget, TerrainStats};
pub use base::derived::DerivedEntity;
pub use base::events::{
    ChunkReady, ChunkRemoved, GroundEdited, GroundReady, TerrainChanged, TerrainReady,
};
pub use base::origin::{ORIGIN_STEP, OriginMoved, TerrainOrigin};
// For crates that follow obstacles, too.
#[doc(hidden)]
pub use base::places::{Place, Places};
pub use base::problems::{SpawnOnGroundError, TerrainProblem, TerrainProblems};
pub use base::query_error::QueryError;
pub use base::schedule::{StreamTerrain, TerrainSystems};
pub use base::world_position::WorldPosition;
pub use chunk::climate::ATTRIBUTE_CLIMATE;
pub use chunk::curvature::ATTRIBUTE_CURVATURE;
pub use chunk::height_field::{HeightField, normal};
pub use chunk::key::{Chunk, ChunkKey, Layout, MAX_LOD};
pub use chunk::mesh::{ChunkBuilder, ChunkMesh};
pub use chunk::morph;
pub use chunk::paint::{ATTRIBUTE_PAINT, ATTRIBUTE_TARGET_PAINT};
pub use chunk::seams::Seams;
pub use chunk::vertex::{ATTRIBUTE_VERTEX, ChunkVertex};
pub use chunk::void::VoidSurface;
pub use chunk::water_surface::WaterSurface;
pub use colliders::source::{ColliderSolids, ColliderTile, TerrainColliderSource};
pub use colliders::{PhysicsEngine, Solid, TerrainColliderPlugin, TerrainColliderSystems, Tile};
#[cfg(feature = "render")]
pub use ground::ground_textures::GroundTexturesProgress;
#[cfg(feature = "render")]
pub use ground::ground_textures::{GroundMaterial, GroundMaterialError, GroundMaterialLoader};
#[cfg(feature = "render")]
pub use ground::ground_textures::{GroundTextures, GroundTexturesReady};
#[cfg(feature = "render")]
pub use ground::terrain_material::{GroundCover, TerrainMaterial};
pub use lod::hold_frame_time::HoldFrameTime;
pub use lod::level_errors::LevelErrors;
pub use lod::quality::TerrainQuality;
pub use lod::viewer::{PIXEL_ERROR, POSITION, TerrainViewer, VIEW_RANGE};
pub use lod::{display_cut, selection};
pub use orogeny;
pub use orogeny::Appearance;
#[cfg(feature = "plants")]
pub use plants::gpu::drawn::{DrawnInView, DrawnPlants};
#[cfg(feature = "plants")]
pub use plants::gpu::wind::BendsPlants;
#[cfg(feature = "plants")]
pub use plants::material::PlantMaterial;
#[cfg(feature = "plants")]
pub use plants::own::plant_model::{
    PlantModel, PlantModelState, PlantModels, PlantPart, PlantSource, PlantSway,
};
#[cfg(feature = "render")]
pub use plugin::TerrainGroundPlugin;
#[cfg(feature = "picking")]
pub use plugin::TerrainPickingPlugin;
#[cfg(feature = "plants")]
pub use plugin::TerrainPlantsPlugin;
#[cfg(feature = "water")]
pub use plugin::TerrainWaterPlugin;
pub use plugin::{TerrainPlugins, TerrainStreamingPlugin};
pub use query::GroundQuery;
pub use query::ground_editor::GroundEditor;
#[cfg(feature = "gizmos")]
pub use query::ground_gizmos::TerrainGizmos;
pub use query::terrain_editor::{EditApplied, EditAuthor, TerrainEditor};
pub use query::terrain_ground::TerrainGround;
pub use query::terrain_query::TerrainQuery;
pub use query::terrains::Terrains;
#[cfg(feature = "render")]
pub use render::geomorph;
#[cfg(feature = "render")]
pub use render::material_plugin::TerrainMaterialPlugin;
#[cfg(feature = "render")]
pub use render::void::{VoidAppearance, VoidMaterial};
#[cfg(any(feature = "plants", feature = "water"))]
pub use render::wind::TerrainWind;
pub use scatter::spawn::{ScatterInstance, ScatterSpawner, SpawnedKinds};
pub use scatter::{ScatterStats, ScatterTile};
pub use standing::obstacle::WalkerObstacle;
pub use standing::spawn_on_ground::SpawnOnGround;
pub use standing::walk::{TerrainWalker, WalkerMotion, walk};
pub use streaming::chunk_entity::{ChunkVoid, ChunkWater};
pub use terrain::preset::{
    Preset, PresetError, PresetLoader, TerrainPreset, TerrainPresetTemplate,
};
pub use terrain::{CELLS, Ground, SCATTER_DENSITY, SPACING, Terrain, TerrainEdits, TerrainError};
#[cfg(feature = "water")]
pub use water::material::WaterOptics;
#[cfg(feature = "water")]
pub use water::rivers::{RiverAppearance, RiverMaterial, RiverWater};
#[cfg(feature = "water")]
pub use water::sea::{Sea, SeaMaterial, SeaWater};
#[cfg(feature = "water")]
pub use water::submerged::Submerged;

/// Pages about other engines, costs, edge cases and materials. They are included here so that
/// their examples are tested.
#[cfg(any(doc, doctest))]
pub mod docs {
    #[cfg_attr(doc, doc = "[readme]: crate")]
    #[cfg_attr(doc, doc = "[materials]: crate::docs::materials")]
    #[doc = include_str!("../docs/coming_from_other_engines.md")]
    pub mod coming_from_other_engines {}
    #[doc = include_str!("../docs/edge_cases.md")]
    pub mod edge_cases {}
    #[doc = include_str!("../docs/floating_origin.md")]
    pub mod floating_origin {}
    #[doc = include_str!("../docs/materials.md")]
    pub mod materials {}
    #[doc = include_str!("../docs/performance.md")]
    pub mod performance {}
}
