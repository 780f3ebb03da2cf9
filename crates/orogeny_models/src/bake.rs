//! Baking of the patterns into layers of a texture array.

mod coverage;
mod mips;
mod srgb;

use std::future::ready;

use glam::{Vec3, Vec4};

use crate::Surface;
use crate::turns::at_once;
use coverage::Coverage;
use mips::Level;
pub(crate) use srgb::Srgb;

/// The most texels along a side.
const MOST: u32 = 4096;
/// The rows of texels between two turns.
const ROWS: usize = 8;
/// The texels that are encoded between two turns.
const TEXELS: usize = 1 << 15;
/// Texels along a side of the smallest level that samples the pattern.
const LEAST: usize = 64;

impl Surface {
    /// Bakes the pattern into a layer of a texture array: RGBA texels of four bytes, the colour
    /// encoded as sRGB and not multiplied by alpha, which is the coverage.
    ///
    /// First come the `size` x `size` texels of level 0, row by row, then all mip levels down to
    /// 1 x 1, without gaps. Texel (i, j) of level 0 shows [`Surface::at`] around
    /// ((i + 0.5) / `size`, (j + 0.5) / `size`). `size` must be a power of two from 1 to 4096;
    /// others are raised to the next one or lowered to 4096. Layers smaller than 64 x 64 are mip
    /// levels of one of that size.
    ///
    /// * Mip levels average the colours in linear light, weighted by coverage. Texels without
    ///   coverage have the colour of what is around them, so that filtering shows no fringe.
    /// * Averages alone would thin foliage out with the distance. Therefore the alpha of each mip
    ///   level is scaled until the share of texels with an alpha of at least 128 is as in level 0,
    ///   in each of the four patterns while a level has 8 x 8 texels, below in all together.
    ///   [Opaque](Self::is_opaque) surfaces have an alpha of 255 everywhere.
    /// * The layer is that of `variant` 0.5, which is untinted. To tint an instance as
    ///   [`Surface::at`] does, multiply the encoded colour by 1 + 0.16 s for [`Rock`](Self::Rock)
    ///   and [`Wood`](Self::Wood), and by (1 + 0.3 s, 1 + 0.14 s, 1 - 0.1 s) for all others, where
    ///   s is `variant` - 0.5. A sampled colour is linear: encode it first.
    pub fn bake(self, size: u32) -> Vec<u8> {
        at_once(self.bake_in_turns(size, || ready(())))
    }

    /// The same, awaiting a turn after each part of the work, for tasks that share a thread.
    pub async fn bake_in_turns<T: Future>(self, size: u32, turn: impl Fn() -> T) -> Vec<u8> {
        let size = rounded(size);
        let srgb = Srgb::new();
        // Fewer samples would miss parts of the pattern.
        let finest = self.finest(size.max(LEAST), &srgb, &turn).await;
        turn().await;
        let mut levels = mips::chain(finest);
        levels.retain(|level| level.size <= size);
        encoded(&levels, &srgb, &turn).await
    }

    /// The pattern. A texel is the mean of two samples on its diagonal, which differ in u and in v,
    /// for half the time of 2 x 2.
    async fn finest<T: Future>(self, size: usize, srgb: &Srgb, turn: &impl Fn() -> T) -> Level {
        let at = |x: usize, y: usize, shift: f32| {
            let uv = [x, y].map(|i| (i as f32 + shift) / size as f32);
            let (colour, coverage) = self.at(uv, 0.5);
            (Vec3::from(colour.map(|channel| srgb.decode(channel))) * coverage).extend(coverage)
        };
        let texel = |i: usize| {
            let (x, y) = (i % size, i / size);
            0.5 * (at(x, y, 0.25) + at(x, y, 0.75))
        };
        let mut texels = Vec::with_capacity(size * size);
        for row in 0..size {
            if row % ROWS == 0 {
                turn().await;
            }
            texels.extend((row * size..(row + 1) * size).map(texel));
        }
        Level { size, texels }
    }
}

