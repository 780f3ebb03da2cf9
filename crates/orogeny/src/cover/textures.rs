//! The textures of the kinds of cover.

use crate::arrays::Each;
use crate::cover::CoverKind;
use crate::fractal::{Fractal, FractalKind, Ridged};
use crate::node::Node;
use crate::node::ops::transform::Transform;
use crate::noise::{Cellular, CellularOutput, GradientNoise, Metric, Noise};
use crate::texture::TextureRecipe;

impl CoverKind {
    /// The recipe of its texture, in its default colour. All 512 texels wide take some 250 ms of
    /// one core. A custom kind looks like rock until it has a texture.
    pub fn texture(&self) -> TextureRecipe {
        match self {
            Self::Rock | Self::Custom(_) => rock(),
            Self::Scree => scree(),
            Self::Grass => grass(),
            Self::Forest => forest(),
            Self::Sand => sand(),
            Self::Snow => snow(),
        }
    }
}

/// The recipe of a forest's canopy from above: crowns, in a tile of 64 m.
pub fn canopy() -> TextureRecipe {
    let crowns = lumps(81, 6);
    TextureRecipe {
        height: crowns * (fbm(86, 5, 1.0) * 1.5 + 4.0) + fbm(84, 37, 3.0) * 0.9,
        tint: fbm(85, 9, 4.0) * 1.6,
        low: [[0.12, 0.13, 0.1], [0.14, 0.13, 0.1]],
        high: [[0.58, 0.6, 0.52], [0.66, 0.62, 0.5]],
        width: 64.0,
        roughness_low: 1.0,
        roughness_high: 0.95,
        steepest: 0.6,
        occlusion: 0.9,
    }
}

/// Octaves of gradient noise that repeat with the tile, with cells along each axis.
pub(super) fn octaves(seed: u64, cells: [u32; 2], octaves: f64, kind: FractalKind) -> Node {
    // One octave has cells of width 1 after the transform.
    let noise = GradientNoise { period: cells, ..GradientNoise::seeded(seed) };
    let sum = Fractal { kind, offset: true, ..Fractal::fbm(octaves, noise) };
    Node::from(sum).transform(Transform::Scale(cells.each(f64::from)))
}

pub(super) fn fbm(seed: u64, cells: u32, count: f64) -> Node {
    octaves(seed, [cells; 2], count, FractalKind::Fbm)
}

pub(super) fn ridged(seed: u64, cells: u32, count: f64) -> Node {
    octaves(seed, [cells; 2], count, FractalKind::Ridged(Ridged::default()))
}

fn billow(seed: u64, cells: u32, count: f64) -> Node {
    octaves(seed, [cells; 2], count, FractalKind::Billow)
}

/// A field moved by noise, by some part of the tile.
pub(super) fn warped(field: Node, seed: u64, cells: u32, by: f32) -> Node {
    field.warp([fbm(seed, cells, 2.0) * by, fbm(seed + 1, cells, 2.0) * by])
}

/// Cellular noise that repeats with the tile, with cells along each axis.
fn cellular(output: CellularOutput, metric: Metric, seed: u64, cells: [u32; 2]) -> Node {
    let noise = Cellular { output, metric, period: cells, ramp: 0.3, ..Cellular::seeded(seed) };
    Node::Noise(Noise::Cellular(noise)).transform(Transform::Scale(cells.each(f64::from)))
}

/// The distance from the gaps between cells.
fn from_gaps(seed: u64, cells: [u32; 2]) -> Node {
    cellular(CellularOutput::F2MinusF1, Metric::Euclidean, seed, cells)
}

/// A number of each cell, -1 to 1.
fn of_cells(seed: u64, cells: [u32; 2]) -> Node {
    cellular(CellularOutput::CellValue, Metric::Euclidean, seed, cells)
}

/// Rounded stones: 1 in the middle, 0 at the gaps.
pub(super) fn stones(seed: u64, cells: u32) -> Node {
    from_gaps(seed, [cells; 2]).curve([(0.0, 0.0), (0.1, 0.4), (0.3, 0.8), (0.7, 1.0), (1.6, 1.1)])
}

