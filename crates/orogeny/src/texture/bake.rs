//! Samples the fields of a texture.

use alloc::vec::Vec;

use crate::field::Field;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::node::tree::Tree;
use crate::samples::Samples;
use crate::samples::grid::Grid;
use crate::texture::{Texels, Texture, TextureRecipe};

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
                [recipe.low, recipe.high].map(|ends| mix(ends[0][k], ends[1][k], second));
            colour.push(byte(mix(low, high_colour, high)));
        }
        colour.push(byte(high));

        // Slopes in metres per metre. Images have y downwards, as the tile.
        let [dx, dy] = sample.gradient.map(|slope| slope / recipe.width);
        let relative = (dx * dx + dy * dy) / (recipe.steepest * recipe.steepest);
        let [dx, dy] = [dx, dy].map(|slope| slope / (1.0 + relative).sqrt());
        let length = (dx * dx + dy * dy + 1.0).sqrt();
        let depth = hollow.depth(i) / relief;
        surface.extend([-dx, -dy].map(|x| byte(0.5 + 0.5 * x / length)));
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
        let [x, y] = [index % self.size, index / self.size].map(|i| {
            let at = (i as f32 + 0.5) * scale - 0.5 + n as f32;
            (at as usize, at.fract())
        });
        let mean = |i: usize, j: usize| self.means[(x.0 + i) % n + n * ((y.0 + j) % n)];
        let along = |j| mean(0, j) + (mean(1, j) - mean(0, j)) * x.1;
        let around = along(0) + (along(1) - along(0)) * y.1;
        (around - self.values[index]).max(0.0)
    }
}
