//! Terrain: recipes in files, and the ground that is built from them, with all that is on it.
//!
//! Nothing below uses this module. Start with [`recipe`].

pub(crate) mod lands_field;
pub(crate) mod landscape;
pub(crate) mod recipe;
