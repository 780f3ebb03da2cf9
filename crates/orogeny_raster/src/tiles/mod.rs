//! Rasters that are larger than memory: tiles of the spline, loaded on demand.
//!
//! Start with `raster_tiles.rs`; `sampling.rs` is its field. `store.rs` keeps tiles, `recent.rs`
//! those of a query, and `filled.rs` computes the coefficients of one. `scan.rs` finds the bounds
//! of all, and a coarse raster on the way (`overview.rs`). `tiling.rs` has the options.

mod filled;
mod overview;
mod raster_tiles;
mod recent;
mod sampling;
mod scan;
mod store;
mod tiling;

pub use raster_tiles::RasterTiles;
pub use tiling::{TileBounds, Tiling};

pub(crate) use overview::Overview;
