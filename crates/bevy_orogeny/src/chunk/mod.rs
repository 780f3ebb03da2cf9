//! Chunks: keys, meshes, and how their borders meet.
//!
//! Pure functions of a field, without systems. This module depends on no other module of the crate.
//! Start with [`key`], then [`mesh`]. [`morph`] and [`vertex`] have the arithmetic that the vertex
//! shader repeats.

pub(crate) mod climate;
pub(crate) mod curvature;
mod floods;
pub(crate) mod height_field;
pub(crate) mod key;
pub(crate) mod mesh;
#[cfg(test)]
mod mesh_tests;
pub mod morph;
mod morph_attributes;
#[cfg(test)]
mod morph_tests;
mod octahedral;
pub(crate) mod paint;
mod plain_attributes;
mod ribbons;
pub(crate) mod seams;
mod skirts;
pub(crate) mod triangles;
pub(crate) mod vertex;
pub(crate) mod void;
pub(crate) mod water_surface;
