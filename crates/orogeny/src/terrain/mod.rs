//! Terrain: recipes in files, and the snapshot of the ground that is built from them.
//!
//! Nothing below uses this module. Start with [`recipe`], then [`landscape`]: water.rs tells what
//! water is on a ground, changes.rs where two differ.

mod changes;
pub(crate) mod lands_field;
pub(crate) mod landscape;
pub(crate) mod recipe;
mod water;
