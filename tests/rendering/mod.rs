//! Draws terrain with the available GPU driver, a software renderer in CI, and checks the pixels.
//!
//! The background has a unique colour. It must fill the sky, and no pixel below the horizon:
//! neither through a seam between levels, nor while chunks are still loading.

mod below_water;
mod cover;
mod crests;
mod ground;
mod ground_textures;
pub mod odd_gltf;
mod own_plants;
mod selection;
mod shadows;
mod support;
mod views;
mod water;
mod wood_views;
mod woods;
