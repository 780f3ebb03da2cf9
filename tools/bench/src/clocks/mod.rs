//! Where the time of a frame goes: to the plugin on the main thread, to extraction and the render
//! world, and to the passes of the GPU.

pub mod gpu;
pub mod plugin;
pub mod render;
