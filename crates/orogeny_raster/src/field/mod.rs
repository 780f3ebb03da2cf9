//! The field of a raster: a cubic B-spline.
//!
//! Start with `raster_field.rs` and `spline.rs`. `prefilter.rs` computes coefficients from samples,
//! once holes are filled (`holes.rs`), `level_ground.rs` keeps seas level, and `padded.rs` adds the
//! border. `coefficients.rs` evaluates
//! the spline at a point with the weights of `taps.rs`, `grid_rows.rs` on grids. `frame.rs` is
//! where samples lie. `hull.rs` has the bounds of a cell, `pyramid.rs` those of many.

pub(crate) mod coefficients;
pub(crate) mod frame;
pub(crate) mod grid_rows;
pub(crate) mod holes;
pub(crate) mod hull;
pub(crate) mod level_ground;
pub(crate) mod padded;
pub(crate) mod prefilter;
pub(crate) mod pyramid;
pub(crate) mod raster_field;
pub(crate) mod spline;
pub(crate) mod taps;

pub use raster_field::RasterField;
