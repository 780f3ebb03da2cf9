//! The larger forms of the kinds of cover, as layers of the image of cover's noise.

use std::sync::OnceLock;

use bevy_color::{ColorToComponents, LinearRgba, Srgba};
use orogeny::cover::{CoverKind, EdgeTextures};
use orogeny::texture::{Texture, TextureRecipe};

/// The layers before them, which have the noise.
pub(super) const FIRST: usize = 2;

/// The kinds that have forms, in the order of their layers, with what they are baked from.
fn recipes() -> impl Iterator<Item = (CoverKind, TextureRecipe)> {
    CoverKind::ALL.into_iter().filter_map(|kind| kind.forms().map(|recipe| (kind, recipe)))
}

/// Those kinds, and the widths of their tiles in metres.
fn kinds() -> &'static [(CoverKind, f32)] {
    static KINDS: OnceLock<Vec<(CoverKind, f32)>> = OnceLock::new();
    KINDS.get_or_init(|| recipes().map(|(kind, recipe)| (kind, recipe.width)).collect())
}

/// The number of layers.
pub(super) fn count() -> usize {
    kinds().len()
}

/// The layer of a kind in the image, and the width of its tile in metres.
pub(super) fn of_kind(kind: &CoverKind) -> Option<(usize, f32)> {
    let layer = kinds().iter().position(|(other, _)| other == kind)?;
    Some((FIRST + layer, kinds()[layer].1))
}

/// The bytes of all layers, with mip levels: for each texel x and y of the normal (128 is 0), half
/// of how many times brighter than the mean it is, and how much warmer (128 is as warm).
pub(super) fn texels() -> &'static [u8] {
    static TEXELS: OnceLock<Vec<u8>> = OnceLock::new();
    TEXELS.get_or_init(|| {
        let bake = |(_, recipe): (CoverKind, TextureRecipe)| {
            relative(&recipe.bake(EdgeTextures::SIZE as u32).expect("the plugin's forms are valid"))
        };
        recipes().flat_map(bake).collect()
    })
}

/// The texels of one layer.
fn relative(texture: &Texture) -> Vec<u8> {
    let linear: [f32; 256] = core::array::from_fn(|k| {
        let grey = Srgba::rgb_u8(k as u8, k as u8, k as u8);
        LinearRgba::from(grey).to_f32_array_no_alpha()[0]
    });
    let mean = texture.mean_colour().map(|part| linear[usize::from(part)].max(1e-3));
    let byte = |x: f32| (255.0 * x.clamp(0.0, 1.0)).round() as u8;
    let colours = texture.levels.colour.as_chunks::<4>().0;
    let surfaces = texture.levels.surface.as_chunks::<4>().0;
    let texel = |(&[r, g, b, _], &[x, y, ..]): (&[u8; 4], &[u8; 4])| {
        let [r, g, b] =
            [(r, 0), (g, 1), (b, 2)].map(|(part, k)| linear[usize::from(part)] / mean[k]);
        let brightness = (r + g + b) / 3.0;
        [x, y, byte(0.5 * brightness), byte(0.5 + (r - b) / brightness.max(1e-3))]
    };
    colours.iter().zip(surfaces).flat_map(texel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Light and warmth are those of the mean over a tile, so forms change no colour of a land.
    #[test]
    fn forms_are_as_bright_as_their_mean() {
        let bytes = texels().len() / count();
        for (number, layer) in texels().chunks_exact(bytes).enumerate() {
            let (kind, width) = &kinds()[number];
            assert_eq!(of_kind(kind), Some((FIRST + number, *width)));
            let finest = layer[..4 * EdgeTextures::SIZE.pow(2)].as_chunks::<4>().0;
            let mean = |k: usize| {
                finest.iter().map(|texel| f64::from(texel[k])).sum::<f64>() / finest.len() as f64
            };
            assert!((mean(2) - 127.5).abs() < 4.0, "{kind:?}: {}", mean(2));
            assert!((mean(3) - 127.5).abs() < 4.0, "{kind:?}: {}", mean(3));
            let differs = finest.iter().filter(|texel| texel[2].abs_diff(128) > 6).count();
            assert!(8 * differs > finest.len(), "{kind:?} is even");
        }
        assert_eq!(of_kind(&CoverKind::Custom("lava".into())), None);
    }
}
