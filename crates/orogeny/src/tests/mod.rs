//! Tests with access to private items.
//!
//! oracle/ computes every node again in `f64`; gradients.rs and jets.rs compare with it. bounds.rs
//! searches for points that violate a bound; proofs.rs and proofs_of_points.rs prove the constants
//! by interval arithmetic. kernel.rs compares the bits of grids with those of points. random.rs
//! generates the trees that all of them use.

mod band_limited;
mod blend;
mod bounds;
mod depth;
mod edits;
mod erosion;
mod files;
mod gradients;
mod grids;
mod hessian_errors;
mod interpolation_error;
mod interval;
mod jets;
mod kernel;
mod local_bounds;
mod matrix;
mod methods;
mod names;
mod oracle;
#[cfg(feature = "ron")]
pub mod presets;
mod proofs;
mod proofs_of_points;
pub(crate) mod random;
mod ray;
mod ray_holes;
#[cfg(feature = "ron")]
mod ray_presets;
pub mod scatter;
mod smoothed;
mod space;
