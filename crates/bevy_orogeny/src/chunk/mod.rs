//! Chunks: their keys and meshes, and how their borders meet. Pure functions of a field, without
//! ECS systems.
//!
//! Start with [`key`], then [`mesh`].

pub(crate) mod curvature;
pub(crate) mod key;
pub(crate) mod mesh;
pub mod morph;
pub(crate) mod seams;
pub(crate) mod triangles;
