#![doc = include_str!("../README.md")]

mod error;
mod follow;
mod plugin;
mod terrain_world;

pub use error::TerrainWorldError;
pub use orogeny_world;
pub use plugin::{SavedTerrain, TerrainWorldPlugin};
pub use terrain_world::{TerrainWorld, world_of};
