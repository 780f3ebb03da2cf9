//! The textures of a terrain in two array textures, and the plugin's own, baked once in a process.

use std::sync::{Arc, OnceLock};

use bevy_asset::{Assets, Handle, RenderAssetUsages};
use bevy_color::{ColorToComponents, LinearRgba, Srgba};
use bevy_image::Image;
use bevy_render::render_resource::TextureFormat;
use orogeny::DataError;
use orogeny::cover::{CoverKind, CoverLayer, EdgeTextures, canopy};
use orogeny::texture::{Texture, TextureRecipe};

use super::forms;
use super::ground_textures::GroundMaterial;
use super::pack::resized;
use crate::images::{array, sampler};

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
    /// The width of a tile in metres.
    pub(super) width: f32,
    /// The strength of larger forms.
    pub(super) forms: f32,
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
        let layers = slots.len() as u32;
        let usage = RenderAssetUsages::default();
        let mut add = |data, format| {
            images.add(array(size, layers, format, data, sampler(anisotropy), usage))
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

/// The image of the noise of cover, and of larger forms behind it: one texture less for the shader,
/// since some devices have just 16.
pub(super) fn edges(images: &mut Assets<Image>) -> Handle<Image> {
    let EdgeTextures { coarse, fine } = edge_textures();
    let data = [coarse.as_slice(), fine, forms::texels()].concat();
    let layers = (forms::FIRST + forms::count()) as u32;
    let (format, usage) = (TextureFormat::Rgba8Unorm, RenderAssetUsages::default());
    images.add(array(EdgeTextures::SIZE as u32, layers, format, data, sampler(1), usage))
}

/// Their texels along a side.
const SIZE: u32 = 512;

/// The textures of the kinds of cover, and the canopy behind them.
pub(super) fn baked_slots() -> &'static [Slot] {
    static SLOTS: OnceLock<Vec<Slot>> = OnceLock::new();
    SLOTS.get_or_init(|| {
        let kinds = CoverKind::ALL.map(Source::Baked);
        // On as many cores as there are. A browser has one, and no threads.
        #[cfg(target_family = "wasm")]
        return kinds.into_iter().chain([Source::Canopy]).map(bake).collect();
        #[cfg(not(target_family = "wasm"))]
        std::thread::scope(|scope| {
            // Wanted next.
            scope.spawn(edge_textures);
            scope.spawn(forms::texels);
            let sources = kinds.into_iter().chain([Source::Canopy]);
            let tasks: Vec<_> = sources.map(|source| scope.spawn(|| bake(source))).collect();
            tasks.into_iter().map(|task| task.join().expect("baking does not panic")).collect()
        })
    })
}

/// The slot of one of the plugin's own textures.
fn bake(source: Source) -> Slot {
    let recipe = match &source {
        Source::Canopy => canopy(),
        Source::Baked(kind) => kind.texture(),
        Source::Recipe(_) | Source::Own { .. } => unreachable!("not one of the plugin's own"),
    };
    baked_slot(source, &recipe).expect("the plugin's textures are valid")
}

/// Bakes a recipe.
///
/// # Errors
/// Those of [`TextureRecipe::bake`].
pub(super) fn baked_slot(source: Source, recipe: &TextureRecipe) -> Result<Slot, DataError> {
    Ok(Slot {
        source,
        texture: Arc::new(recipe.bake(SIZE)?),
        width: recipe.width,
        forms: 1.0,
        tint: None,
        bump: 1.0,
        height_blend: 1.0,
    })
}

/// The noise of cover.
fn edge_textures() -> &'static EdgeTextures {
    static EDGES: OnceLock<EdgeTextures> = OnceLock::new();
    EDGES.get_or_init(EdgeTextures::new)
}
