//! What most programs with terrain use: `use bevy_orogeny::prelude::*;`
//!
//! No name here is also in `bevy::prelude`. The nodes and noises of recipes are in [`orogeny`];
//! import the ones that you name, since Bevy has a `Node`, too.

pub use crate::advanced::{
    EditAuthor, HoldFrameTime, Preset, ScatterInstance, ScatterSpawner, SpawnedKinds,
    TerrainBudget, TerrainColliderPlugin, TerrainProblem, TerrainStats, WalkerMotion,
    WalkerObstacle,
};
pub use crate::{
    EditApplied, Ground, GroundEdited, GroundEditor, GroundQuery, GroundReady, SpawnOnGround,
    Terrain, TerrainChanged, TerrainColliderSource, TerrainEditor, TerrainEdits, TerrainGround,
    TerrainOrigin, TerrainPlugins, TerrainPreset, TerrainProblems, TerrainQuality, TerrainQuery,
    TerrainReady, TerrainViewer, TerrainWalker, WorldPosition, walk,
};
pub use orogeny::cover::CoverKind;

#[cfg(feature = "gizmos")]
pub use crate::advanced::TerrainGizmos;
#[cfg(any(feature = "plants", feature = "water"))]
pub use crate::advanced::TerrainWind;
#[cfg(feature = "plants")]
pub use crate::advanced::{BendsPlants, PlantPart, PlantSway};
#[cfg(feature = "render")]
pub use crate::advanced::{
    GroundCover, GroundTexturesProgress, GroundTexturesReady, TerrainMaterial,
    TerrainMaterialPlugin,
};
#[cfg(feature = "water")]
pub use crate::advanced::{RiverAppearance, SeaMaterial, StirsWater, Submerged, WaterOptics};
#[cfg(feature = "render")]
pub use crate::{GroundMaterial, GroundTextures};
#[cfg(feature = "plants")]
pub use crate::{PlantModel, PlantModels};
