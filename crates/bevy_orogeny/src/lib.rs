// The README's links are files beside it. Here they are what these lines say: of several
// definitions of a link the first wins. Links to what is in `advanced` are only here, since GitHub
// has none.
#![cfg_attr(doc, doc = concat!(
    "[alpine]: ", env!("CARGO_PKG_REPOSITORY"), "/raw/v", env!("CARGO_PKG_VERSION"),
    "/crates/bevy_orogeny/pictures/alpine.png\n",
    "[performance]: docs::performance\n",
    "[coming]: docs::coming_from_other_engines\n",
    "[edge_cases]: docs::edge_cases\n",
    "[floating_origin]: docs::floating_origin\n",
    "[materials]: docs::materials\n",
    "[`DerivedEntity`]: advanced::DerivedEntity\n",
    "[`HoldFrameTime`]: advanced::HoldFrameTime\n",
    "[`PhysicsEngine`]: advanced::PhysicsEngine\n",
    "[`StreamTerrain`]: advanced::StreamTerrain\n",
    "[`Submerged`]: advanced::Submerged\n",
    "[`TerrainBudget`]: advanced::TerrainBudget\n",
    "[`TerrainGizmos`]: advanced::TerrainGizmos\n",
    "[`TerrainMaterialPlugin`]: advanced::TerrainMaterialPlugin\n",
    "[`TerrainStats`]: advanced::TerrainStats\n",
    "[`TerrainSystems`]: advanced::TerrainSystems\n",
    "[`WalkerObstacle`]: advanced::WalkerObstacle\n",
    "[`display_cut::display`]: advanced::display_cut::display\n",
    "[`selection::select`]: advanced::selection::select\n",
))]
#![doc = include_str!("../README.md")]

pub mod advanced;
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
mod slices;
mod standing;
mod stream;
mod streaming;
mod terrain;
#[cfg(test)]
mod tests;
#[cfg(feature = "water")]
mod water;

pub use base::events::{GroundEdited, GroundReady, TerrainChanged, TerrainReady};
pub use base::origin::TerrainOrigin;
pub use base::problems::TerrainProblems;
pub use base::world_position::WorldPosition;
pub use colliders::source::TerrainColliderSource;
#[cfg(feature = "render")]
pub use ground::ground_textures::{GroundMaterial, GroundTextures};
pub use lod::quality::TerrainQuality;
pub use lod::viewer::TerrainViewer;
pub use orogeny;
#[cfg(feature = "plants")]
pub use plants::own::plant_model::{PlantModel, PlantModels};
pub use plugin::TerrainPlugins;
pub use query::GroundQuery;
pub use query::ground_editor::GroundEditor;
pub use query::terrain_editor::{EditApplied, TerrainEditor};
pub use query::terrain_ground::TerrainGround;
pub use query::terrain_query::TerrainQuery;
pub use standing::spawn_on_ground::SpawnOnGround;
pub use standing::walk::{TerrainWalker, walk};
pub use terrain::preset::TerrainPreset;
pub use terrain::{Ground, Terrain, TerrainEdits};

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
