//! Makes textures from recipes and images, and packs them: what tasks do.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bevy_color::{ColorToComponents, LinearRgba};
use orogeny::cover::CoverKind;

use crate::ground::arrays::{Packed, Slot, Source};
use crate::ground::baked;
use crate::ground::look::Input;
use crate::ground::maps::Maps;
use crate::images::pixels::pixels;
use crate::images::resample::{Channels, resampled};
use crate::slices::turn;

/// Packed textures, and what is wrong with those that could not be used.
pub(super) struct Done {
    pub packed: Packed,
    pub own: Vec<Slot>,
    pub errors: Vec<String>,
}

/// Packs the plugin's textures of some kinds and a terrain's own. One that fails stays as it was.
/// `progress` counts those that are done. All are as large as the largest, so those of other kinds
/// are left out; that of rock is for kinds without a texture.
pub(super) async fn pack(
    (sources, kinds): (Vec<Source>, Vec<CoverKind>),
    inputs: Vec<Input>,
    known: &[Slot],
    largest: u32,
    resizes: bool,
    progress: &AtomicUsize,
) -> Done {
    let (mut own, mut errors) = (Vec::new(), Vec::new());
    for (done, (source, input)) in sources.into_iter().zip(inputs).enumerate() {
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
    let baked = baked::slots().iter().filter(is_used);
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
            baked::slot(source, &recipe).map_err(|error| error.to_string())
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
            let (width, far_scale) = (material.width, material.far_scale);
            let (bump, height_blend) = (material.bump, material.height_blend);
            let texture = Arc::new(maps.texture(size));
            Ok(Slot { source, texture, width, far_scale, tint: Some(tint), bump, height_blend })
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

#[cfg(test)]
mod tests {
    use bevy_tasks::block_on;
    use orogeny::cover::CoverLayer;

    use super::*;
    use crate::ground::arrays::{canopy_slot, slot_of};

    #[test]
    fn only_kinds_of_the_cover_are_packed() {
        let lawn = Source::Own { kind: CoverKind::Grass, material: Box::default(), version: 0 };
        let kinds = vec![CoverKind::Grass, CoverKind::Sand];
        let progress = AtomicUsize::default();
        let sources = (vec![lawn.clone()], kinds);
        let done = block_on(pack(sources, vec![Input::default()], &[], 1024, false, &progress));
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
