//! Models that a game provides, drawn as the plugin's own.
//!
//! `plant_model` says what a game gives. `follow` waits for its assets, which `gather` collects:
//! the meshes of a `scene` with the levels that `names` give them, and their `drawn_material`s. A
//! task makes a model of them in `prepare`: `geometry` reads meshes, `reduce` makes levels that the
//! game has not got, and `texture` makes layers of images; `extensions` says what a file has that
//! is not read.

mod drawn_material;
#[cfg(not(target_family = "wasm"))]
mod extensions;
mod follow;
mod gather;
mod geometry;
mod names;
pub(crate) mod plant_model;
mod prepare;
mod reduce;
mod scene;
mod texture;

pub(crate) use follow::Following;
pub(super) use follow::follow;
