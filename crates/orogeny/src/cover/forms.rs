//! The larger forms of the kinds of cover, 1 to 50 m wide: what a texture's own detail is too
//! small for, and what is seen from afar.
//!
//! Only how much brighter and warmer than their mean they are counts, and their relief: they are
//! laid over the texture of a layer, whatever its colour. Upright sides of the ground see them as
//! they are here, with y downwards, so beds lie along x and water runs along y.

use super::textures::{cracks, fbm, lumps, octaves, ridged, stones, warped};
use crate::cover::CoverKind;
use crate::fractal::FractalKind;
use crate::texture::TextureRecipe;

impl CoverKind {
    /// The recipe of its larger forms. `None` for a custom kind, which may be anything.
    pub fn forms(&self) -> Option<TextureRecipe> {
        match self {
            Self::Rock => Some(rock()),
            Self::Scree => Some(scree()),
            Self::Grass => Some(grass()),
            Self::Forest => Some(forest()),
            Self::Sand => Some(sand()),
            Self::Snow => Some(snow()),
            Self::Custom(_) => None,
        }
    }
}

/// Colours that differ from cool to warm, and in brightness by as much again.
fn greys(dark: f32, bright: f32, warmth: f32) -> [[[f32; 3]; 2]; 2] {
    [dark, bright].map(|grey| [-warmth, warmth].map(|warm| [grey + warm, grey, grey - warm]))
}

/// Beds of uneven thickness with ledges, joints across them, faces that broke off, and streaks of
/// the water that runs down.
fn rock() -> TextureRecipe {
    let beds = warped(octaves(111, [4, 18], 3.0, FractalKind::Fbm), 112, 6, 0.015);
    let faces = warped(octaves(114, [10, 8], 2.0, FractalKind::Fbm), 115, 10, 0.02);
    let joints = cracks(117, [14, 4], 0.05) + cracks(118, [22, 10], 0.07) * 0.6;
    let streaks = warped(octaves(120, [52, 4], 3.0, FractalKind::Fbm), 121, 8, 0.01);
    let [low, high] = greys(0.36, 0.56, 0.022);
    TextureRecipe {
        height: (beds * 1.5).terraces(0.45, 0.55)
            + (faces * 1.6).terraces(0.4, 0.4)
            + joints * 0.35
            + ridged(123, 17, 5.0) * 0.22
            + fbm(124, 51, 4.0) * 0.1,
        tint: streaks * 1.5 + fbm(126, 5, 4.0) * 0.9,
        low,
        high,
        width: 64.0,
        steepest: 0.9,
        occlusion: 0.5,
        ..TextureRecipe::default()
    }
}

/// Stripes of coarse and fine stones down the slope, and blocks that lie among them.
fn scree() -> TextureRecipe {
    let stripes = warped(octaves(131, [18, 4], 3.0, FractalKind::Fbm), 132, 6, 0.02);
    let blocks = stones(134, 33) * (fbm(135, 9, 2.0) + 0.1).max(0.0, 0.1);
    let [low, high] = greys(0.4, 0.56, 0.012);
    TextureRecipe {
        height: stripes.clone() * 0.3 + blocks * 0.8 + fbm(137, 25, 5.0) * 0.22,
        tint: stripes * 1.2 + fbm(138, 7, 4.0),
        low,
        high,
        width: 48.0,
        steepest: 0.7,
        occlusion: 0.5,
        ..TextureRecipe::default()
    }
}

/// Patches of lush, dry and trodden grass, nearly without relief: bumps on top of those of the
/// texture would be black in a low sun.
fn grass() -> TextureRecipe {
    let patches = warped(fbm(141, 7, 5.0), 142, 8, 0.03);
    let [low, high] = greys(0.41, 0.52, 0.036);
    TextureRecipe {
        height: lumps(144, 25) * 0.1 + fbm(146, 9, 4.0) * 0.4 + patches.clone() * 0.3,
        tint: patches * 1.3 + fbm(147, 41, 3.0) * 0.7,
        low,
        high,
        width: 80.0,
        steepest: 0.03,
        occlusion: 0.4,
        ..TextureRecipe::default()
    }
}

/// Moss between needles, nearly without relief for the same reason.
fn forest() -> TextureRecipe {
    let moss = warped(fbm(151, 11, 5.0), 152, 12, 0.025);
    let [low, high] = greys(0.36, 0.54, 0.04);
    TextureRecipe {
        height: lumps(154, 17) * 0.22 + fbm(156, 11, 5.0) * 0.35,
        tint: moss * 1.5,
        low,
        high,
        width: 64.0,
        steepest: 0.03,
        occlusion: 0.5,
        ..TextureRecipe::default()
    }
}

/// Long ridges of wind with a steep lee side, and hollows between them.
fn sand() -> TextureRecipe {
    let ridges = warped(octaves(161, [4, 14], 1.0, FractalKind::Fbm), 162, 6, 0.025).curve([
        (-1.0, 0.0),
        (-0.3, 0.15),
        (0.1, 0.6),
        (0.3, 0.95),
        (1.0, 1.0),
    ]);
    let [low, high] = greys(0.46, 0.52, 0.012);
    TextureRecipe {
        height: ridges * 0.7 + fbm(164, 7, 4.0) * 0.5 + fbm(165, 59, 3.0) * 0.05,
        tint: fbm(166, 9, 5.0) * 1.3,
        low,
        high,
        width: 120.0,
        steepest: 0.4,
        occlusion: 0.2,
        ..TextureRecipe::default()
    }
}

/// Drifts, and what wind has carved out of them.
fn snow() -> TextureRecipe {
    let carved = warped(octaves(171, [8, 30], 3.0, FractalKind::Billow), 172, 10, 0.02);
    let [low, high] = greys(0.47, 0.52, 0.006);
    TextureRecipe {
        height: carved * 0.16 + fbm(174, 5, 5.0) * 1.1,
        tint: fbm(175, 7, 4.0),
        low,
        high,
        width: 96.0,
        steepest: 0.35,
        occlusion: 0.2,
        ..TextureRecipe::default()
    }
}
