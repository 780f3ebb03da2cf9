//! The viewer and the camera: freezing the viewer, and going to coordinates.
//!
//! Both work in world space, since a camera may be the child of a rig, a vehicle or a character.

pub mod camera;
pub mod freeze;
pub mod teleport;
