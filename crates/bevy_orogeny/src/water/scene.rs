//! What water reads of the scene that it is drawn over: images that the renderer fills for each
//! view, just before it draws what is transparent.
//!
//! All views share them, since they are drawn one after the other: the depth by pixel, as large as
//! the largest target, and the haze of the view's atmosphere.

use bevy_app::App;
use bevy_asset::{Assets, Handle, RenderAssetUsages};
use bevy_camera::{Camera, Camera3d};
use bevy_ecs::prelude::*;
use bevy_image::{Image, ImageSampler};
use bevy_math::UVec2;
use bevy_render::render_resource::{
    Extent3d, TextureDimension, TextureFormat, TextureUsages, WgpuFeatures,
};
use bevy_render::renderer::RenderDevice;

use super::sea::Sea;
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::streaming::chunk_entity::ChunkWater;

/// The format of depths.
pub(super) const DEPTH: TextureFormat = TextureFormat::R32Float;
/// The format of haze.
pub(super) const HAZE: TextureFormat = TextureFormat::Rgba16Float;
/// The slices of haze, and their pixels along each side, as in `haze.wgsl`.
const SLICES: u32 = 32;
/// Sizes of the depth are multiples of this, so that a window that is dragged does not make a new
/// image in every frame.
const SIZE_STEP: u32 = 256;

/// The images, and what the device can do with them.
#[derive(Resource, Clone, Default)]
pub(super) struct Scene {
    pub depth: Option<Handle<Image>>,
    pub haze: Option<Handle<Image>>,
    /// Whether blending has a factor for each colour.
    pub by_colour: bool,
    size: UVec2,
}

/// The order of the systems that pass the scene to materials.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FitScene;

pub(super) fn build(app: &mut App) {
    app.init_resource::<Scene>()
        .add_systems(StreamTerrain, fit.in_set(FitScene).in_set(TerrainSystems::Follow));
}

fn image(size: [u32; 2], format: TextureFormat) -> Image {
    let [width, height] = size;
    let size = Extent3d { width, height, depth_or_array_layers: 1 };
    // In the main world, too, so that it is there again when the device was lost.
    let usages = RenderAssetUsages::default();
    let mut image = Image::new_uninit(size, TextureDimension::D2, format, usages);
    image.texture_descriptor.usage =
        TextureUsages::TEXTURE_BINDING | TextureUsages::RENDER_ATTACHMENT;
    image.sampler = ImageSampler::linear();
    image
}

/// Keeps the depth as large as the largest target, once there is water.
fn fit(
    cameras: Query<&Camera, With<Camera3d>>,
    water: Query<(), Or<(With<Sea>, With<ChunkWater>)>>,
    device: Option<Res<RenderDevice>>,
    mut scene: ResMut<Scene>,
    mut images: ResMut<Assets<Image>>,
) {
    let Some(device) = device.filter(|_| !water.is_empty()) else { return };
    let sizes = cameras.iter().filter_map(Camera::physical_target_size);
    let largest = sizes.fold(UVec2::ONE, UVec2::max);
    let most = UVec2::splat(device.limits().max_texture_dimension_2d);
    let fitting = largest.map(|side| side.next_multiple_of(SIZE_STEP)).min(most);
    if fitting.cmple(scene.size).all() {
        return;
    }
    let scene = &mut *scene;
    scene.size = scene.size.max(fitting);
    // A new handle, so that materials are bound anew.
    scene.depth = Some(images.add(image(scene.size.into(), DEPTH)));
    if scene.haze.is_none() {
        scene.haze = Some(images.add(image([SLICES * SLICES, SLICES + 1], HAZE)));
    }
    scene.by_colour = device.features().contains(WgpuFeatures::DUAL_SOURCE_BLENDING);
}

/// A material that reads the scene.
pub(super) trait ReadsScene {
    /// Its images of depth and haze, and whether it blends by colour.
    fn scene(&mut self) -> (&mut Option<Handle<Image>>, &mut Option<Handle<Image>>, &mut bool);
    /// The same, to read.
    fn scene_ref(&self) -> (&Option<Handle<Image>>, &Option<Handle<Image>>, bool);
}

impl Scene {
    /// Whether a material has other images.
    pub fn differs(&self, material: &impl ReadsScene) -> bool {
        material.scene_ref() != (&self.depth, &self.haze, self.by_colour)
    }

    /// Gives the images to a material.
    pub fn write(&self, material: &mut impl ReadsScene) {
        let (depth, haze, by_colour) = material.scene();
        depth.clone_from(&self.depth);
        haze.clone_from(&self.haze);
        *by_colour = self.by_colour;
    }
}

/// Implements [`ReadsScene`] for a material with the fields `scene_depth`, `haze`, `by_colour`.
macro_rules! reads_scene {
    ($material:ty) => {
        impl $crate::water::scene::ReadsScene for $material {
            fn scene(
                &mut self,
            ) -> (&mut Option<Handle<Image>>, &mut Option<Handle<Image>>, &mut bool) {
                (&mut self.scene_depth, &mut self.haze, &mut self.by_colour)
            }

            fn scene_ref(&self) -> (&Option<Handle<Image>>, &Option<Handle<Image>>, bool) {
                (&self.scene_depth, &self.haze, self.by_colour)
            }
        }
    };
}
pub(super) use reads_scene;
