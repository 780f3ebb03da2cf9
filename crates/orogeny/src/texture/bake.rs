//! Samples the fields of a texture.

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::field::Field;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::node::tree::Tree;
use crate::samples::Samples;
use crate::samples::positions::Grid;
use crate::texture::{Texels, TextureRecipe};

/// The part of the tile over which the surroundings of a texel are averaged, to find hollows.
const SURROUNDINGS: u32 = 32;

pub(super) fn texture(
    recipe: &TextureRecipe,
    height: &Tree<2>,
    tint: &Tree<2>,
    size: u32,
) -> Texture {
    let middle = 0.5 / f64::from(size);
    let grid = Grid::new([middle; 2], 2.0 * middle, [size as usize; 2]);
    let mut ground = Samples::new();
    height.sample_grid(&grid, &mut ground);
    let mut tints = Samples::values_only();
    tint.sample_grid(&grid, &mut tints);

    let values = ground.values();
    let lowest = values.iter().copied().fold(f32::INFINITY, f32::min);
    let highest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let relief = (highest - lowest).max(1e-6);
    let hollow = Hollows::new(values, size);

    let count = values.len() * 4;
    let (mut colour, mut surface) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (i, (sample, tint)) in ground.iter().zip(tints.values()).enumerate() {
        let high = (sample.value - lowest) / relief;
        let second = (0.5 * tint + 0.5).clamp(0.0, 1.0);
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        for k in 0..3 {
            let [low, high_colour] =
                [recipe.low, recipe.high].each(|ends| mix(ends[0][k], ends[1][k], second));
            colour.push(byte(mix(low, high_colour, high)));
        }
        colour.push(byte(high));

        // Slopes in metres per metre. Images have y downwards, as the tile.
        let [dx, dy] = sample.gradient.each(|slope| slope / recipe.width);
        let relative = (dx * dx + dy * dy) / (recipe.steepest * recipe.steepest);
        let [dx, dy] = [dx, dy].each(|slope| slope / (1.0 + relative).sqrt());
        let length = (dx * dx + dy * dy + 1.0).sqrt();
        let depth = hollow.depth(i) / relief;
        surface.extend([-dx, -dy].each(|x| byte(0.5 + 0.5 * x / length)));
        surface.push(byte(mix(recipe.roughness_low, recipe.roughness_high, high)));
        surface.push(byte(1.0 - recipe.occlusion * (2.0 * depth).clamp(0.0, 1.0)));
    }
    Texture::new(Texels { colour, surface }, size, relief)
}

/// A fraction as a byte.
fn byte(x: f32) -> u8 {
    (x * 255.0 + 0.5) as u8
}

/// How deep points are below their surroundings.
struct Hollows<'a> {
    values: &'a [f32],
    size: usize,
    /// The mean heights of blocks, which repeat with the tile.
    means: Vec<f32>,
    /// Blocks along a side.
    blocks: usize,
}

impl<'a> Hollows<'a> {
    fn new(values: &'a [f32], size: u32) -> Self {
        let (blocks, size) = (size.min(SURROUNDINGS) as usize, size as usize);
        let wide = size / blocks;
        let mut means = vec![0.0; blocks * blocks];
        for (j, row) in values.chunks_exact(size).enumerate() {
            for (i, part) in row.chunks_exact(wide).enumerate() {
                means[i + blocks * (j / wide)] += part.iter().sum::<f32>();
            }
        }
        let scale = 1.0 / (wide * wide) as f32;
        means.iter_mut().for_each(|sum| *sum *= scale);
        Self { values, size, means, blocks }
    }

    /// The depth of a point, 0 on top of its surroundings. Means are interpolated between blocks.
    fn depth(&self, index: usize) -> f32 {
        let n = self.blocks;
        let scale = n as f32 / self.size as f32;
        let [x, y] = [index % self.size, index / self.size].each(|i| {
            let at = (i as f32 + 0.5) * scale - 0.5 + n as f32;
            (at as usize, at.fract())
        });
        let mean = |i: usize, j: usize| self.means[(x.0 + i) % n + n * ((y.0 + j) % n)];
        let along = |j| mean(0, j) + (mean(1, j) - mean(0, j)) * x.1;
        let around = along(0) + (along(1) - along(0)) * y.1;
        (around - self.values[index]).max(0.0)
    }
}

