//! Levels of detail: how far each is from the field, which chunks viewers want, and which of those
//! that are ready are drawn.
//!
//! Pure functions. Start with [`selection`].

pub mod display_cut;
pub(crate) mod level_errors;
pub mod selection;
pub(crate) mod viewer;
