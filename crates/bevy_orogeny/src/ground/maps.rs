//! The images of a material as one texture.

use image::{Rgba, RgbaImage};
use orogeny::texture::{Texels, Texture};

use crate::images::pixels::Pixels;
use crate::images::resample::{Channels, resampled};

/// The images of a material, all of one size, in the order of its fields.
pub(super) struct Maps {
    pub images: [Option<Pixels>; 5],
    pub flip_normal_map_y: bool,
    /// Multiplies the roughness.
    pub roughness: f32,
}

impl Maps {
    /// Makes a texture of them.
    pub fn texture(self, size: u32) -> Texture {
        let [colour, normal, occlusion, roughness, height] = self.images;
        let count = size as usize * size as usize;
        let mut texels = Texels {
            colour: Vec::with_capacity(4 * count),
            surface: Vec::with_capacity(4 * count),
        };
        for y in 0..size {
            for x in 0..size {
                let at = |image: &Option<Pixels>, neutral: [u8; 4]| {
                    image.as_ref().map_or(Rgba(neutral), |image| *image.get_pixel(x, y)).0
                };
                let [r, g, b, _] = at(&colour, [255; 4]);
                let [height, ..] = at(&height, [128; 4]);
                texels.colour.extend([r, g, b, height]);
                let [nx, ny, ..] = at(&normal, [128, 128, 255, 255]);
                // Texels have y downwards.
                let ny = if self.flip_normal_map_y { ny } else { 0u8.wrapping_sub(ny.max(1)) };
                let [_, roughness, ..] = at(&roughness, [242; 4]);
                let roughness = (f32::from(roughness) * self.roughness + 0.5) as u8;
                let [occlusion, ..] = at(&occlusion, [255; 4]);
                texels.surface.extend([nx, ny, roughness, occlusion]);
            }
        }
        Texture::new(texels, size, 0.1)
    }
}

/// A texture of another size.
pub(super) fn resized(texture: &Texture, size: u32) -> Texture {
    let level = 4 * texture.size as usize * texture.size as usize;
    let resize = |bytes: &[u8], channels| {
        let image = RgbaImage::from_raw(texture.size, texture.size, bytes[..level].to_vec());
        resampled(image.expect("four bytes a texel"), size, channels).into_raw()
    };
    let Texels { colour, surface } = &texture.levels;
    let texels = Texels {
        colour: resize(colour, Channels::Colour),
        surface: resize(surface, Channels::Numbers),
    };
    Texture::new(texels, size, texture.relief)
}
