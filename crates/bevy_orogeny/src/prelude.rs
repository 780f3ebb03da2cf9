//! What most programs with terrain use: `use bevy_orogeny::prelude::*;`
//!
//! No name here is also in `bevy::prelude`. The nodes and noises of recipes are in [`orogeny`];
//! import the ones that you name, since Bevy has a `Node`, too.

pub use crate::{
    Appearance, EditApplied, Ground, GroundEdited, GroundQuery, GroundReady, Preset, SpawnOnGround,
    Terrain, TerrainBudget, TerrainChanged, TerrainColliderPlugin, TerrainColliderSource,
    TerrainEditor, TerrainEdits, TerrainGround, TerrainOrigin, TerrainPlugins, TerrainPreset,
    TerrainProblems, TerrainQuality, TerrainQuery, TerrainReady, TerrainStats, TerrainViewer,
    TerrainWalker, WalkerMotion, WalkerObstacle, WorldPosition, walk,
};
#[cfg(feature = "render")]
pub use crate::{
    GroundCover, GroundMaterial, GroundTextures, GroundTexturesProgress, GroundTexturesReady,
    TerrainMaterial, TerrainMaterialPlugin,
};
pub use orogeny::cover::CoverKind;

#[cfg(feature = "gizmos")]
pub use crate::TerrainGizmos;
#[cfg(any(feature = "plants", feature = "water"))]
pub use crate::TerrainWind;
#[cfg(feature = "plants")]
pub use crate::{BendsPlants, PlantModel, PlantModels, PlantPart, PlantSway};
