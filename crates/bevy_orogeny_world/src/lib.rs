#![doc = include_str!("../README.md")]

mod error;
mod fill;
mod follow;
mod plugin;
mod saving;
mod terrain_world;

pub use error::TerrainWorldError;
pub use orogeny_world;
pub use plugin::{SavedTerrain, TerrainWorldPlugin, TerrainWorldSystems};
pub use terrain_world::{TerrainWorld, world_of};
