//! The noise that displaces the edges of layers and makes their patches, and the same as images.
//!
//! Shaders read it from two small textures: one of the coarse octaves, and one of the fine ones,
//! which repeats sooner. It is value noise, since its gradient is not needed. Every other octave is
//! on a lattice that is rotated by 45 degrees, which makes the axes less visible.

use alloc::vec::Vec;

use crate::arrays::Each;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::texture::bake::{add_levels, mean_bytes};

/// The period in metres, along x and z, of the coarse octaves and of the fine ones. They keep
/// coordinates precise in `f32` at any distance from the origin.
pub(super) const PERIODS: [f64; 2] = [8192.0, 256.0];

/// The noises at a point, each from -1 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeNoise {
    /// For edges: one for layers with even index, one for those with odd index, so that the edges
    /// of consecutive layers differ.
    edges: [f32; 2],
    /// For patches.
    pub patch: f32,
}

/// An octave: the width of its cells in metres, a power of two; whether its lattice is rotated; its
/// amplitude.
type Octave = (f32, bool, f32);

/// The coarse and the fine octaves of edges. Their amplitudes add up to 1.
const EDGE: [&[Octave]; 2] = [
    &[(128.0, false, 0.38), (64.0, true, 0.22)],
    &[(16.0, false, 0.2), (4.0, true, 0.12), (1.0, false, 0.08)],
];

/// Those of patches. Their amplitudes add up to 1, too.
const PATCH: [&[Octave]; 2] =
    [&[(256.0, true, 0.3), (128.0, false, 0.34)], &[(32.0, true, 0.2), (8.0, false, 0.16)]];

/// The sum of octaves is mostly near 0. This factor, with a clamp, spreads the noise of patches
/// over -1 to 1.
const SPREAD: f32 = 4.0;

/// The sums of the coarse or of the fine octaves at a position: of both edges and of patches, each
/// from -1 to 1.
pub(super) fn sums(position: [f64; 2], fine: usize) -> [f32; 3] {
    let period = PERIODS[fine];
    let position = position.each(|x| (x - (x / period).floor() * period) as f32);
    let sum = |octaves: [&[Octave]; 2], key: u32| {
        // The keys of octaves count from the coarsest.
        let first = if fine == 1 { octaves[0].len() as u32 } else { 0 };
        let each = octaves[fine].iter().zip(key + first..);
        each.map(|(&(size, rotated, amplitude), key)| {
            amplitude * value(position, period as f32, size, rotated, key)
        })
        .sum()
    };
    [sum(EDGE, 0), sum(EDGE, 8), sum(PATCH, 16)]
}

impl EdgeNoise {
    pub fn at(position: [f64; 2]) -> Self {
        let [coarse, fine] = [0, 1].each(|fine| sums(position, fine));
        let [even, odd, patch] = [0, 1, 2].each(|k| coarse[k] + fine[k]);
        Self { edges: [even, odd], patch: (SPREAD * patch).clamp(-1.0, 1.0) }
    }

    /// The noise for the edges of a layer.
    pub fn edge(&self, layer: usize) -> f32 {
        self.edges[layer % 2]
    }
}

/// Value noise from -1 to 1 with cells `size` wide. If `rotated`, it is sampled at (x + z, z - x).
pub(super) fn value([x, z]: [f32; 2], period: f32, size: f32, rotated: bool, key: u32) -> f32 {
    let [x, z] = if rotated { [x + z, z - x] } else { [x, z] };
    let [p, q] = [x / size, z / size];
    let cell = [p, q].each(|p| p.floor() as i32);
    let [s, t] = [p - p.floor(), q - q.floor()].each(|t| t * t * (3.0 - 2.0 * t));
    // A period is a power of two in cells, so a mask wraps cell indices.
    let wrap = (period / size) as i32 - 1;
    let corner = |i: i32, j: i32| hash([(cell[0] + i) & wrap, (cell[1] + j) & wrap], key);
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    let low = mix(corner(0, 0), corner(1, 0), s);
    let high = mix(corner(0, 1), corner(1, 1), s);
    2.0 * mix(low, high, t) - 1.0
}

/// A pseudo-random number from 0 to 1 for each lattice point.
fn hash([x, z]: [i32; 2], key: u32) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x9e37_79b1)
        ^ (z as u32).wrapping_add(key << 20).wrapping_mul(0x85eb_ca77);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    ((h ^ (h >> 15)) >> 8) as f32 / 16_777_216.0
}

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
                    let at = [i, j].each(|k| (k as f64 + 0.5) * texel);
                    let variation = if fine == 0 { folds(at) } else { strata(i) };
                    let [even, odd, patch] = sums(at, fine);
                    bytes.extend([even, odd, patch, variation].each(byte));
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
        |size, rotated, key| value(at.each(|x| x as f32), PERIODS[0] as f32, size, rotated, key);
    0.73 * octave(1024.0, false, 25) + 0.27 * octave(256.0, true, 26)
}

/// Value noise along one axis, with 32 cells in an image.
fn strata(texel: usize) -> f32 {
    let cell = EdgeTextures::SIZE as f32 / 32.0;
    value([texel as f32 + 0.5, 0.5], EdgeTextures::SIZE as f32, cell, false, 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noises_spread_over_their_range_and_are_unrelated() {
        let (mut sums, mut squares, mut products) = ([0.0; 3], [0.0; 3], 0.0);
        let n = 20_000;
        for i in 0..n {
            // The R2 sequence over several periods, including negative ones.
            let [x, z] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_2]
                .map(|part| ((f64::from(i) * part).fract() - 0.5) * 5.0 * PERIODS[0]);
            let noise = EdgeNoise::at([x, z]);
            let all = [noise.edges[0], noise.edges[1], noise.patch].map(f64::from);
            for k in 0..3 {
                assert!(all[k].abs() <= 1.0);
                sums[k] += all[k];
                squares[k] += all[k] * all[k];
            }
            products += all[0] * all[1];
        }
        let n = f64::from(n);
        for k in 0..3 {
            assert!((sums[k] / n).abs() < 0.03, "{sums:?}");
            assert!((0.1..0.8).contains(&(squares[k] / n).sqrt()), "{squares:?}");
        }
        let correlation = products / (squares[0] * squares[1]).sqrt();
        assert!(correlation.abs() < 0.05, "{correlation}");
    }

    #[test]
    fn the_noise_repeats_and_is_continuous() {
        for i in 0..500 {
            let at = [f64::from(i) * 33.7 - 4000.0, f64::from(i) * -12.1];
            let here = EdgeNoise::at(at);
            let there = EdgeNoise::at([at[0] - 3.0 * PERIODS[0], at[1] + 1e6 * PERIODS[0]]);
            assert!((here.edges[0] - there.edges[0]).abs() < 2e-3, "{here:?} {there:?}");
            let near = EdgeNoise::at([at[0] + 1e-2, at[1]]);
            assert!((here.edges[1] - near.edges[1]).abs() < 1e-2, "{here:?} {near:?}");
        }
    }
}
