#![doc = include_str!("../README.md")]

mod following;
mod plugin;
mod terrain_world;

pub use orogeny_world;
pub use plugin::{SavedTerrain, TerrainWorldPlugin, TerrainWorldSystems};
pub use terrain_world::{TerrainWorld, TerrainWorldError, world_of};
