//! Rasters with other fields: blended into the ground around (`over_ground.rs`), and with noise
//! finer than their cells (`amplified.rs`). `coverage.rs` is where a raster shows, by the distances
//! of `distance.rs`. `patch.rs` is what both need of a raster.

mod amplified;
mod coverage;
pub(crate) mod distance;
mod over_ground;
mod patch;

pub use amplified::{Amplification, Amplified};
pub use over_ground::OverGround;
