//! How terrain is drawn: the default material, materials of your own, the sea, and their shaders.
//!
//! `material_plugin` gives each terrain a material and its chunks the terrain's. `ground_cover` is
//! the default material; `geomorph` lets other materials morph their vertices. Start reading at
//! `ground.wgsl`, the default fragment shader. This room reads what streaming shows; nothing here
//! decides which chunks there are.

pub mod geomorph;
pub(crate) mod ground_cover;
pub(crate) mod material_plugin;
pub(crate) mod sea;
mod unknown_material;
