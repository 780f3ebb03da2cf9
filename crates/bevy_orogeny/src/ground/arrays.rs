//! The textures of a terrain in two array textures.

use std::sync::Arc;

use bevy_asset::{Assets, Handle, RenderAssetUsages};
use bevy_color::{ColorToComponents, LinearRgba, Srgba};
use bevy_image::{Image, ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy_render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};
use orogeny::cover::{CoverKind, CoverLayer, EdgeTextures};
use orogeny::texture::{Texture, TextureRecipe, mip_count};

use crate::ground::baked;
use crate::ground::ground_material::GroundMaterial;
use crate::ground::maps::resized;

/// Where a texture comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    /// One of the plugin's own.
    Baked(CoverKind),
    /// The plugin's forest from afar.
    Canopy,
    /// The recipe of a layer.
    Recipe(Box<TextureRecipe>),
    /// A game's own, for a kind.
    Own {
        kind: CoverKind,
        material: Box<GroundMaterial>,
        /// Counts changes of its images.
        version: u64,
    },
}

impl Source {
    /// Whether it is a game's own for a kind.
    pub(super) fn is_of(&self, wanted: &CoverKind) -> bool {
        matches!(self, Self::Own { kind, .. } if kind == wanted)
    }
}

/// A texture with what the shader knows of it.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(super) source: Source,
    pub(super) texture: Arc<Texture>,
    /// The width of a tile in metres, and the factor of the far scale.
    pub(super) width: f32,
    pub(super) far_scale: f32,
    /// What multiplies the colour, linear; `None` if the colour of the layer is its mean.
    pub(super) tint: Option<[f32; 3]>,
    pub(super) bump: f32,
    pub(super) height_blend: f32,
}

/// The same textures, not equal ones: comparing all texels would be slow.
impl PartialEq for Slot {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.texture, &other.texture) && self.source == other.source
    }
}

impl Slot {
    /// The mean colour, linear.
    pub(super) fn mean(&self) -> [f32; 3] {
        let [r, g, b] = self.texture.mean_colour();
        LinearRgba::from(Srgba::rgb_u8(r, g, b)).to_f32_array_no_alpha()
    }

    /// The mean roughness.
    pub(super) fn roughness(&self) -> f32 {
        let surface = &self.texture.levels.surface;
        f32::from(surface[surface.len() - 2]) / 255.0
    }
}

/// The slot of a layer: its own recipe, the game's texture of its kind, or the plugin's.
pub(super) fn slot_of(slots: &[Slot], layer: &CoverLayer) -> usize {
    let find = |is_it: &dyn Fn(&Source) -> bool| slots.iter().position(|slot| is_it(&slot.source));
    let recipe = layer
        .texture
        .as_ref()
        .and_then(|own| find(&|source| matches!(source, Source::Recipe(recipe) if recipe == own)));
    let own = || find(&|source| source.is_of(&layer.kind));
    let baked = || find(&|source| matches!(source, Source::Baked(kind) if *kind == layer.kind));
    recipe.or_else(own).or_else(baked).unwrap_or(0)
}

/// The slot of the canopy.
pub(super) fn canopy_slot(slots: &[Slot]) -> usize {
    slots.iter().position(|slot| slot.source == Source::Canopy).unwrap_or(0)
}

/// The bytes of both arrays: layers with all their mip levels.
pub(super) struct Packed {
    pub slots: Arc<[Slot]>,
    size: u32,
    colours: Vec<u8>,
    surfaces: Vec<u8>,
}

impl Packed {
    /// Packs textures in the size of the largest.
    pub fn new(slots: Arc<[Slot]>) -> Self {
        let size = slots.iter().map(|slot| slot.texture.size).max().unwrap_or(1);
        let (mut colours, mut surfaces) = (Vec::new(), Vec::new());
        for slot in slots.iter() {
            let mut add = |texture: &Texture| {
                colours.extend_from_slice(&texture.levels.colour);
                surfaces.extend_from_slice(&texture.levels.surface);
            };
            if slot.texture.size == size {
                add(&slot.texture);
            } else {
                add(&resized(&slot.texture, size));
            }
        }
        Self { slots, size, colours, surfaces }
    }

    /// Adds both arrays to the app.
    pub fn into_arrays(self, images: &mut Assets<Image>, anisotropy: u16) -> GroundArrays {
        let Self { slots, size, colours, surfaces } = self;
        let extent =
            Extent3d { width: size, height: size, depth_or_array_layers: slots.len() as u32 };
        let mut add = |data, format| {
            images.add(array(extent, mip_count(size), data, format, sampler(anisotropy)))
        };
        GroundArrays {
            colours: add(colours, TextureFormat::Rgba8UnormSrgb),
            surfaces: add(surfaces, TextureFormat::Rgba8Unorm),
            slots,
        }
    }
}

/// Both arrays on the device, with what is in them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GroundArrays {
    pub(super) colours: Handle<Image>,
    pub(super) surfaces: Handle<Image>,
    pub(super) slots: Arc<[Slot]>,
}

/// Repeats, and filters with so many texels along a pixel's footprint.
pub(super) fn sampler(anisotropy: u16) -> ImageSamplerDescriptor {
    let repeat = ImageAddressMode::Repeat;
    ImageSamplerDescriptor {
        address_mode_u: repeat,
        address_mode_v: repeat,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        anisotropy_clamp: anisotropy,
        ..ImageSamplerDescriptor::default()
    }
}

fn array(
    size: Extent3d,
    mips: u32,
    data: Vec<u8>,
    format: TextureFormat,
    sampler: ImageSamplerDescriptor,
) -> Image {
    let usage = RenderAssetUsages::default();
    let mut image = Image::new_uninit(size, TextureDimension::D2, format, usage);
    image.texture_descriptor.mip_level_count = mips;
    // Without COPY_DST a changed image is created anew. Bevy would write to its first level alone.
    image.texture_descriptor.usage = TextureUsages::TEXTURE_BINDING;
    image.data = Some(data);
    image.sampler = ImageSampler::Descriptor(sampler);
    image
}

/// The image of the noise of cover.
pub(super) fn edges(images: &mut Assets<Image>) -> Handle<Image> {
    let EdgeTextures { coarse, fine } = baked::edges();
    let side = EdgeTextures::SIZE as u32;
    let size = Extent3d { width: side, height: side, depth_or_array_layers: 2 };
    let data = [coarse.as_slice(), fine].concat();
    let sampler = sampler(1);
    images.add(array(size, mip_count(side), data, TextureFormat::Rgba8Unorm, sampler))
}
