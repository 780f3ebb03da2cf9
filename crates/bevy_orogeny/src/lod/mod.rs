//! Levels of detail: the error of each chunk, which chunks viewers want, and which of those that
//! are ready are drawn.
//!
//! Pure functions of viewers, errors and keys. This module may only use `chunk`. Start with
//! [`selection`], then [`display_cut`].

pub(crate) mod camera;
pub(crate) mod chunk_errors;
pub mod display_cut;
pub(crate) mod frame_clock;
pub(crate) mod hold_frame_time;
mod level_range;
pub(crate) mod morph_weights;
pub(crate) mod motion;
pub(crate) mod quality;
pub mod selection;
#[cfg(test)]
pub(crate) mod selection_tests;
pub(crate) mod slope_variance;
pub(crate) mod view;
pub(crate) mod viewer;
