//! Baked layers show the patterns, and their mip levels keep coverage and colour.

use std::sync::LazyLock;

use glam::{DVec3, DVec4};
use orogeny_models::Pattern;

const SIZE: usize = 256;

/// Alpha from which a texel passes the test for alpha.
const PASS: u8 = 128;

struct Level {
    size: usize,
    texels: Vec<[u8; 4]>,
}

static LAYERS: LazyLock<Vec<(Pattern, Vec<Level>)>> =
    LazyLock::new(|| Pattern::ALL.map(|pattern| (pattern, levels(pattern, SIZE))).into());

fn levels(pattern: Pattern, mut size: usize) -> Vec<Level> {
    let layer = pattern.bake(size as u32);
    assert_eq!(layer.len(), 4 * ((4 * size * size - 1) / 3), "{pattern:?}, {size}");
    let (texels, _) = layer.as_chunks::<4>();
    let (mut levels, mut rest) = (Vec::new(), texels);
    while !rest.is_empty() {
        let (texels, after) = rest.split_at(size * size);
        levels.push(Level { size, texels: texels.to_vec() });
        (size, rest) = (size / 2, after);
    }
    levels
}

/// The layers of patterns that are not opaque.
fn cut_out() -> impl Iterator<Item = &'static (Pattern, Vec<Level>)> {
    LAYERS.iter().filter(|(pattern, _)| !pattern.is_opaque())
}

impl Level {
    /// The share of texels that pass the test for alpha, of all or of a quarter.
    fn covered(&self, quarter: Option<usize>) -> f64 {
        let chosen = |i: &usize| quarter.is_none_or(|quarter| self.quarter(*i) == quarter);
        let chosen: Vec<usize> = (0..self.texels.len()).filter(chosen).collect();
        let passing = chosen.iter().filter(|&&i| self.texels[i][3] >= PASS).count();
        passing as f64 / chosen.len() as f64
    }

    /// The quarter that a texel is in.
    fn quarter(&self, i: usize) -> usize {
        2 * i % (2 * self.size) / self.size + 2 * (2 * i / self.texels.len())
    }

    /// The mean linear colour, weighted by alpha, of all or of a quarter.
    fn mean(&self, quarter: Option<usize>) -> DVec3 {
        let weighted = |[r, g, b, a]: [u8; 4]| {
            (DVec3::from([r, g, b].map(decode)) * a as f64).extend(a as f64)
        };
        let chosen = |i: &usize| quarter.is_none_or(|quarter| self.quarter(*i) == quarter);
        let chosen = (0..self.texels.len()).filter(chosen);
        let sum: DVec4 = chosen.map(|i| weighted(self.texels[i])).sum();
        sum.truncate() / sum.w
    }

    /// The texels with alpha that are at most `reach` rows and columns from texel `i`.
    fn around(&self, i: usize, reach: usize) -> Vec<[f32; 4]> {
        let span = |x: usize| x.saturating_sub(reach)..(x + reach + 1).min(self.size);
        let row = |y: usize| &self.texels[y * self.size..][span(i % self.size)];
        let near = span(i / self.size).flat_map(row);
        near.filter(|texel| texel[3] > 0).map(|texel| texel.map(f32::from)).collect()
    }
}