/// Broken stones, 0 at the gaps. Few are as high as 1, so that lower ones lie among them.
fn broken_stones(seed: u64, cells: u32) -> Node {
    let high = of_cells(seed, [cells; 2]);
    let high = high.curve([(-1.0, 0.0), (0.0, 0.12), (0.6, 0.6), (1.0, 1.0)]);
    let rim = [(0.0, 0.0), (0.08, 0.55), (0.25, 0.85), (0.7, 1.0), (1.6, 1.05)];
    let stones = from_gaps(seed, [cells; 2]).curve(rim) * high;
    let width = 1.0 / cells as f32;
    let chipped = warped(stones, seed + 100, 3 * cells, 0.06 * width);
    warped(chipped, seed + 102, 2 * cells / 3, 0.36 * width)
}

/// Leaves that lie flat, each at its own height: 0 at the gaps, up to 1.
fn fallen_leaves(seed: u64, cells: [u32; 2]) -> Node {
    let rim = [(0.0, 0.0), (0.12, 0.7), (0.4, 1.0), (1.6, 1.1)];
    from_gaps(seed, cells).curve(rim) * (of_cells(seed, cells) * 0.5 + 0.5)
}

/// Rounded lumps with creases between them, from 0 to about 1.
pub(super) fn lumps(seed: u64, cells: u32) -> Node {
    warped(billow(seed, cells, 2.0), seed + 1, cells, 0.1 / cells as f32).curve([
        (-1.5, 0.0),
        (-1.2, 0.1),
        (-0.95, 0.55),
        (-0.6, 0.9),
        (0.2, 1.0),
        (1.5, 1.1),
    ])
}

/// Narrow cracks: -1 in their middle. They follow a contour line of noise.
pub(super) fn cracks(seed: u64, cells: [u32; 2], width: f32) -> Node {
    let noise = octaves(seed, cells, 1.0, FractalKind::Fbm);
    noise.curve([(-1.0, 0.0), (-width, 0.0), (0.0, -1.0), (width, 0.0), (1.0, 0.0)])
}

/// Broken faces with ledges, clefts that end, and grain.
fn rock() -> TextureRecipe {
    // Pyramids, whose sides are flat.
    let facets = |output, seed, cells| {
        let sharp = cellular(output, Metric::Manhattan, seed, cells);
        warped(sharp, seed + 70, 8, 0.035)
    };
    let broken = facets(CellularOutput::F2, 11, [3, 5]) * 0.2
        + facets(CellularOutput::F1, 13, [9, 13]) * 0.08
        + fbm(18, 5, 3.0) * 0.1;
    let gaps = warped(warped(from_gaps(16, [3, 6]), 85, 8, 0.035), 87, 23, 0.006);
    let clefts = gaps.curve([(0.0, -1.0), (0.03, -0.35), (0.09, 0.0), (1.5, 0.0)])
        * (fbm(89, 4, 1.0) * 3.0 + 0.4).clamp(0.0, 1.0, 0.1);
    TextureRecipe {
        height: broken.clone() * 0.4
            + broken.terraces(0.075, 0.6) * 0.8
            + clefts * 0.04
            + ridged(14, 7, 6.0) * 0.035
            + fbm(15, 23, 5.0) * 0.016,
        tint: fbm(17, 3, 6.0) * 1.7,
        low: [[0.21, 0.2, 0.19], [0.24, 0.22, 0.2]],
        high: [[0.46, 0.445, 0.425], [0.49, 0.45, 0.4]],
        width: 4.0,
        roughness_low: 0.95,
        roughness_high: 0.82,
        steepest: 0.8,
        occlusion: 0.9,
    }
}

/// Loose stones of three sizes that lie on each other.
fn scree() -> TextureRecipe {
    let large = broken_stones(21, 9) * 0.17;
    let middle = broken_stones(28, 17) * 0.1 + 0.015;
    let small = broken_stones(23, 36) * 0.05 + 0.02;
    TextureRecipe {
        height: large.max(middle, 0.004).max(small, 0.004)
            + fbm(24, 20, 5.0) * 0.014
            + fbm(25, 3, 2.0) * 0.03,
        tint: fbm(26, 9, 2.0) + of_cells(28, [17; 2]) * 0.6,
        low: [[0.22, 0.205, 0.18], [0.24, 0.23, 0.215]],
        high: [[0.52, 0.49, 0.44], [0.45, 0.44, 0.425]],
        width: 2.5,
        roughness_low: 1.0,
        roughness_high: 0.85,
        steepest: 0.7,
        occlusion: 0.9,
    }
}

