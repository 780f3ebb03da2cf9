//! Drawing terrain: the default material, custom materials, the sea, and their shaders.
//!
//! `material_plugin` gives each terrain a material, and its chunks the terrain's material. `sea`
//! and `currents` draw water; `geomorph` lets other materials morph their vertices.
//! `cascade_casters` keeps shadow maps cheap, by `shaded_part`. The default material is in
//! `ground`, plants are in `plants`. This module reads the state that streaming displays; it does
//! not decide which chunks exist.

mod cascade_casters;
pub(crate) mod currents;
pub(crate) mod device;
pub mod geomorph;
pub(crate) mod material_plugin;
mod painted_chunks;
pub(crate) mod sea;
mod shaded_part;
mod unknown_material;
