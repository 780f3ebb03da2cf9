//! Levels of detail: the error of each level, which chunks viewers want, and which of those that
//! are ready are drawn.
//!
//! Pure functions of viewers, errors and keys. This module may only use `chunk`. Start with
//! [`selection`], then [`display_cut`].

pub(crate) mod camera;
pub mod display_cut;
pub(crate) mod focus;
pub(crate) mod frame_clock;
pub(crate) mod hold_frame_time;
pub(crate) mod level_errors;
mod level_range;
mod measure;
pub(crate) mod motion;
pub(crate) mod quality;
pub mod selection;
#[cfg(test)]
pub(crate) mod selection_tests;
pub(crate) mod view;
pub(crate) mod viewer;
