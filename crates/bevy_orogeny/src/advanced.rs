//! What few games name: for materials, chunks and colliders of your own, other engines, and panels.
//!
//! * **Parts of the plugin**, to leave out or replace: [`TerrainStreamingPlugin`],
//!   [`TerrainGroundPlugin`], [`TerrainWaterPlugin`], [`TerrainPlantsPlugin`],
//!   [`TerrainPickingPlugin`]. When they work: [`StreamTerrain`], [`TerrainSystems`],
//!   [`FollowTerrainOrigin`].
//! * **Cost**: [`TerrainBudget`] limits it, [`HoldFrameTime`] chooses a quality by it;
//!   [`TerrainStats`], [`ScatterStats`] and [`DrawnPlants`] (of each [`DrawnInView`]) count.
//!   [`slices`] gives long work turns in a browser.
//! * **Presets**: [`Preset`], [`PresetLoader`], [`PresetError`], [`TerrainPresetTemplate`].
//! * **Queries and edits**: [`Terrains`], [`HeightField`], [`normal`], [`EditAuthor`],
//!   [`TerrainGizmos`].
//! * **Walkers**: [`WalkerMotion`], [`WalkerObstacle`].
//! * **Events**: [`ChunkReady`], [`ChunkRemoved`], [`OriginMoved`].
//! * **Errors**: [`TerrainProblem`], [`TerrainError`], [`QueryError`], [`SpawnOnGroundError`].
//! * **Ground that is drawn**: [`TerrainMaterial`], [`GroundCover`], [`GroundTexturesReady`],
//!   [`GroundTexturesProgress`], [`GroundMaterialLoader`], [`GroundMaterialError`].
//! * **Plants that are drawn**: [`PlantPart`], [`PlantSource`], [`PlantSway`],
//!   [`PlantModelState`], [`BendsPlants`], [`TerrainWind`]. As entities: [`ScatterSpawner`],
//!   [`SpawnedKinds`], [`ScatterInstance`].
//! * **Water that is drawn**: [`Sea`] with [`SeaMaterial`] and its [`SeaWater`]; [`ChunkWater`]
//!   with [`RiverMaterial`] and its [`RiverWater`], all of which share [`RiverAppearance`];
//!   [`WaterOptics`] and [`WaterRings`] of both; [`StirsWater`]; [`Submerged`] cameras.
//! * **Holes that are drawn**: [`ChunkVoid`], [`VoidMaterial`], [`VoidAppearance`].
//! * **Materials of your own**: [`TerrainMaterialPlugin`], [`geomorph`], [`ATTRIBUTE_VERTEX`],
//!   [`ATTRIBUTE_CURVATURE`], [`ATTRIBUTE_PAINT`], [`ATTRIBUTE_TARGET_PAINT`],
//!   [`ATTRIBUTE_CLIMATE`].
//! * **Chunks**: [`Chunk`], [`ChunkKey`] and [`Layout`] say where they are. [`ChunkBuilder`] makes
//!   a [`ChunkMesh`] without an `App`: [`ChunkVertex`], [`Seams`], [`WaterSurface`],
//!   [`VoidSurface`].
//! * **Levels of detail**: [`ChunkErrors`], [`selection`], [`display_cut`], [`morph`], [`MAX_LOD`].
//! * **Colliders for a physics engine**: [`TerrainColliderPlugin`] with a [`PhysicsEngine`];
//!   [`TerrainColliderSystems`], [`Tile`], [`Solid`], [`ColliderTile`], [`ColliderSolids`].
//! * **Saving**: [`DerivedEntity`] marks what a terrain makes.
//! * **Limits of numbers**: [`CELLS`], [`SPACING`], [`SCATTER_DENSITY`], [`PIXEL_ERROR`],
//!   [`VIEW_RANGE`], [`POSITION`], [`ORIGIN_STEP`].

