//! The textures of plants.

use std::sync::OnceLock;

use bevy_asset::RenderAssetUsages;
use bevy_image::{Image, ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy_render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};
use orogeny_models::{Impostor, ImpostorPart, Surface};

use super::grown::{self, VARIANTS};
use super::impostor;
use crate::slices::{let_others_work, turn};

/// The texels of a layer along a side.
const SIZE: u32 = 512;

/// All surfaces of plants, a layer each.
pub(super) async fn surfaces() -> Image {
    let bytes = baked().await;
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
        all.push(baked_impostor(model, variant).await);
        // Chunks of ground wait for the same threads.
        let_others_work().await;
    }
    impostor::pictures(&all, RenderAssetUsages::RENDER_WORLD)
}

async fn baked_impostor(model: u8, variant: u8) -> Impostor {
    let bytes = baked().await;
    let layers = bytes.chunks_exact(bytes.len() / Surface::ALL.len());
    let finest = &grown::levels(model, variant).levels[0];
    let parts = Surface::ALL.into_iter().zip(layers);
    let parts = parts.map(|(surface, layer)| ImpostorPart::of(finest, surface, layer));
    Impostor::bake_in_turns(&parts.collect::<Vec<_>>(), turn).await
}

/// All layers, baked once in a process.
async fn baked() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    #[cfg(target_family = "wasm")]
    if BYTES.get().is_none() {
        let baked = bake().await;
        return BYTES.get_or_init(|| baked);
    }
    #[cfg(not(target_family = "wasm"))]
    BYTES.get_or_init(bake);
    BYTES.get().expect("they are baked")
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

/// Bakes all layers in turns.
#[cfg(target_family = "wasm")]
async fn bake() -> Vec<u8> {
    let mut layers = Vec::new();
    for surface in Surface::ALL {
        layers.extend(surface.bake_in_turns(SIZE, turn).await);
    }
    layers
}

/// Bakes all layers, on as many cores as there are.
#[cfg(not(target_family = "wasm"))]
fn bake() -> Vec<u8> {
    std::thread::scope(|scope| {
        let tasks = Surface::ALL.map(|surface| scope.spawn(move || surface.bake(SIZE)));
        let layers = tasks.into_iter().map(|task| task.join().expect("baking does not panic"));
        layers.flatten().collect()
    })
}
