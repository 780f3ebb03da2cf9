//! What is drawn of the materials of a game: some of their numbers, and their colours as a texture.

use bevy_asset::{Handle, RenderAssetUsages};
use bevy_color::{Color, LinearRgba, Srgba};
use bevy_image::Image;
use bevy_material::AlphaMode;
use bevy_math::Affine2;
use bevy_mesh::UvChannel;
use bevy_pbr::StandardMaterial;
use bevy_render::render_resource::{TextureViewDescriptor, TextureViewDimension};
use image::imageops::{FilterType, resize};
use orogeny_models::mip_levels;

use crate::images::{Channels, array, pixels, resampled, sampler};
use crate::plants::textures::{ANISOTROPY, FORMAT};

/// What is drawn of a [`StandardMaterial`]. The rest of it may change in every frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawnMaterial {
    pub base_color: Color,
    pub image: Option<Handle<Image>>,
    /// The texture coordinates of the image.
    pub channel: UvChannel,
    pub uv_transform: Affine2,
    alpha_mode: AlphaMode,
    pub roughness: f32,
    pub reflectance: f32,
}

impl DrawnMaterial {
    pub fn of(material: &StandardMaterial) -> Self {
        let part = |x: f32| if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.5 };
        Self {
            base_color: material.base_color,
            image: material.base_color_texture.clone(),
            channel: material.base_color_channel.clone(),
            uv_transform: material.uv_transform,
            alpha_mode: material.alpha_mode,
            roughness: part(material.perceptual_roughness),
            reflectance: part(material.reflectance),
        }
    }

    /// Whether one sees through some of it.
    pub fn is_masked(&self) -> bool {
        self.alpha_mode != AlphaMode::Opaque
    }

    /// An alpha as one of which a half and more covers what is behind. It is a power law: of a
    /// product of alphas, such as that of a texel and a vertex, it is the product.
    pub fn covering(&self, alpha: f32) -> f32 {
        let cutoff = match self.alpha_mode {
            AlphaMode::Opaque => return 1.0,
            AlphaMode::Mask(cutoff) if cutoff.is_finite() => cutoff.clamp(0.01, 1.0),
            _ => 0.5,
        };
        alpha.powf(core::f32::consts::LN_2 / cutoff.recip().ln()).min(1.0)
    }

    /// The base colour: linear, finite, at least 0.
    pub fn colour(&self) -> LinearRgba {
        let part = |x: f32| if x.is_finite() { x.max(0.0) } else { 1.0 };
        let LinearRgba { red, green, blue, alpha } = self.base_color.into();
        LinearRgba::new(part(red), part(green), part(blue), part(alpha))
    }
}

/// The most texels along a side.
const LARGEST: u32 = 1024;
/// The texels along a side of a single colour.
const SMALLEST: u32 = 4;
/// The most pixels along a side of a palette, of which a face shows one, and the texels of each.
const PALETTE: u32 = 64;
const TEXELS: u32 = 8;

/// The colour of a material as an array of one layer.
///
/// # Errors
/// What is wrong with its image.
pub(super) fn layer(material: &DrawnMaterial, image: Option<Image>) -> Result<Image, String> {
    let (size, mut texels) = match &image {
        None => (SMALLEST, vec![255; 4 * (SMALLEST * SMALLEST) as usize]),
        Some(image) => {
            let side = image.width().max(image.height());
            let is_palette = side <= PALETTE;
            let size = if is_palette { TEXELS * side } else { side }.next_power_of_two();
            let size = size.clamp(SMALLEST, LARGEST);
            let read = pixels(image, 0, Channels::Colour);
            let read = read.map_err(|error| format!("has an image that {error}"))?;
            let texels = if is_palette {
                // Smooth edges would mix colours that have nothing to do with each other.
                resize(&read, size, size, FilterType::Nearest)
            } else {
                resampled(read, size, Channels::Colour)
            };
            (size, texels.into_raw())
        }
    };
    drop(image);
    tint(&mut texels, material);
    let (data, usage) = (mip_levels(size, &texels), RenderAssetUsages::default());
    let mut image = array(size, 1, FORMAT, data, sampler(ANISOTROPY), usage);
    image.texture_view_descriptor = Some(TextureViewDescriptor {
        dimension: Some(TextureViewDimension::D2Array),
        ..TextureViewDescriptor::default()
    });
    Ok(image)
}

