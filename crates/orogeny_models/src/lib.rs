#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod crown;
mod deadwood;
mod herbs;
mod impostor;
mod mesh;
mod mips;
mod model;
mod pattern;
mod rock;
mod shapes;
mod spruce;
mod tree;

pub use impostor::{Impostor, ImpostorBounds, ImpostorPart};
pub use mesh::{Levels, Mesh, Vertex};
pub use mips::mip_levels;
pub use model::grow;
pub use orogeny::scatter::Model;
pub use pattern::Pattern;