/// Blades that lean every way over each other, in tufts.
fn grass() -> TextureRecipe {
    let blades = |seed, cells| {
        warped(octaves(seed, cells, 1.0, FractalKind::Fbm), seed + 1, 6, 0.09).curve([
            (-1.0, 0.0),
            (-0.15, 0.1),
            (0.25, 0.9),
            (1.0, 1.2),
        ])
    };
    let blades =
        blades(31, [140, 26]).max(blades(34, [26, 140]), 0.05).max(blades(43, [110, 40]), 0.05);
    TextureRecipe {
        height: blades * 0.014 + billow(37, 17, 4.0) * 0.009 + fbm(38, 4, 3.0) * 0.008,
        tint: fbm(39, 6, 6.0) * 1.3 + fbm(40, 70, 1.0) * 0.5,
        low: [[0.2, 0.23, 0.11], [0.25, 0.24, 0.14]],
        high: [[0.37, 0.43, 0.21], [0.5, 0.48, 0.29]],
        width: 2.5,
        roughness_low: 1.0,
        roughness_high: 0.9,
        steepest: 0.22,
        occlusion: 0.8,
    }
}

/// Dead leaves that lie over each other, twigs between them, and moss in patches.
fn forest() -> TextureRecipe {
    let ragged = |leaves| warped(leaves, 141, 23, 0.008);
    let leaves = fallen_leaves(41, [29, 41]).max(fallen_leaves(49, [43, 31]), 0.05);
    let twigs = warped(octaves(44, [14, 60], 1.0, FractalKind::Fbm), 48, 9, 0.06);
    let twigs = twigs.curve([(-1.0, 0.0), (0.4, 0.0), (0.5, 1.0), (1.0, 1.2)]);
    TextureRecipe {
        height: ragged(leaves) * 0.04
            + twigs * 0.018
            + billow(45, 11, 5.0) * 0.02
            + fbm(46, 3, 3.0) * 0.03,
        tint: ragged(of_cells(41, [29, 41])) * 0.8 + fbm(47, 4, 6.0) * 1.2,
        low: [[0.15, 0.165, 0.075], [0.19, 0.15, 0.095]],
        high: [[0.26, 0.31, 0.115], [0.47, 0.37, 0.235]],
        width: 2.4,
        roughness_low: 1.0,
        roughness_high: 0.85,
        steepest: 0.24,
        occlusion: 0.85,
    }
}

/// Wind ripples, and grains.
fn sand() -> TextureRecipe {
    // Crests along one axis, which bend and end.
    let ripples = warped(octaves(51, [6, 38], 1.0, FractalKind::Fbm), 52, 3, 0.02).curve([
        (-1.0, 0.0),
        (-0.25, 0.1),
        (0.0, 0.4),
        (0.25, 0.9),
        (1.0, 1.0),
    ]);
    TextureRecipe {
        height: ripples * 0.015 + fbm(54, 3, 3.0) * 0.02 + fbm(55, 128, 2.0) * 0.001,
        tint: fbm(56, 5, 4.0) + fbm(57, 160, 1.0) * 0.9,
        low: [[0.58, 0.52, 0.385], [0.61, 0.545, 0.405]],
        high: [[0.7, 0.645, 0.5], [0.73, 0.665, 0.52]],
        width: 4.0,
        roughness_low: 0.97,
        roughness_high: 0.9,
        steepest: 0.4,
        occlusion: 0.4,
    }
}

/// Soft drifts and a crust.
fn snow() -> TextureRecipe {
    let crust = warped(octaves(61, [6, 8], 3.0, FractalKind::Billow), 62, 4, 0.06);
    TextureRecipe {
        height: crust * 0.008 + fbm(64, 3, 4.0) * 0.03 + fbm(65, 96, 2.0) * 0.0016,
        tint: fbm(66, 4, 3.0),
        low: [[0.87, 0.905, 0.955], [0.885, 0.915, 0.96]],
        high: [[0.95, 0.965, 0.985], [0.965, 0.97, 0.985]],
        width: 4.0,
        roughness_low: 0.85,
        roughness_high: 0.7,
        steepest: 0.35,
        occlusion: 0.3,
    }
}
