//! How terrain is drawn: materials, the sea, and the shaders, which lie beside them.

pub(crate) mod appearance;
pub mod geomorph;
pub(crate) mod ground_cover;
pub(crate) mod sea;
mod unknown_material;
