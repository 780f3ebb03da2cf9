//! Tests with access to private items.
//!
//! oracle/ computes every node again in `f64`; gradients.rs and jets.rs compare with it. bounds.rs
//! searches for points that violate a bound; proofs.rs proves the constants by interval arithmetic.
//! kernel.rs compares the bits of grids with those of points. random.rs generates the trees that
//! all of them use.

mod band_limited;
mod blend;
mod bounds;
pub(crate) mod edits;
mod erosion;
mod files;
mod gradients;
mod jets;
mod kernel;
mod local_bounds;
mod matrix;
mod names;
mod oracle;
#[cfg(feature = "ron")]
pub mod presets;
mod proofs;
pub(crate) mod random;
mod ray;
pub mod scatter;
mod smoothed;
mod space;
mod trees;
