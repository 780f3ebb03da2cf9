//! The parts that are specific to terrain rather than noise: recipes in files and the ground that
//! is built from them, ground cover, and rays.
//!
//! This module uses fields and trees, and the modules below do not use it. Start with [`recipe`].

pub mod cover;
pub(crate) mod landscape;
pub mod ray;
pub(crate) mod recipe;
