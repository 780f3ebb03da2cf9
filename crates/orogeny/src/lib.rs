#![doc = include_str!("../README.md")]

mod axis;
mod fade;
mod fbm;
mod field;
mod gradient_noise;
mod grid;
mod hash;
mod interpolate;
mod lattice;
pub mod limits;
mod octave;
mod recipe;
mod sample;
mod split;

pub use fbm::Fbm;
pub use field::Field;
pub use gradient_noise::GradientNoise;
pub use grid::{Grid, Samples};
pub use recipe::{MAX_DEPTH, MAX_NODES, Node, Recipe, RecipeError, RecipeField};
pub use sample::Sample;
pub use split::MAX_CELL;