/// Multiplies texels by the base colour, and has them covered where alpha is at least a half.
fn tint(texels: &mut [u8], material: &DrawnMaterial) {
    let LinearRgba { red, green, blue, alpha } = material.colour();
    for texel in texels.chunks_exact_mut(4) {
        for (channel, factor) in texel.iter_mut().zip([red, green, blue]) {
            let linear = Srgba::gamma_function(f32::from(*channel) / 255.0) * factor;
            let encoded = Srgba::gamma_function_inverse(linear.clamp(0.0, 1.0));
            *channel = (encoded * 255.0 + 0.5) as u8;
        }
        let covered = material.covering(f32::from(texel[3]) / 255.0 * alpha);
        texel[3] = (covered * 255.0 + 0.5) as u8;
    }
}

#[cfg(test)]
mod tests {
    use bevy_render::render_resource::{Extent3d, TextureDimension, TextureFormat};

    use super::*;

    fn layer(material: StandardMaterial, image: Option<Image>) -> Result<Image, String> {
        super::layer(&DrawnMaterial::of(&material), image)
    }

    fn first(image: &Image) -> [u8; 4] {
        image.data.as_ref().unwrap()[..4].try_into().unwrap()
    }

    #[test]
    fn a_colour_alone_is_a_texture() {
        let base_color = Color::srgb_u8(200, 100, 50);
        let material = StandardMaterial { base_color, ..StandardMaterial::default() };
        let image = layer(material, None).unwrap();
        assert_eq!(first(&image), [200, 100, 50, 255]);
        assert_eq!(image.data.unwrap().len(), 4 * (16 + 4 + 1));
    }

    #[test]
    fn any_size_is_a_square_and_alpha_is_cut_at_a_half() {
        let size = Extent3d { width: 20, height: 7, depth_or_array_layers: 1 };
        let image = Image::new_fill(
            size,
            TextureDimension::D2,
            &[255, 255, 255, 77],
            TextureFormat::Rgba8UnormSrgb,
            RenderAssetUsages::default(),
        );
        // A third is covered, a little less than that is not.
        for (cutoff, is_covered) in [(0.3, true), (0.31, false)] {
            let alpha_mode = AlphaMode::Mask(cutoff);
            let material = StandardMaterial { alpha_mode, ..StandardMaterial::default() };
            let image = layer(material, Some(image.clone())).unwrap();
            assert_eq!((image.width(), image.height()), (256, 256));
            assert_eq!(first(&image)[3] >= 128, is_covered, "{cutoff}");
        }
        let opaque = layer(StandardMaterial::default(), Some(image)).unwrap();
        assert_eq!(first(&opaque)[3], 255);
    }

    /// Each colour of a palette stays as it is, up to its edges.
    #[test]
    fn palettes_are_not_blurred() {
        let colours: Vec<[u8; 4]> = (0..6u8).map(|k| [40 * k, 255 - 40 * k, 90, 255]).collect();
        for (width, height) in [(3, 2), (6, 1)] {
            let palette = Image::new(
                Extent3d { width, height, depth_or_array_layers: 1 },
                TextureDimension::D2,
                colours.concat(),
                TextureFormat::Rgba8UnormSrgb,
                RenderAssetUsages::default(),
            );
            let texture = layer(StandardMaterial::default(), Some(palette)).unwrap();
            let size = texture.width();
            let texels = texture.data.as_ref().unwrap().as_chunks::<4>().0;
            for (x, y) in (0..size).flat_map(|y| (0..size).map(move |x| (x, y))) {
                let [column, row] =
                    [(2 * x + 1) * width / (2 * size), (2 * y + 1) * height / (2 * size)];
                let expected = colours[(row * width + column) as usize];
                assert_eq!(texels[(y * size + x) as usize], expected, "{x} {y} of {size}");
            }
        }
    }
}
