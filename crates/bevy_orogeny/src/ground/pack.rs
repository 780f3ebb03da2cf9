//! Makes textures from recipes and images, and packs them: what tasks do.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bevy_color::{ColorToComponents, LinearRgba};
use bevy_image::Image;
use image::{Rgba, RgbaImage};
use orogeny::cover::CoverKind;
use orogeny::texture::{Texels, Texture};

use super::arrays::{self, Packed, Slot, Source};
use crate::images::{Channels, Pixels, pixels, resampled};
use crate::slices::turn;

/// The images of a material, in the order of its fields; none for other sources.
pub(super) type Input = [Option<Box<Image>>; 5];

/// What to pack for a terrain.
pub(super) struct Request {
    /// Its own textures, and what they are made from.
    pub own: Vec<(Source, Input)>,
    /// The kinds of which it has the plugin's textures beside those.
    pub kinds: Vec<CoverKind>,
    /// Its own textures that were packed last.
    pub known: Vec<Slot>,
    /// The most texels along a side of a texture of images.
    pub largest: u32,
    /// Whether those of images are resampled, even if they are known.
    pub resizes: bool,
}

/// Packed textures, and what is wrong with those that could not be used.
pub(super) struct Done {
    pub packed: Packed,
    pub own: Vec<Slot>,
    pub errors: Vec<String>,
}

/// Packs the plugin's textures of some kinds and a terrain's own. One that fails stays as it was.
/// `progress` counts those that are done. All are as large as the largest, so those of other kinds
/// are left out; that of rock is for kinds without a texture.
pub(super) async fn pack(request: Request, progress: &AtomicUsize) -> Done {
    let Request { own: wanted, kinds, known, largest, resizes } = request;
    let (mut own, mut errors) = (Vec::new(), Vec::new());
    for (done, (source, input)) in wanted.into_iter().enumerate() {
        progress.store(done, Ordering::Relaxed);
        turn().await;
        // Recipes have one size.
        let stays = !resizes || matches!(source, Source::Recipe(_));
        if let Some(slot) = known.iter().find(|slot| stays && slot.source == source) {
            own.push(slot.clone());
            continue;
        }
        let before = match &source {
            Source::Own { kind, .. } => known.iter().find(|slot| slot.source.is_of(kind)).cloned(),
            _ => None,
        };
        match slot(source, input, largest) {
            Ok(slot) => own.push(slot),
            Err(error) => {
                errors.push(error);
                own.extend(before);
            }
        }
    }
    let replaced = |slot: &Slot| {
        let Source::Baked(kind) = &slot.source else { return None };
        own.iter().find(|own| own.source.is_of(kind))
    };
    let is_used = |slot: &&Slot| match &slot.source {
        Source::Baked(kind) => *kind == CoverKind::Rock || kinds.contains(kind),
        _ => true,
    };
    let baked = arrays::baked_slots().iter().filter(is_used);
    let mut slots: Vec<Slot> = baked.map(|slot| replaced(slot).unwrap_or(slot).clone()).collect();
    let more: Vec<Slot> = own.iter().filter(|own| !slots.contains(own)).cloned().collect();
    slots.extend(more);
    Done { packed: Packed::new(slots.into()), own, errors }
}

/// Makes a texture, of images at most that large.
fn slot(source: Source, input: Input, largest: u32) -> Result<Slot, String> {
    match &source {
        Source::Recipe(recipe) => {
            let recipe = recipe.clone();
            arrays::baked_slot(source, &recipe).map_err(|error| error.to_string())
        }
        Source::Own { kind, material, .. } => {
            let size = natural_size(&input, largest);
            let mut maps = [const { None }; 5];
            // One after the other, so that few of the full size are in memory.
            for (k, image) in input.into_iter().enumerate() {
                let Some(image) = image else {
                    // The one of before stays, in the size that it has.
                    if material.images()[k].is_some() {
                        return Err(format!("{}: {} is not there", kind.name(), MAPS[k]));
                    }
                    continue;
                };
                let channels = if k == 0 { Channels::Colour } else { Channels::Numbers };
                let read = pixels(&image, material.array_layer, channels);
                let map = read.map_err(|error| format!("{}: {} {error}", kind.name(), MAPS[k]))?;
                drop(image);
                maps[k] = Some(resampled(map, size, channels));
            }
            let maps = Maps {
                images: maps,
                flip_normal_map_y: material.flip_normal_map_y,
                roughness: material.roughness,
            };
            let tint = LinearRgba::from(material.tint).to_f32_array_no_alpha();
            let (width, forms) = (material.width, material.forms);
            let (bump, height_blend) = (material.bump, material.height_blend);
            let texture = Arc::new(maps.texture(size));
            Ok(Slot { source, texture, width, forms, tint: Some(tint), bump, height_blend })
        }
        Source::Baked(_) | Source::Canopy => {
            Err("a texture of the plugin's own is always there".into())
        }
    }
}

