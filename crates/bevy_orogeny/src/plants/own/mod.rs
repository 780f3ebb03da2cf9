//! Models that a game provides, drawn as the plugin's own.
//!
//! `plant_model` says what a game gives. `follow` waits for its assets, which `gather` collects;
//! a task makes a model of them in `prepare`: `geometry` reads meshes, `reduce` makes levels that
//! the game has not got, and `texture` makes layers of images.

mod follow;
mod gather;
mod geometry;
pub(crate) mod plant_model;
mod prepare;
mod reduce;
mod texture;

pub(crate) use follow::Following;
pub(super) use follow::follow;
