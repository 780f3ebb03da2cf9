//! Noise in a texture: sampling it costs a fraction of computing it for each pixel.

use bevy_asset::{Assets, Handle, RenderAssetUsages};
use bevy_ecs::prelude::*;
use bevy_image::{Image, ImageAddressMode, ImageSampler, ImageSamplerDescriptor};
use bevy_render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use orogeny::{Field, GradientNoise, Grid, Node};

/// The cells along each side, after which it repeats, as in `below.wgsl`.
const CELLS: u32 = 8;
/// The texels along each side.
const TEXELS: usize = 64;

/// Gradient noise in a cube that repeats: 0 for -1, 1 for 1.
#[derive(Resource)]
pub(super) struct NoiseVolume(pub Handle<Image>);

impl FromWorld for NoiseVolume {
    fn from_world(world: &mut World) -> Self {
        Self(world.resource_mut::<Assets<Image>>().add(image()))
    }
}

fn image() -> Image {
    let side = TEXELS as u32;
    let size = Extent3d { width: side, height: side, depth_or_array_layers: side };
    let usages = RenderAssetUsages::default();
    let format = TextureFormat::R8Unorm;
    let mut image = Image::new(size, TextureDimension::D3, texels(), format, usages);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        address_mode_w: ImageAddressMode::Repeat,
        ..ImageSamplerDescriptor::linear()
    });
    image
}

fn texels() -> Vec<u8> {
    let noise = GradientNoise { period: [CELLS; 3], ..Default::default() };
    let noise = Node::<3>::from(noise).build().expect("a valid noise");
    let grid = Grid::new([0.0; 3], f64::from(CELLS) / TEXELS as f64, [TEXELS; 3]);
    let mut values = vec![0.0; grid.len()];
    noise.value_grid(&grid, &mut values);
    values
        .into_iter()
        .map(|value| (127.5 * (value + 1.0)).round().clamp(0.0, 255.0) as u8)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neighbours across the border of the cube differ no more than others do.
    #[test]
    fn the_cube_repeats_without_a_seam() {
        let texels = texels();
        let at = |x: usize, y: usize, z: usize| {
            f32::from(texels[x % TEXELS + TEXELS * (y % TEXELS + TEXELS * (z % TEXELS))])
        };
        let steepest = |x: usize| {
            (0..TEXELS * TEXELS)
                .map(|i| (i % TEXELS, i / TEXELS))
                .map(|(y, z)| (at(x, y, z) - at(x + 1, y, z)).abs())
                .fold(0.0, f32::max)
        };
        let inside = (0..TEXELS - 1).map(steepest).fold(0.0, f32::max);
        assert!(steepest(TEXELS - 1) <= inside && inside < 60.0, "{inside}");
        let [min, max] = [*texels.iter().min().unwrap(), *texels.iter().max().unwrap()];
        assert!(min < 60 && max > 195, "{min} to {max}");
    }
}
