//! Silhouettes of whole crowns, and of large parts of them: leaves in lumps, with sky between.

use glam::{Vec2, Vec3};

use super::cards::{Leaf, leaf};
use super::{hash, noise};
use crate::mesh::smoothstep;

/// The pattern of a crown.
pub(super) struct Crown {
    /// Leaves across.
    count: f32,
    /// Lumps across and upwards.
    lumps: Vec2,
    /// Half the width of a leaf, in cells.
    blade: f32,
    /// The colours of leaves in shadow and in light.
    dark: Vec3,
    bright: Vec3,
}

/// Broad leaves in round lumps.
pub(super) const BROAD: Crown = Crown {
    count: 23.0,
    lumps: Vec2::new(4.5, 4.5),
    blade: 0.31,
    dark: Vec3::new(0.175, 0.24, 0.1),
    bright: Vec3::new(0.33, 0.4, 0.18),
};

/// A bush: larger leaves.
pub(super) const BUSH: Crown = Crown { count: 14.0, lumps: Vec2::new(3.5, 3.5), ..BROAD };

/// A pine: flat clumps, one above the other.
pub(super) const PINE: Crown = Crown {
    count: 26.0,
    lumps: Vec2::new(3.2, 7.5),
    blade: 0.31,
    dark: Vec3::new(0.17, 0.225, 0.13),
    bright: Vec3::new(0.36, 0.42, 0.235),
};

/// A birch: hanging clumps.
pub(super) const BIRCH: Crown = Crown {
    count: 27.0,
    lumps: Vec2::new(6.5, 3.5),
    blade: 0.27,
    dark: Vec3::new(0.215, 0.275, 0.137),
    bright: Vec3::new(0.36, 0.415, 0.228),
};

impl Crown {
    /// How dense the foliage is about a place relative to the middle.
    fn density(&self, q: Vec2, seed: f32) -> f32 {
        let fine = noise(q * self.lumps * 2.3 + 40.0, seed + 1.0);
        0.68 * noise(q * self.lumps + 20.0, seed) + 0.32 * fine
    }

    /// The pattern.
    pub(super) fn at(&self, p: Vec2, seed: f32) -> (Vec3, f32) {
        let (mut colour, mut edge) = (self.dark, -0.1_f32);
        for layer in 0..3 {
            let Leaf { q: r, own, place: q } = leaf(p, layer, self.count, 0.2, seed);
            let depth = layer as f32;
            // Lumps are decided per leaf, so that whole leaves form the outline.
            let far = (4.0 * q.length_squared()).min(1.2);
            let density = self.density(q, seed);
            let inside = density - 0.31 - 0.36 * far * far - 0.08 * own.x;
            let inside = inside.min(0.98 - far);
            let along = (own - 0.5).normalize_or(Vec2::X);
            let (a, b) = (r.dot(along), r.perp_dot(along));
            let reach = a / 0.52;
            let here = (self.blade * (1.0 - reach * reach) - b.abs()).min(4.0 * inside);
            if here > edge.min(0.0) {
                // The upper sides of lumps are lit, and gaps between them are dark.
                let above = self.density(q + Vec2::new(0.0, 0.22 / self.lumps.y), seed);
                let light = 0.25 + 1.9 * (density - above) + 0.12 * depth + 0.35 * (own.y - 0.5);
                let light = light + 0.3 * smoothstep(0.02, 0.3, inside);
                colour = self.dark.lerp(self.bright, light.clamp(0.0, 1.0));
                edge = here;
            }
        }
        (colour, (0.5 + 5.0 * edge).clamp(0.0, 1.0))
    }
}

/// The crown of a spruce: whorls of branches from which twigs hang, with sky between them. Three
/// layers: branches to the sides, ones that come half towards the viewer, and the nearest.
pub(super) fn conifer(p: Vec2, seed: f32) -> (Vec3, f32) {
    let s = 2.0 * p.x - 1.0;
    let v = s.abs();
    let side = if s > 0.0 { 1.0 } else { 0.0 };
    let (mut colour, mut edge) = (Vec3::new(0.16, 0.225, 0.13), -0.1_f32);
    for layer in 0..3 {
        let depth = layer as f32;
        let own_seed = seed + 17.0 * depth;
        let near = 1.0 - 0.3 * depth;
        // Branches sink and turn up at the tip. Those that come nearer hang lower in the picture.
        let around = (1.04 - p.y).max(0.05) * near;
        let q = (v / around).min(1.2);
        let sink = around * (0.36 * q - 0.27 * q * q) + 0.012 * depth;
        // Whorls crowd towards the top.
        let y = (p.y + sink) * (1.0 + 0.45 * p.y);
        let t = y * 18.0 + 0.5 * side + 0.37 * depth;
        let tier = t.floor();
        let f = t - tier;
        let own = hash(tier, side + 2.0 * depth, seed);
        let root = (tier + 0.5 - 0.5 * side - 0.37 * depth) / 18.0;
        let root = ((1.0 + 1.8 * root).max(0.0).sqrt() - 1.0) / 0.9;
        let reach = (1.02 - root) * (1.1 - 0.1 * root) * (0.3 + 3.2 * root).min(1.0);
        let reach =
            (reach * near * (0.5 + 0.52 * own)).max(0.062 * (0.15 + 30.0 * (1.0 - p.y)).min(1.0));
        let share = v / reach;
        // Twigs hang from the branch, long ones in its middle.
        let column = s * (26.0 - 4.0 * depth) + 3.0 * own + 0.4 * f;
        let twig = hash(column.floor(), tier, own_seed);
        let across = (column - column.floor() - 0.5).abs();
        let hang = (0.3 + 0.55 * (1.0 - share * share).max(0.0)) * (0.55 + 0.45 * twig);
        let below = hang * (1.0 - 0.5 * across) - (0.86 - f);
        let body = below.min(0.9 - 0.12 * twig - f).min(3.5 * (1.06 - share));
        // No branches below the lowest whorl.
        let here = if root > 0.14 { body.min(9.0 * p.y - 0.4 * twig) } else { -1.0 };
        if here > edge.min(0.0) {
            let top = f + 0.25 * (twig - 0.5);
            let light = 0.6 * top * top + 0.45 * share + 0.35 * twig - 0.3 + 0.06 * depth;
            let dark = Vec3::new(0.155, 0.22, 0.125);
            colour = dark.lerp(Vec3::new(0.32, 0.39, 0.21), light.clamp(0.0, 1.0));
            edge = here;
        }
    }
    (colour, (0.5 + 4.0 * edge).clamp(0.0, 1.0))
}
