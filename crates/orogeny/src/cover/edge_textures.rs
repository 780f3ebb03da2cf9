//! The noise of cover as small textures, for shaders.

use alloc::vec::Vec;

use crate::cover::edge_noise::{PERIODS, sums, value};
use crate::texture::bake::{add_levels, mean_bytes};

/// The noise that displaces the edges of layers and makes patches, as two images that repeat. Their
/// sum is the noise of [`Cover::weights`](crate::Cover::weights), but for the rounding to bytes and
/// the interpolation between texels.
///
/// Texel (i, j) is at ((i + 1/2) w, (j + 1/2) w), where w is the width of a texel. It has four
/// bytes, each for the range -1 to 1: the edges of layers with even index, of those with odd index,
/// the patches, and a variation:
/// * of the coarse image: noise with features of some hundred metres, for folds and tints,
/// * of the fine image: noise along x alone, with 32 cells, for strata.
///
/// Each image has all its mip levels, down to a single texel.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeTextures {
    /// Octaves with cells of 64 m and more.
    pub coarse: Vec<u8>,
    /// Octaves with cells below 64 m.
    pub fine: Vec<u8>,
}

impl EdgeTextures {
    /// Texels along a side.
    pub const SIZE: usize = 512;
    /// The widths in metres of the coarse and of the fine image.
    pub const WIDTHS: [f64; 2] = PERIODS;

    /// Samples the noise: some 0.5 million texels.
    pub fn new() -> Self {
        let [coarse, fine] = [0, 1].map(|fine| {
            let texel = PERIODS[fine] / Self::SIZE as f64;
            let mut bytes = Vec::with_capacity(4 * Self::SIZE * Self::SIZE);
            for j in 0..Self::SIZE {
                for i in 0..Self::SIZE {
                    let at = [i, j].map(|k| (k as f64 + 0.5) * texel);
                    let variation = if fine == 0 { folds(at) } else { strata(i) };
                    let [even, odd, patch] = sums(at, fine);
                    bytes.extend([even, odd, patch, variation].map(byte));
                }
            }
            add_levels(&mut bytes, Self::SIZE as u32, mean_bytes);
            bytes
        });
        Self { coarse, fine }
    }
}

impl Default for EdgeTextures {
    fn default() -> Self {
        Self::new()
    }
}

/// A byte for the range -1 to 1.
fn byte(x: f32) -> u8 {
    (127.5 * x + 128.0) as u8
}

fn folds(at: [f64; 2]) -> f32 {
    let octave =
        |size, rotated, key| value(at.map(|x| x as f32), PERIODS[0] as f32, size, rotated, key);
    0.73 * octave(1024.0, false, 25) + 0.27 * octave(256.0, true, 26)
}

/// Value noise along one axis, with 32 cells in an image.
fn strata(texel: usize) -> f32 {
    let cell = EdgeTextures::SIZE as f32 / 32.0;
    value([texel as f32 + 0.5, 0.5], EdgeTextures::SIZE as f32, cell, false, 30)
}
