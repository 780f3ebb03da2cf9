//! The operators of a tree.

pub(crate) mod affine;
pub(crate) mod combine;
pub(crate) mod curve;
pub(crate) mod erosion;
pub(crate) mod remap;
pub(crate) mod terraces;
pub(crate) mod transform;
