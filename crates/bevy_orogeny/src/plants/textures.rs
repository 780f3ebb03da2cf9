//! The textures of the plugin's own plants: patterns, and impostors. They are baked on tasks when
//! they are first drawn.

use std::collections::VecDeque;
use std::sync::OnceLock;

use bevy_asset::{Assets, RenderAssetUsages};
use bevy_ecs::prelude::*;
use bevy_image::{Image, ImageFilterMode, ImageSamplerDescriptor};
use bevy_render::render_resource::TextureFormat;
use bevy_tasks::Task;
use bevy_tasks::futures::check_ready;
use orogeny_models::{Impostor, ImpostorPart, Pattern};

use super::grown::{self, SEEDS};
use super::material::{PlantMaterial, PlantMaterials};
use crate::images::{array, sampler};
use crate::slices::{self, let_others_work, turn};

/// Some of the textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Textures {
    /// Those of meshes.
    Patterns,
    /// Those of the impostors of a model, by its index in
    /// [`Model::GROWN`](orogeny::scatter::Model::GROWN).
    Impostors(u8),
}

/// The textures that are baked, or were.
#[derive(Resource, Default)]
pub(crate) struct Baking {
    started: Vec<Textures>,
    waiting: VecDeque<Textures>,
    task: Option<(Textures, Task<Image>)>,
}

impl Baking {
    /// Starts to bake textures, unless that has been done.
    pub(super) fn start(&mut self, wanted: Textures) {
        if self.started.contains(&wanted) {
            return;
        }
        self.started.push(wanted);
        self.waiting.push_back(wanted);
        // Impostors are baked of the patterns.
        self.start(Textures::Patterns);
    }

    /// Starts the next task. One at a time leaves threads for the ground.
    fn proceed(&mut self) {
        if self.task.is_some() {
            return;
        }
        let first = self.waiting.iter().position(|wanted| *wanted == Textures::Patterns);
        let Some(next) = self.waiting.remove(first.unwrap_or(0)) else { return };
        let task = async move {
            match next {
                Textures::Patterns => patterns().await,
                Textures::Impostors(model) => impostors(model).await,
            }
        };
        self.task = Some((next, slices::spawn(task)));
    }

    /// The number of textures that are being baked.
    pub(crate) fn unfinished(&self) -> usize {
        self.waiting.len() + usize::from(self.task.is_some())
    }

    /// Forgets what was baked: it is on the device alone, which was lost.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// Shows what has been baked.
pub(crate) fn receive(
    mut baking: ResMut<Baking>,
    materials: Res<PlantMaterials>,
    mut images: ResMut<Assets<Image>>,
    mut plants: ResMut<Assets<PlantMaterial>>,
) {
    let baking = &mut *baking;
    if let Some((textures, task)) = &mut baking.task
        && let Some(image) = check_ready(task)
    {
        materials.show(*textures, image, &mut images, &mut plants);
        baking.task = None;
    }
    baking.proceed();
}

/// The texels of a layer along a side.
const SIZE: u32 = 512;
/// The texels along a pixel's footprint with which textures of plants are filtered.
pub(super) const ANISOTROPY: u16 = 4;
/// Their format.
pub(super) const FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// All patterns of plants, a layer each.
async fn patterns() -> Image {
    let (layers, data) = (Pattern::ALL.len() as u32, baked().await.to_vec());
    array(SIZE, layers, FORMAT, data, sampler(ANISOTROPY), RenderAssetUsages::RENDER_WORLD)
}

/// The impostors of all seeds of the model with an index in
/// [`Model::GROWN`](orogeny::scatter::Model::GROWN).
async fn impostors(model: u8) -> Image {
    let mut all = Vec::with_capacity(SEEDS);
    for seed in 0..SEEDS as u8 {
        all.push(baked_impostor(model, seed).await);
        // Chunks of ground wait for the same threads.
        let_others_work().await;
    }
    pictures(&all, RenderAssetUsages::RENDER_WORLD)
}

async fn baked_impostor(model: u8, seed: u8) -> Impostor {
    let bytes = baked().await;
    let layers = bytes.chunks_exact(bytes.len() / Pattern::ALL.len());
    let finest = &grown::levels(model, seed).levels[0];
    let parts = Pattern::ALL.into_iter().zip(layers);
    let parts = parts.map(|(pattern, layer)| ImpostorPart::of(finest, pattern, layer));
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

/// Bakes all layers in turns.
#[cfg(target_family = "wasm")]
async fn bake() -> Vec<u8> {
    let mut layers = Vec::new();
    for pattern in Pattern::ALL {
        layers.extend(pattern.bake_in_turns(SIZE, turn).await);
    }
    layers
}

/// Bakes all layers, on as many cores as there are.
#[cfg(not(target_family = "wasm"))]
fn bake() -> Vec<u8> {
    std::thread::scope(|scope| {
        let tasks = Pattern::ALL.map(|pattern| scope.spawn(move || pattern.bake(SIZE)));
        let layers = tasks.into_iter().map(|task| task.join().expect("baking does not panic"));
        layers.flatten().collect()
    })
}

/// The pictures of impostors, two layers each.
pub(super) fn pictures(impostors: &[Impostor], usage: RenderAssetUsages) -> Image {
    let bytes = impostors.iter().flat_map(|all| [&all.colours[..], &all.normals[..]]);
    let data = bytes.collect::<Vec<_>>().concat();
    let sampler = ImageSamplerDescriptor {
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        // In the next one, frames have two texels along a side.
        lod_max_clamp: 4.0,
        anisotropy_clamp: ANISOTROPY,
        ..ImageSamplerDescriptor::default()
    };
    array(Impostor::SIZE, 2 * impostors.len() as u32, FORMAT, data, sampler, usage)
}
