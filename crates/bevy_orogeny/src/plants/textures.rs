//! The textures of plants.

use std::sync::OnceLock;

use bevy_asset::RenderAssetUsages;
use bevy_image::{Image, ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy_render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};
use bevy_tasks::futures_lite::future::yield_now;
use orogeny_models::{Impostor, ImpostorPart, Surface};

use super::grown::{self, VARIANTS};
use super::impostor;

/// The texels of a layer along a side.
const SIZE: u32 = 512;

/// All surfaces of plants, a layer each.
pub(super) fn surfaces() -> Image {
    let bytes = baked();
    let layers = Surface::ALL.len() as u32;
    let size = Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: layers };
    let format = TextureFormat::Rgba8UnormSrgb;
    let usage = RenderAssetUsages::RENDER_WORLD;
    let mut image = Image::new_uninit(size, TextureDimension::D2, format, usage);
    image.texture_descriptor.mip_level_count = SIZE.ilog2() + 1;
    image.texture_descriptor.usage = TextureUsages::TEXTURE_BINDING;
    image.data = Some(bytes.to_vec());
    image.sampler = ImageSampler::Descriptor(sampler());
    image
}

/// The impostors of all variants of the model with an index in
/// [`Model::GROWN`](orogeny::scatter::Model::GROWN).
pub(super) async fn impostors(model: u8) -> Image {
    let mut all = Vec::with_capacity(VARIANTS);
    for variant in 0..VARIANTS as u8 {
        all.push(baked_impostor(model, variant));
        // Chunks of ground wait for the same threads.
        yield_now().await;
    }
    impostor::pictures(&all, RenderAssetUsages::RENDER_WORLD)
}

fn baked_impostor(model: u8, variant: u8) -> Impostor {
    let layers = baked().chunks_exact(baked().len() / Surface::ALL.len());
    let finest = &grown::levels(model, variant).levels[0];
    let parts = Surface::ALL.into_iter().zip(layers);
    let parts = parts.map(|(surface, layer)| ImpostorPart::of(finest, surface, layer));
    Impostor::bake(&parts.collect::<Vec<_>>())
}

/// All layers, baked once in a process.
fn baked() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(bake)
}

/// Repeats around trunks.
pub(super) fn sampler() -> ImageSamplerDescriptor {
    ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        anisotropy_clamp: 4,
        ..ImageSamplerDescriptor::default()
    }
}

/// Bakes all layers, on as many cores as there are. A browser has one, and no threads.
fn bake() -> Vec<u8> {
    #[cfg(target_family = "wasm")]
    return Surface::ALL.iter().flat_map(|surface| surface.bake(SIZE)).collect();
    #[cfg(not(target_family = "wasm"))]
    std::thread::scope(|scope| {
        let tasks = Surface::ALL.map(|surface| scope.spawn(move || surface.bake(SIZE)));
        let layers = tasks.into_iter().map(|task| task.join().expect("baking does not panic"));
        layers.flatten().collect()
    })
}