/// The side of a texture that has as much detail as the largest image.
fn natural_size(images: &Input, largest: u32) -> u32 {
    let sides = images.iter().flatten().map(|image| image.width().max(image.height()));
    sides.max().unwrap_or(1).min(largest).next_power_of_two()
}

/// What the images of a material are called in errors.
const MAPS: [&str; 5] = [
    "base_color_texture",
    "normal_map_texture",
    "occlusion_texture",
    "metallic_roughness_texture",
    "depth_map",
];

/// The images of a material, all of one size, in the order of its fields.
struct Maps {
    pub images: [Option<Pixels>; 5],
    pub flip_normal_map_y: bool,
    /// Multiplies the roughness.
    pub roughness: f32,
}

impl Maps {
    /// Makes a texture of them.
    pub fn texture(self, size: u32) -> Texture {
        let [colour, normal, occlusion, roughness, height] = self.images;
        let count = size as usize * size as usize;
        let mut texels = Texels {
            colour: Vec::with_capacity(4 * count),
            surface: Vec::with_capacity(4 * count),
        };
        for y in 0..size {
            for x in 0..size {
                let at = |image: &Option<Pixels>, neutral: [u8; 4]| {
                    image.as_ref().map_or(Rgba(neutral), |image| *image.get_pixel(x, y)).0
                };
                let [r, g, b, _] = at(&colour, [255; 4]);
                let [height, ..] = at(&height, [128; 4]);
                texels.colour.extend([r, g, b, height]);
                let [nx, ny, ..] = at(&normal, [128, 128, 255, 255]);
                // Texels have y downwards.
                let ny = if self.flip_normal_map_y { ny } else { 0u8.wrapping_sub(ny.max(1)) };
                let [_, roughness, ..] = at(&roughness, [242; 4]);
                let roughness = (f32::from(roughness) * self.roughness + 0.5) as u8;
                let [occlusion, ..] = at(&occlusion, [255; 4]);
                texels.surface.extend([nx, ny, roughness, occlusion]);
            }
        }
        Texture::new(texels, size, 0.1)
    }
}

/// A texture of another size.
pub(super) fn resized(texture: &Texture, size: u32) -> Texture {
    let level = 4 * texture.size as usize * texture.size as usize;
    let resize = |bytes: &[u8], channels| {
        let image = RgbaImage::from_raw(texture.size, texture.size, bytes[..level].to_vec());
        resampled(image.expect("four bytes a texel"), size, channels).into_raw()
    };
    let Texels { colour, surface } = &texture.levels;
    let texels = Texels {
        colour: resize(colour, Channels::Colour),
        surface: resize(surface, Channels::Numbers),
    };
    Texture::new(texels, size, texture.relief)
}

#[cfg(test)]
mod tests {
    use bevy_tasks::block_on;
    use orogeny::cover::CoverLayer;

    use crate::ground::arrays::{canopy_slot, slot_of};

    use super::*;

    #[test]
    fn only_kinds_of_the_cover_are_packed() {
        let lawn = Source::Own { kind: CoverKind::Grass, material: Box::default(), version: 0 };
        let kinds = vec![CoverKind::Grass, CoverKind::Sand];
        let progress = AtomicUsize::default();
        let own = vec![(lawn.clone(), Input::default())];
        let request = Request { own, kinds, known: Vec::new(), largest: 1024, resizes: false };
        let done = block_on(pack(request, &progress));
        assert!(done.errors.is_empty(), "{:?}", done.errors);
        let slots = &done.packed.slots;
        let found: Vec<Source> = slots.iter().map(|slot| slot.source.clone()).collect();
        let [rock, sand] = [CoverKind::Rock, CoverKind::Sand].map(Source::Baked);
        assert_eq!(found, [rock, lawn, sand, Source::Canopy]);
        assert_eq!(canopy_slot(slots), 3);
        for (kind, slot) in [(CoverKind::Sand, 2), (CoverKind::Custom("lava".into()), 0)] {
            assert_eq!(slot_of(slots, &CoverLayer::of(kind)), slot);
        }
    }
}
