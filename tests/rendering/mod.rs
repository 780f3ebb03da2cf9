//! Draws terrain with the available GPU driver, a software renderer in CI, and checks the pixels.
//!
//! The background has a unique colour. It must fill the sky, and no pixel below the horizon:
//! neither through a seam between levels, nor while chunks are still loading.

mod below_water;
mod bending;
mod cameras;
mod cover;
mod crests;
mod decals;
mod device;
mod ground_images;
mod ground_textures;
mod holes;
mod levels;
mod light;
pub mod odd_gltf;
mod origin;
mod own_plants;
mod passes;
mod plants;
mod popping;
mod sea;
mod selection;
mod shadows;
mod support;
mod vertices;
mod views;
mod water;
mod wood_views;
mod woods;
