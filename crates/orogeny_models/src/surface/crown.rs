//! Silhouettes of whole crowns, and of large parts of them: leaves in lumps, with sky between.

use glam::{Vec2, Vec3};

use super::hash::{hash, noise, smoothstep};

/// Rotations of the layers of leaves, so that their grids do not show.
const TURNS: [Vec2; 3] = [Vec2::new(1.0, 0.0), Vec2::new(0.76, 0.65), Vec2::new(0.28, -0.96)];

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
        for (turn, depth) in TURNS.into_iter().zip([0.0, 1.0, 2.0]) {
            let spot = Vec2::new(0.37, 0.71) * depth;
            let x = turn.rotate(p - 0.5) * self.count + spot;
            let cell = x.floor();
            let own = Vec2::new(
                hash(cell.x, cell.y, seed * 3.0 + depth),
                hash(cell.y, cell.x, seed * 3.0 + depth + 2048.0),
            );
            let centre = cell + 0.5 + 0.2 * (own - 0.5);
            // Lumps are decided per leaf, so that whole leaves form the outline.
            let back = Vec2::new(turn.x, -turn.y);
            let q = back.rotate(centre - spot) / self.count;
            let far = (4.0 * q.length_squared()).min(1.2);
            let density = self.density(q, seed);
            let inside = density - 0.31 - 0.36 * far * far - 0.08 * own.x;
            let inside = inside.min(0.98 - far);
            let along = (own - 0.5).normalize_or(Vec2::X);
            let r = x - centre;
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
