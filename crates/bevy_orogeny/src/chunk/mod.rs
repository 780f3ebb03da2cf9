//! Chunks: keys, meshes, and how their borders meet.
//!
//! Pure functions of a field, without systems. This module depends on no other module of the crate.
//! Start with [`key`], then [`mesh`]. [`morph`] and [`vertex`] have the arithmetic that the vertex
//! shader repeats.

mod attributes;
pub(crate) mod balance;
pub(crate) mod climate;
pub(crate) mod curvature;
pub(crate) mod height_field;
pub(crate) mod key;
pub(crate) mod mesh;
#[cfg(test)]
mod mesh_tests;
pub mod morph;
#[cfg(test)]
mod morph_tests;
mod octahedral;
pub(crate) mod paint;
pub(crate) mod relief;
pub(crate) mod seams;
pub(crate) mod triangles;
pub(crate) mod vertex;
pub(crate) mod void;
pub(crate) mod water_surface;