fn decode(code: u8) -> f64 {
    let x = code as f64 / 255.0;
    if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

/// The minimum and the maximum of each channel.
fn range<const N: usize>(all: &[[f32; N]]) -> [(f32, f32); N] {
    std::array::from_fn(|channel| {
        let values = all.iter().map(|value| value[channel]);
        (values.clone().fold(f32::MAX, f32::min), values.fold(f32::MIN, f32::max))
    })
}

#[test]
fn all_surfaces_are_in_order() {
    for (i, pattern) in Pattern::ALL.into_iter().enumerate() {
        assert_eq!(pattern as usize, i, "{pattern:?}");
    }
}

#[test]
fn opaque_surfaces_are_covered_everywhere() {
    for (pattern, levels) in LAYERS.iter() {
        let full = |level: &Level| level.texels.iter().all(|texel| texel[3] == 255);
        let expected = pattern.is_opaque();
        assert_eq!(levels.iter().all(full), expected, "{pattern:?}");
        assert_eq!(full(&levels[0]), expected, "{pattern:?}");
    }
}

/// Every texel of level 0 is within what the pattern has at 3 x 3 places in the texel.
#[test]
fn the_finest_level_shows_the_pattern() {
    for (pattern, levels) in LAYERS.iter() {
        for (i, texel) in levels[0].texels.iter().enumerate() {
            let place = |at: usize, step: usize| (at as f32 + 0.25 * step as f32) / SIZE as f32;
            let places = (0..9).map(|k| [place(i % SIZE, k % 3 + 1), place(i / SIZE, k / 3 + 1)]);
            let seen: Vec<([f32; 3], f32)> = places.map(|uv| pattern.at(uv, 0.5)).collect();
            let coverage: Vec<[f32; 1]> = seen.iter().map(|(_, coverage)| [*coverage]).collect();
            let covered = seen.iter().filter(|(_, coverage)| *coverage > 0.0);
            let colours: Vec<[f32; 3]> = covered.map(|(colour, _)| *colour).collect();
            let name = format!("{pattern:?}, texel {i}: {texel:?}");
            let check = |code: u8, (low, high): (f32, f32)| {
                let within = 255.0 * low - 0.51..=255.0 * high + 0.51;
                assert!(within.contains(&(code as f32)), "{name}, expected {within:?}");
            };
            check(texel[3], range(&coverage)[0]);
            if texel[3] > 0 {
                let range = range(&colours);
                (0..3).for_each(|channel| check(texel[channel], range[channel]));
            }
        }
    }
}

#[test]
fn layers_have_all_levels() {
    for size in (0..8).map(|i| 1 << i) {
        let levels = levels(Pattern::Plume, size);
        let sizes: Vec<usize> = levels.iter().map(|level| level.size).collect();
        let expected: Vec<usize> = (0..=size.ilog2()).map(|level| size >> level).collect();
        assert_eq!(sizes, expected);
    }
    assert_eq!(Pattern::Leaves.bake(512).len(), 1_398_100);
}

/// Their coverage is not scaled, as that of every level 0.
#[test]
fn small_layers_are_levels_of_a_larger() {
    for pattern in Pattern::ALL {
        for (small, level) in levels(pattern, 16).iter().zip(&levels(pattern, 64)[2..]) {
            let colour = |&[r, g, b, _]: &[u8; 4]| [r, g, b];
            let same = small.texels.iter().map(colour).eq(level.texels.iter().map(colour));
            assert!(same, "{pattern:?}, {}", small.size);
        }
    }
}

#[test]
fn odd_sizes_are_rounded_up() {
    for (odd, even) in [(0, 1), (3, 4), (33, 64), (65, 128)] {
        assert!(Pattern::Frond.bake(odd) == Pattern::Frond.bake(even), "{odd}");
    }
}

#[test]
fn mip_levels_keep_the_coverage() {
    for (pattern, levels) in cut_out() {
        for level in levels {
            let name = format!("{pattern:?}, {}", level.size);
            let texel = 1.0 / (level.size * level.size) as f64;
            let change = |part| (level.covered(part) - levels[0].covered(part)).abs();
            assert!(change(None) < 0.5 * texel + 0.001, "{name}: {}", change(None));
            if level.size >= 8 {
                assert!(change(None) < 0.01, "{name}: {}", change(None));
                for i in (0..4).map(Some) {
                    assert!(change(i) < 4.0 * texel + 0.001, "{name}, {i:?}: {}", change(i));
                }
            }
        }
    }
}

#[test]
fn mip_levels_keep_the_mean_colour() {
    for (pattern, levels) in LAYERS.iter() {
        // The cells of flowers have colours of their own.
        let quarters: Vec<_> = match pattern {
            Pattern::Flower => (0..4).map(Some).collect(),
            _ => vec![None],
        };
        // Quarters of smaller levels have too few texels to even out the rounding of codes.
        let is_even = |level: &&Level| quarters.len() == 1 || level.size >= 32;
        for level in levels.iter().filter(is_even) {
            for &quarter in &quarters {
                let change = level.mean(quarter) - levels[0].mean(quarter);
                let difference = change.abs().max_element();
                // A code is up to 0.009 wide.
                let name = format!("{pattern:?}, {quarter:?}, {}", level.size);
                assert!(difference < 0.003, "{name}: {difference}");
            }
        }
    }
}

#[test]
fn uncovered_texels_have_the_colours_around() {
    for (pattern, levels) in cut_out() {
        for level in levels.iter().filter(|level| level.size >= 64) {
            let all = range(&level.around(0, level.size));
            let bare = (0..level.texels.len()).filter(|&i| level.texels[i][3] == 0);
            let outside = |&i: &usize| {
                let borders = !level.around(i, 1).is_empty();
                let expected = if borders { range(&level.around(i, 3)) } else { all };
                let fits = |channel: usize| {
                    let (low, high) = expected[channel];
                    (low - 1.0..=high + 1.0).contains(&(level.texels[i][channel] as f32))
                };
                !(0..3).all(fits)
            };
            // A coverage below 1 / 510 has an alpha of 0, yet a colour of its own.
            let share = bare.clone().filter(outside).count() as f64 / bare.count().max(1) as f64;
            assert!(share < 0.005, "{pattern:?}, {}: {share}", level.size);
        }
    }
}

#[test]
fn the_same_bytes_come_twice() {
    for pattern in Pattern::ALL {
        assert!(pattern.bake(64) == pattern.bake(64), "{pattern:?}");
    }
}