pub use crate::base::anchor::FollowTerrainOrigin;
pub use crate::base::budget::{TerrainBudget, TerrainStats};
pub use crate::base::derived::DerivedEntity;
pub use crate::base::events::{ChunkReady, ChunkRemoved};
pub use crate::base::origin::{ORIGIN_STEP, OriginMoved};
pub use crate::base::problems::{SpawnOnGroundError, TerrainProblem};
pub use crate::base::query_error::QueryError;
pub use crate::base::schedule::{StreamTerrain, TerrainSystems};
pub use crate::chunk::climate::ATTRIBUTE_CLIMATE;
pub use crate::chunk::curvature::ATTRIBUTE_CURVATURE;
pub use crate::chunk::height_field::{HeightField, normal};
pub use crate::chunk::key::{Chunk, ChunkKey, Layout, MAX_LOD};
pub use crate::chunk::mesh::{ChunkBuilder, ChunkMesh};
pub use crate::chunk::morph;
pub use crate::chunk::paint::{ATTRIBUTE_PAINT, ATTRIBUTE_TARGET_PAINT};
pub use crate::chunk::relief::Relief;
pub use crate::chunk::seams::Seams;
pub use crate::chunk::vertex::{ATTRIBUTE_VERTEX, ChunkVertex};
pub use crate::chunk::void::VoidSurface;
pub use crate::chunk::water_surface::WaterSurface;
pub use crate::colliders::source::{ColliderSolids, ColliderTile};
pub use crate::colliders::{
    PhysicsEngine, Solid, TerrainColliderPlugin, TerrainColliderSystems, Tile,
};
pub use crate::lod::chunk_errors::{ChunkErrors, Reach};
pub use crate::lod::hold_frame_time::HoldFrameTime;
pub use crate::lod::viewer::{PIXEL_ERROR, POSITION, VIEW_RANGE};
pub use crate::lod::{display_cut, selection};
#[cfg(feature = "picking")]
pub use crate::plugin::TerrainPickingPlugin;
pub use crate::plugin::TerrainStreamingPlugin;
#[cfg(feature = "gizmos")]
pub use crate::query::ground_gizmos::TerrainGizmos;
pub use crate::query::terrain_editor::EditAuthor;
pub use crate::query::terrains::Terrains;
pub use crate::scatter::ScatterStats;
pub use crate::scatter::spawn::{ScatterInstance, ScatterSpawner, SpawnedKinds};
pub use crate::standing::obstacle::WalkerObstacle;
pub use crate::standing::walk::WalkerMotion;
pub use crate::streaming::chunk_entity::{ChunkVoid, ChunkWater};
pub use crate::terrain::preset::{Preset, PresetError, PresetLoader, TerrainPresetTemplate};
pub use crate::terrain::{CELLS, SCATTER_DENSITY, SPACING, TerrainError};

#[cfg(feature = "render")]
pub use crate::{
    ground::ground_textures::{
        GroundMaterialError, GroundMaterialLoader, GroundTexturesProgress, GroundTexturesReady,
    },
    ground::terrain_material::{GroundCover, TerrainMaterial},
    plugin::TerrainGroundPlugin,
    render::decals::TerrainDecals,
    render::geomorph,
    render::material_plugin::TerrainMaterialPlugin,
    render::void::{VoidAppearance, VoidMaterial},
};

#[cfg(feature = "water")]
pub use crate::{
    plugin::TerrainWaterPlugin,
    water::material::WaterOptics,
    water::rings::{StirsWater, WaterRings},
    water::rivers::{RiverAppearance, RiverMaterial, RiverWater},
    water::sea::{Sea, SeaMaterial, SeaWater},
    water::submerged::Submerged,
};

#[cfg(feature = "plants")]
pub use crate::{
    plants::gpu::drawn::{DrawnInView, DrawnPlants},
    plants::gpu::wind::BendsPlants,
    plants::own::plant_model::{PlantModelState, PlantPart, PlantSource, PlantSway},
    plugin::TerrainPlantsPlugin,
};

#[cfg(any(feature = "plants", feature = "water"))]
pub use crate::render::wind::TerrainWind;

// For the other crates of the project, its tests and benchmarks.
#[doc(hidden)]
pub use crate::base::places::{Place, Places};
#[cfg(feature = "plants")]
#[doc(hidden)]
pub use crate::plants::material::PlantMaterial;
#[doc(hidden)]
pub use crate::scatter::ScatterTile;

pub mod slices {
    //! Tasks in slices, for a browser: there all tasks share one thread with the frames.
    //!
    //! A task begins with [`spawn`], and awaits [`turn`] every few milliseconds of work. In a
    //! browser it pauses there when the tasks have used up their time in this frame,
    //! [`TerrainBudget::task_time`](super::TerrainBudget::task_time), and goes on in the next one,
    //! in the order in which the tasks paused. Elsewhere tasks run on threads of their own, and a
    //! turn comes at once.

    pub use crate::slices::{Pace, spawn, turn};
}

#[doc(hidden)]
pub mod stream {
    pub use crate::stream::*;
}
