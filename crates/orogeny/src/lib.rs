#![doc = include_str!("../README.md")]

mod derivative;
mod error;
mod field;
mod fractal;
mod kernel;
mod lattice;
pub mod limits;
mod node;
mod noise;
mod samples;
pub mod simd;
mod terrain;
#[cfg(test)]
mod tests;

pub use derivative::bounds::Bounds;
pub use derivative::curvature::Curvature;
pub use derivative::jet::Jet;
pub use derivative::sample::Sample;
pub use error::RecipeError;
pub use field::Field;
pub use fractal::Fractal;
pub use fractal::fractal_kind::{Damped, Kind, Ridged};
pub use lattice::cell::MAX_CELL;
pub use lattice::fade::Fade;
pub use lattice::{
    Gradients, Heights, Lattice, LatticeGrid, PERLIN, Permutation, PermutationTable,
};
pub use node::Node;
pub use node::compile::{MAX_DEPTH, MAX_NODES};
pub use node::ops::erosion::Erosion;
pub use node::ops::remap::{Clamp, Curve, Normalize, Shape, Terraces};
pub use node::ops::transform::{Rotate, Transform};
pub use node::tree::Tree;
pub use noise::{Cellular, Distance, GradientNoise, Noise, Simplex};
pub use samples::grid::Grid;
pub use samples::{Jets, Samples};
pub use terrain::cover::{Cover, CoverKind, CoverLayer, CoverPlace};
pub use terrain::raycast::{Cast, Hit, MAX_EVALUATIONS, Ray, RaycastError, raycast};
pub use terrain::recipe::Recipe;
