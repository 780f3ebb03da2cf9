#![doc = include_str!("../README.md")]

mod affine;
mod axis;
mod bounds;
mod build;
mod chord;
mod cover;
mod curvature;
mod damped;
mod domain;
mod dual;
mod erosion;
mod error;
mod fade;
mod field;
mod fluent;
mod fractal;
mod grid;
mod hash;
mod interpolate;
mod jet;
mod join;
mod kernel;
mod kind;
mod lattice;
pub mod limits;
mod near;
mod node;
mod noise;
mod octaves;
mod place;
mod raycast;
mod recipe;
mod sample;
mod samples;
mod shape;
mod shaped;
pub mod simd;
mod split;
#[cfg(test)]
mod tests;
mod tree;

pub use bounds::Bounds;
pub use build::{MAX_DEPTH, MAX_NODES};
pub use cover::{Cover, CoverKind, CoverLayer, CoverPlace};
pub use curvature::Curvature;
pub use domain::{Rotate, Transform};
pub use erosion::Erosion;
pub use error::RecipeError;
pub use fade::Fade;
pub use field::Field;
pub use fractal::Fractal;
pub use grid::Grid;
pub use jet::Jet;
pub use kind::{Damped, Kind, Ridged};
pub use lattice::{
    Gradients, Heights, Lattice, LatticeGrid, PERLIN, Permutation, PermutationTable,
};
pub use node::Node;
pub use noise::{Cellular, Distance, GradientNoise, Noise, Simplex};
pub use raycast::{Cast, Hit, MAX_EVALUATIONS, Ray, RaycastError, raycast};
pub use recipe::Recipe;
pub use sample::Sample;
pub use samples::{Jets, Samples};
pub use shape::{Clamp, Curve, Normalize, Shape, Terraces};
pub use split::MAX_CELL;
pub use tree::Tree;
