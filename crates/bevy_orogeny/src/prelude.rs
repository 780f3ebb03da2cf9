//! What most programs with terrain use: `use bevy_orogeny::prelude::*;`
//!
//! No name here is also in `bevy::prelude`. The nodes and noises of recipes are in [`orogeny`];
//! import the ones that you name, since Bevy has a `Node`, too.

pub use crate::{
    Appearance, EditApplied, Ground, GroundEdited, GroundQuery, GroundReady, Preset, SpawnOnGround,
    Terrain, TerrainBudget, TerrainColliderPlugin, TerrainColliderSource, TerrainEditor,
    TerrainEdits, TerrainGround, TerrainOrigin, TerrainPlugin, TerrainPreset, TerrainProblems,
    TerrainQuality, TerrainQuery, TerrainReady, TerrainStats, TerrainViewer, TerrainWalker,
    WorldPosition, walk,
};
#[cfg(feature = "render")]
pub use crate::{
    BendsPlants, GroundCover, GroundMaterial, GroundTextures, GroundTexturesProgress,
    GroundTexturesReady, PlantModel, PlantModels, PlantSway, TerrainMaterial,
    TerrainMaterialPlugin, TerrainWind,
};
