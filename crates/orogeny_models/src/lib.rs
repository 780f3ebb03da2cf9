#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod bake;
mod birch;
mod broadleaf;
mod bush;
mod card;
mod crown;
mod deadwood;
mod far;
mod fern;
mod form;
mod grass;
mod impostor;
mod lobe;
mod mesh;
mod model;
mod pine;
mod random;
mod reed;
mod rock;
mod shade;
mod spruce;
mod surface;
mod tree;
mod tube;
mod turns;

pub use bake::mip_levels;
pub use impostor::{Impostor, ImpostorBounds, ImpostorPart};
pub use mesh::{Levels, Mesh, Vertex};
pub use model::grow;
pub use orogeny::scatter::Model;
pub use surface::Surface;
