//! Textures of the ground, baked from fields: colour, normals, roughness, occlusion and height.
//!
//! [`TextureRecipe`] describes a texture, `bake.rs` bakes and filters it. Those of the kinds of
//! cover are in [`CoverKind::texture`](crate::cover::CoverKind::texture).

pub(crate) mod bake;
#[cfg(test)]
mod tests;

pub use bake::{Texture, mip_count};

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::error::DataError;
use crate::limits::{Limit, Parameters, parameters};
use crate::node::Node;
use crate::node::tree::Tree;

/// Limits of the side of a texture in texels, which must be a power of two as well.
pub const TEXTURE_SIZE: Limit =
    Limit::new("size", "texels", [1.0, 8192.0], 512.0, "Texels along each side, a power of two");

/// Limits of the components of a colour.
pub(crate) const COLOUR: Limit =
    Limit::new("colour", "", [0.0, 1.0], 0.5, "Red, green and blue as in sRGB");

/// Two images of a texture, without mips: what [`Texture::new`] filters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texels {
    /// Four bytes a texel: red, green and blue as in sRGB, and the height over the relief.
    pub colour: Vec<u8>,
    /// Four bytes a texel: x and y of the normal (128 is 0), the roughness, and the occlusion (255
    /// is open).
    pub surface: Vec<u8>,
}

parameters! {
    /// A square texture that repeats without a seam: relief, colours and roughness, from fields.
    ///
    /// The fields take positions in tiles: the texture is their square from 0 to 1. They must
    /// repeat with it, so give their noises a whole frequency and a
    /// [`period`](crate::GradientNoise::period) equal to it. [`bake`](Self::bake) tests that.
    ///
    /// The normals are exact: those of the gradient g of `height` at the middle of each texel,
    /// which becomes g / sqrt(1 + (|g| / `steepest`)^2). No detail is lost to finite differences.
    /// An exact normal map in ten lines:
    ///
    /// ```
    /// use orogeny::{Field, Fractal, GradientNoise, Grid, Node, Samples};
    ///
    /// let noise = GradientNoise { period: [4; 2], ..GradientNoise::seeded(1) };
    /// let relief = Fractal { frequency: 4.0, amplitude: 0.05, ..Fractal::fbm(6.0, noise) };
    /// let relief = Node::<2>::from(relief).build()?;
    /// // The middles of 256 x 256 pixels.
    /// let grid = Grid::new([0.5 / 256.0; 2], 1.0 / 256.0, [256; 2]);
    /// let mut samples = Samples::new();
    /// relief.sample_grid(&grid, &mut samples);
    /// // Red and green of the pixels, with y downwards.
    /// let byte = |x: f32| ((x + 1.0) * 127.5).round() as u8;
    /// let normals = samples.iter().map(|ground| {
    ///     let [dx, dy] = ground.gradient;
    ///     let length = (dx * dx + dy * dy + 1.0).sqrt();
    ///     [-dx, -dy, 1.0].map(|x| byte(x / length))
    /// });
    /// assert_eq!(normals.count(), 256 * 256);
    /// # Ok::<(), orogeny::DataError>(())
    /// ```
    pub struct TextureRecipe {
        /// The height in metres over the tile.
        height: Node = Node::Constant(0.0),
        /// Which of the two colours of a height counts: the first at -1, the second at 1.
        tint: Node = Node::Constant(0.0),
        /// The two colours of the lowest points, sRGB, each component 0 to 1.
        low: [[f32; 3]; 2] = [[0.3; 3]; 2],
        /// The two colours of the highest points.
        high: [[f32; 3]; 2] = [[0.6; 3]; 2],
    }
    numbers {
        /// The width of the tile.
        width: f32 = 4 "m", 0.01 to 8192;
        /// The perceptual roughness of the lowest points.
        roughness_low: f32 = 0.95 "", 0.05 to 1;
        /// The perceptual roughness of the highest points.
        roughness_high: f32 = 0.9 "", 0.05 to 1;
        /// The limit that the slopes of normals approach. Leaves let light through, so that no side
        /// of a tuft is black: 0.2 for grass, more for what is solid.
        steepest: f32 = 0.7 "m/m", 0.01 to 10;
        /// How much darker hollows are under the light of the sky: 0 not at all, 1 as deep as the
        /// whole relief and black.
        occlusion: f32 = 0.7 "", 0 to 1;
    }
}

impl TextureRecipe {
    /// Checks the numbers and the fields, and that the fields repeat.
    ///
    /// # Errors
    /// The first fault, with its path.
    pub fn check(&self) -> Result<(), DataError> {
        self.build().map(drop)
    }

    /// The fields of the height and of the tint.
    fn build(&self) -> Result<[Tree<2>; 2], DataError> {
        self.check_numbers()?;
        for (name, ends) in [("low", self.low), ("high", self.high)] {
            for (k, end) in ends.into_iter().enumerate() {
                let wrong = |error| DataError::at(format!("{name}[{k}]"), error);
                end.into_iter().try_for_each(|part| COLOUR.check(part.into())).map_err(wrong)?;
            }
        }
        Ok([periodic(&self.height, "height")?, periodic(&self.tint, "tint")?])
    }

    /// Bakes the texture, `size` texels wide.
    ///
    /// # Errors
    /// A size outside [`TEXTURE_SIZE`] or not a power of two, a number outside its limits, a field
    /// that does not build, is not finite, or does not repeat.
    pub fn bake(&self, size: u32) -> Result<Texture, DataError> {
        TEXTURE_SIZE.check(size.into())?;
        if !size.is_power_of_two() {
            let problem = format!("is {size}, but must be a power of two");
            return Err(DataError::at(TEXTURE_SIZE.name, problem));
        }
        let [height, tint] = self.build()?;
        Ok(bake::texture(self, &height, &tint, size))
    }
}

/// Builds a field that repeats after 1 along both axes.
fn periodic(node: &Node, name: &str) -> Result<Tree<2>, DataError> {
    let field = node.build().map_err(|error| error.under(name))?;
    let mut p = [0.5; 2];
    for _ in 0..32 {
        // The R2 sequence.
        p = [p[0] + 0.754_877_666_246_692_8, p[1] + 0.569_840_290_998_053_2].each(|x| x % 1.0);
        let here = field.sample(p);
        if !here.value.is_finite() || here.gradient.iter().any(|slope| !slope.is_finite()) {
            return Err(DataError::at(name, format!("is not finite at {p:?}")));
        }
        // What rounding of the position, and of the sum, can change.
        let rounding =
            1e-4 * (here.value.abs() + here.gradient.iter().map(|s| s.abs()).sum::<f32>());
        for q in [[p[0] + 1.0, p[1]], [p[0], p[1] - 1.0]] {
            let there = field.value(q);
            if (there - here.value).abs() > 1e-6 + rounding {
                let value = here.value;
                return Err(DataError::at(
                    name,
                    format!("is {value} at {p:?} and {there} at {q:?}, but must repeat after 1"),
                ));
            }
        }
    }
    Ok(field)
}