/// A square texture with all mip levels.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Texels along each side: a power of two.
    pub size: u32,
    /// The height in metres that 255 stands for, above 0.
    pub relief: f32,
    /// Levels from the largest to a single texel, one after the other.
    pub levels: Texels,
}

/// The number of mip levels of a texture, down to a single texel.
pub fn mip_count(size: u32) -> u32 {
    size.ilog2() + 1
}

impl Texture {
    /// Adds mip levels to the images of a texture.
    ///
    /// Colours are averaged as light: as squares, which is close to sRGB. Normals are averaged, and
    /// what they lose in length makes the surface rougher (Olano and Baker, "LEAN mapping", 2010),
    /// so that bumps too fine to be seen still spread highlights.
    ///
    /// # Panics
    /// If `size` is not a power of two, or an image does not have 4 `size`^2 bytes.
    pub fn new(texels: Texels, size: u32, relief: f32) -> Self {
        assert!(size.is_power_of_two(), "the size, {size}, is a power of two");
        let bytes = 4 * size as usize * size as usize;
        let lengths = [texels.colour.len(), texels.surface.len()];
        assert_eq!(lengths, [bytes; 2], "an image has four bytes a texel");
        let Texels { mut colour, mut surface } = texels;
        add_levels(&mut colour, size, mean_colour);
        add_levels(&mut surface, size, mean_surface);
        Self { size, relief, levels: Texels { colour, surface } }
    }

    /// The mean colour, as in sRGB.
    pub fn mean_colour(&self) -> [u8; 3] {
        let last = self.levels.colour.len() - 4;
        [0, 1, 2].each(|k| self.levels.colour[last + k])
    }
}

/// Appends half as wide levels until one has a single texel.
pub(crate) fn add_levels(image: &mut Vec<u8>, size: u32, mean: impl Fn([[u8; 4]; 4]) -> [u8; 4]) {
    let mut width = size as usize;
    let mut start = 0;
    while width > 1 {
        let half = width / 2;
        let mut level = Vec::with_capacity(4 * half * half);
        let texels = image[start..].as_chunks::<4>().0;
        for rows in texels.chunks_exact(2 * width) {
            let (upper, lower) = rows.split_at(width);
            for (a, b) in upper.as_chunks::<2>().0.iter().zip(lower.as_chunks::<2>().0) {
                level.extend(mean([a[0], a[1], b[0], b[1]]));
            }
        }
        start = image.len();
        image.extend(level);
        width = half;
    }
}

/// The mean of four texels, channel by channel.
pub(crate) fn mean_bytes(texels: [[u8; 4]; 4]) -> [u8; 4] {
    [0, 1, 2, 3]
        .each(|k| ((texels.each(|texel| u32::from(texel[k])).iter().sum::<u32>() + 2) / 4) as u8)
}

fn mean_colour(texels: [[u8; 4]; 4]) -> [u8; 4] {
    let mut mean = [0; 4];
    for (k, mean) in mean.iter_mut().enumerate() {
        let parts = texels.each(|texel| f32::from(texel[k]));
        *mean = if k < 3 {
            ((0.25 * parts.each(|x| x * x).iter().sum::<f32>()).sqrt() + 0.5) as u8
        } else {
            (0.25 * parts.iter().sum::<f32>() + 0.5) as u8
        };
    }
    mean
}

fn mean_surface(texels: [[u8; 4]; 4]) -> [u8; 4] {
    let part = |k: usize| texels.each(|texel| f32::from(texel[k]) / 255.0);
    let mean = |parts: [f32; 4]| 0.25 * parts.iter().sum::<f32>();
    let mut normal = [0.0; 3];
    for i in 0..4 {
        let [x, y] = [0, 1].each(|k| 2.0 * part(k)[i] - 1.0);
        let z = (1.0 - x * x - y * y).max(0.0).sqrt();
        for (sum, x) in normal.iter_mut().zip([x, y, z]) {
            *sum += 0.25 * x;
        }
    }
    let [x, y, z] = normal;
    let length = (x * x + y * y + z * z).sqrt().max(1e-3);
    // The variance of the slopes along each axis.
    let variance = (0.5 * (1.0 - length * length) / (length * length)).min(1.0);
    let widths = part(2).each(|roughness| roughness * roughness * roughness * roughness);
    let roughness = (mean(widths) + 2.0 * variance).min(1.0).sqrt().sqrt();
    [0.5 + 0.5 * x / length, 0.5 + 0.5 * y / length, roughness, mean(part(3))]
        .each(|x| (x * 255.0 + 0.5) as u8)
}
