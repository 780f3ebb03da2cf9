//! Textures of the ground, baked from fields: colour, normals, roughness, occlusion and height.
//!
//! `recipe.rs` describes a texture, `bake.rs` bakes it, `mips.rs` filters it. Those of the kinds of
//! cover are in [`CoverKind::texture`](crate::cover::CoverKind::texture). Start with
//! [`TextureRecipe`] and [`Texture`].

mod bake;
pub(crate) mod mips;
mod recipe;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

pub use mips::{Texture, mip_count};
pub use recipe::TextureRecipe;

use crate::limits::Limit;

/// Limits of the side of a texture in texels, which must be a power of two as well.
pub const TEXTURE_SIZE: Limit = Limit {
    name: "size",
    unit: "texels",
    min: 1.0,
    max: 8192.0,
    default: 512.0,
    help: "Texels along each side, a power of two",
};

/// Limits of the components of a colour.
pub(crate) const COLOUR: Limit = Limit {
    name: "colour",
    unit: "",
    min: 0.0,
    max: 1.0,
    default: 0.5,
    help: "Red, green and blue as in sRGB",
};

/// Two images of a texture, without mips: what [`Texture::new`] filters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texels {
    /// Four bytes a texel: red, green and blue as in sRGB, and the height over the relief.
    pub colour: Vec<u8>,
    /// Four bytes a texel: x and y of the normal (128 is 0), the roughness, and the occlusion (255
    /// is open).
    pub surface: Vec<u8>,
}
