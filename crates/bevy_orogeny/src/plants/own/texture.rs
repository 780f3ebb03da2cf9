//! Makes textures of plants of the images of a game.

use bevy_asset::RenderAssetUsages;
use bevy_color::{LinearRgba, Srgba};
use bevy_image::{Image, ImageSampler};
use bevy_material::AlphaMode;
use bevy_pbr::StandardMaterial;
use bevy_render::render_resource::{
    Extent3d, TextureDimension, TextureFormat, TextureUsages, TextureViewDescriptor,
    TextureViewDimension,
};
use orogeny_models::mip_levels;

use crate::images::pixels::pixels;
use crate::images::resample::{Channels, resampled};
use crate::plants::textures::sampler;

/// The most texels along a side.
const LARGEST: u32 = 1024;
/// The texels along a side of a single colour.
const SMALLEST: u32 = 4;

/// Whether one sees through some of a material.
pub(super) fn is_masked(material: &StandardMaterial) -> bool {
    material.alpha_mode != AlphaMode::Opaque
}

/// The colour of a material as an array of one layer.
///
/// # Errors
/// What is wrong with its image.
pub(super) fn layer(material: &StandardMaterial, image: Option<Image>) -> Result<Image, String> {
    let (size, mut texels) = match &image {
        None => (SMALLEST, vec![255; 4 * (SMALLEST * SMALLEST) as usize]),
        Some(image) => {
            let size = image.width().max(image.height()).next_power_of_two();
            let size = size.clamp(SMALLEST, LARGEST);
            let read = pixels(image, 0, Channels::Colour);
            let read = read.map_err(|error| format!("has an image that {error}"))?;
            (size, resampled(read, size, Channels::Colour).into_raw())
        }
    };
    drop(image);
    tint(&mut texels, material);
    let extent = Extent3d { width: size, height: size, depth_or_array_layers: 1 };
    let format = TextureFormat::Rgba8UnormSrgb;
    let usage = RenderAssetUsages::default();
    let mut image = Image::new_uninit(extent, TextureDimension::D2, format, usage);
    image.texture_descriptor.mip_level_count = size.ilog2() + 1;
    image.texture_descriptor.usage = TextureUsages::TEXTURE_BINDING;
    image.texture_view_descriptor = Some(TextureViewDescriptor {
        dimension: Some(TextureViewDimension::D2Array),
        ..TextureViewDescriptor::default()
    });
    image.data = Some(mip_levels(size, &texels));
    image.sampler = ImageSampler::Descriptor(sampler());
    Ok(image)
}

/// Multiplies texels by the base colour, and has them covered where alpha is at least a half.
fn tint(texels: &mut [u8], material: &StandardMaterial) {
    let LinearRgba { red, green, blue, alpha } = material.base_color.into();
    let cutoff = match material.alpha_mode {
        AlphaMode::Mask(cutoff) => cutoff.clamp(0.01, 1.0),
        _ => 0.5,
    };
    let is_masked = is_masked(material);
    for texel in texels.chunks_exact_mut(4) {
        for (channel, factor) in texel.iter_mut().zip([red, green, blue]) {
            let linear = Srgba::gamma_function(f32::from(*channel) / 255.0) * factor;
            let encoded = Srgba::gamma_function_inverse(linear.clamp(0.0, 1.0));
            *channel = (encoded * 255.0 + 0.5) as u8;
        }
        let covered = f32::from(texel[3]) * alpha * 0.5 / cutoff;
        texel[3] = if is_masked { covered.clamp(0.0, 255.0) as u8 } else { 255 };
    }
}

#[cfg(test)]
mod tests {
    use bevy_color::Color;

    use super::*;

    fn first(image: &Image) -> [u8; 4] {
        image.data.as_ref().unwrap()[..4].try_into().unwrap()
    }

    #[test]
    fn a_colour_alone_is_a_texture() {
        let base_color = Color::srgb_u8(200, 100, 50);
        let material = StandardMaterial { base_color, ..StandardMaterial::default() };
        let image = layer(&material, None).unwrap();
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
            let image = layer(&material, Some(image.clone())).unwrap();
            assert_eq!((image.width(), image.height()), (32, 32));
            assert_eq!(first(&image)[3] >= 128, is_covered, "{cutoff}");
        }
        let opaque = layer(&StandardMaterial::default(), Some(image)).unwrap();
        assert_eq!(first(&opaque)[3], 255);
    }
}