/// All mip levels of a texture of foliage that was not baked, as [`Surface::bake`] makes them: RGBA
/// texels of four bytes, first `size` x `size` as they are given, row by row. `size` must be a
/// power of two from 1 to 4096 and there must be so many texels: otherwise there are no levels.
pub fn mip_levels(size: u32, texels: &[u8]) -> Vec<u8> {
    let count = size as usize * size as usize;
    if rounded(size) != size as usize || texels.len() != 4 * count {
        return Vec::new();
    }
    let srgb = Srgb::new();
    let texel = |texel: &[u8]| {
        let [r, g, b] = [0, 1, 2].map(|k| srgb.decode(f32::from(texel[k]) / 255.0));
        let coverage = f32::from(texel[3]) / 255.0;
        (Vec3::new(r, g, b) * coverage).extend(coverage)
    };
    let finest = Level { size: size as usize, texels: texels.chunks_exact(4).map(texel).collect() };
    at_once(encoded(&mips::chain(finest), &srgb, &|| ready(())))
}

/// The bytes of all levels of a layer that has linear colours times coverage, and coverage.
pub(crate) async fn encode_levels<T: Future>(
    size: usize,
    texels: Vec<Vec4>,
    turn: &impl Fn() -> T,
) -> Vec<u8> {
    let levels = mips::chain(Level { size, texels });
    encoded(&levels, &Srgb::new(), turn).await
}

/// The bytes of all levels of a layer that has values in the place of colours and of alpha, each
/// times coverage, and followed by it.
pub(crate) async fn encode_values<T: Future>(
    size: usize,
    values: Vec<Vec4>,
    alphas: Vec<Vec4>,
    turn: &impl Fn() -> T,
) -> Vec<u8> {
    let srgb = Srgb::new();
    let values = mips::colours(&mips::chain(Level { size, texels: values }));
    turn().await;
    let alphas = mips::colours(&mips::chain(Level { size, texels: alphas }));
    let mut bytes = Vec::with_capacity(4 * values.iter().map(Vec::len).sum::<usize>());
    for (values, alphas) in values.iter().zip(&alphas) {
        for (values, alphas) in values.chunks(TEXELS).zip(alphas.chunks(TEXELS)) {
            turn().await;
            bytes.extend(values.iter().zip(alphas).flat_map(|(value, alpha)| {
                let [r, g, b] = value.to_array().map(|channel| srgb.encode(channel));
                [r, g, b, (255.0 * alpha.x.clamp(0.0, 1.0) + 0.5) as u8]
            }));
        }
    }
    bytes
}

/// The bytes of all levels.
async fn encoded<T: Future>(levels: &[Level], srgb: &Srgb, turn: &impl Fn() -> T) -> Vec<u8> {
    turn().await;
    let colours = mips::colours(levels);
    turn().await;
    let coverage = Coverage::of(&levels[0]);
    let texels: usize = colours.iter().map(Vec::len).sum();
    let mut layer = Vec::with_capacity(4 * texels);
    for (number, (level, colours)) in levels.iter().zip(&colours).enumerate() {
        turn().await;
        let alphas = coverage.alphas(number, level);
        for (colours, alphas) in colours.chunks(TEXELS).zip(alphas.chunks(TEXELS)) {
            turn().await;
            for (colour, &alpha) in colours.iter().zip(alphas) {
                layer.extend(colour.to_array().map(|channel| srgb.encode(channel)));
                layer.push(alpha);
            }
        }
    }
    layer
}

/// The size of the layer for a size that may not be a power of two, or be out of range.
fn rounded(size: u32) -> usize {
    size.clamp(1, MOST).next_power_of_two() as usize
}

#[test]
fn odd_sizes_are_rounded() {
    let sizes = [0, 1, 2, 3, 100, 512, 513, 4095, 4096, 4097, u32::MAX];
    assert_eq!(sizes.map(rounded), [1, 1, 2, 4, 128, 512, 1024, 4096, 4096, 4096, 4096]);
}

#[test]
fn textures_that_were_not_baked_get_the_same_levels() {
    let baked = Surface::Needles.bake(64);
    let levels = mip_levels(64, &baked[..4 * 64 * 64]);
    assert_eq!(levels.len(), baked.len());
    let differ = levels.iter().zip(&baked).filter(|(a, b)| a.abs_diff(**b) > 3).count();
    // Rounded colours, where little is covered.
    assert!(differ < baked.len() / 50, "{differ} of {}", baked.len());
    assert!(mip_levels(64, &[0; 12]).is_empty() && mip_levels(3, &[0; 36]).is_empty());
}
