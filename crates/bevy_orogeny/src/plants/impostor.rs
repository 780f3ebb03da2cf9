//! Impostors: quads that face the eye, with pictures of a model from 64 directions.

use bevy_asset::RenderAssetUsages;
use bevy_image::{Image, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh};
use bevy_render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};
use orogeny_models::{Impostor, ImpostorBounds};

use super::vertex::{packed, position, surface};

/// The quad of an impostor whose pictures are the layers 2 `number` and 2 `number` + 1.
/// `plants.wgsl` reads positions as half the width along x and half the height along z, with the
/// signs of the corner, and the height of the centre along y. Wind moves the upper edge by `sway`.
pub(super) fn quad(bounds: ImpostorBounds, number: usize, sway: f32) -> Mesh {
    let ImpostorBounds { centre, width, height } = bounds;
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let positions = corners.map(|[x, y]: [f32; 2]| {
        position([width * x, centre, height * y], if y > 0.0 { sway } else { 0.0 })
    });
    let seen = surface([0.0; 2], Vec3::Y, 2 * number as u8, 1.0);
    packed(positions.to_vec(), vec![seen; 4], Indices::U16(vec![0, 1, 2, 0, 2, 3]))
}

/// The pictures of impostors, two layers each.
pub(super) fn pictures(impostors: &[Impostor], usage: RenderAssetUsages) -> Image {
    let side = Impostor::SIZE;
    let layers = 2 * impostors.len() as u32;
    let size = Extent3d { width: side, height: side, depth_or_array_layers: layers };
    let format = TextureFormat::Rgba8UnormSrgb;
    let mut image = Image::new_uninit(size, TextureDimension::D2, format, usage);
    image.texture_descriptor.mip_level_count = side.ilog2() + 1;
    image.texture_descriptor.usage = TextureUsages::TEXTURE_BINDING;
    let bytes = impostors.iter().flat_map(|all| [&all.colours[..], &all.normals[..]]);
    image.data = Some(bytes.collect::<Vec<_>>().concat());
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        // In the next one, frames have two texels along a side.
        lod_max_clamp: 4.0,
        anisotropy_clamp: 4,
        ..ImageSamplerDescriptor::default()
    });
    image
}
