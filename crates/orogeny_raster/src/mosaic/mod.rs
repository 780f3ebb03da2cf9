//! Several rasters as one: `rasters.rs` in memory, `files.rs` on demand. `fit.rs` checks that they
//! lie on one grid of samples.

mod files;
mod fit;
mod rasters;

pub(crate) use files::{Mosaic, open_mosaic};
