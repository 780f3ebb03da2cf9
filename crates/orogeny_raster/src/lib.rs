#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod bits;
mod cache;
mod combine;
mod error;
mod field;
mod mosaic;
mod pool;
mod raster;
mod read;
mod reading;
mod report;
#[cfg(test)]
mod tests;
mod tiles;
mod weights;

pub use combine::{Amplification, Amplified, OverGround};
pub use error::RasterError;
pub use field::RasterField;
pub use raster::{
    MAX_HEIGHT, MAX_POSITION, MAX_SAMPLES, MAX_SIDE, MAX_SPACING, MAX_TILED_SAMPLES,
    MAX_TILED_SIDE, MIN_SPACING, Raster,
};
pub use read::{inspect, read};
pub use reading::{ByteOrder, Format, Placement, Reading};
pub use report::{Report, Warning};
pub use tiles::{RasterTiles, TileBounds, Tiling};
pub use weights::{Weights, read_weights};
