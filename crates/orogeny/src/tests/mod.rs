//! Tests that look into the crate: all of it against an oracle in `f64`, and what is proven of it.

mod band_limited;
mod bounds;
mod depth;
mod erosion;
mod files;
mod gradients;
mod grids;
mod interpolation_error;
mod interval;
mod jets;
mod kernel;
mod local_bounds;
mod oracle;
mod proofs;
mod proofs_of_points;
mod random;
mod ray;
