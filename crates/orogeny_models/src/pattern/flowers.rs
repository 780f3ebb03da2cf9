//! Flowers, seen from above.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::{hash, noise_around};
use crate::mesh::smoothstep;

/// A kind of flower.
pub(super) struct Flower {
    petals: f32,
    /// How far the rim is drawn in between two petals, over the radius.
    notch: f32,
    /// How much wider or narrower than their sector petals are.
    wide: f32,
    /// The radius of what is in the middle.
    eye: f32,
    /// The colours of the middle, of the base of petals and of their tips.
    colours: [Vec3; 3],
    /// How dark the veins of petals are.
    veins: f32,
}

/// A daisy, a buttercup, a cranesbill and clover.
pub(super) const KINDS: [Flower; 4] = [
    Flower {
        petals: 17.0,
        notch: 0.3,
        wide: 0.93,
        eye: 0.3,
        colours: [
            Vec3::new(0.84, 0.62, 0.1),
            Vec3::new(0.8, 0.82, 0.74),
            Vec3::new(0.93, 0.93, 0.9),
        ],
        veins: 0.04,
    },
    Flower {
        petals: 5.0,
        notch: 0.26,
        wide: 1.2,
        eye: 0.26,
        colours: [
            Vec3::new(0.66, 0.52, 0.08),
            Vec3::new(0.82, 0.63, 0.06),
            Vec3::new(0.94, 0.8, 0.14),
        ],
        veins: 0.06,
    },
    Flower {
        petals: 5.0,
        notch: 0.38,
        wide: 1.1,
        eye: 0.12,
        colours: [
            Vec3::new(0.7, 0.66, 0.74),
            Vec3::new(0.66, 0.58, 0.8),
            Vec3::new(0.46, 0.36, 0.72),
        ],
        veins: 0.2,
    },
    Flower {
        petals: 29.0,
        notch: 0.16,
        wide: 1.2,
        eye: 0.1,
        colours: [
            Vec3::new(0.52, 0.24, 0.42),
            Vec3::new(0.6, 0.28, 0.48),
            Vec3::new(0.78, 0.5, 0.68),
        ],
        veins: 0.3,
    },
];

impl Flower {
    /// The colour and the coverage at a point of the unit square.
    pub(super) fn at(&self, p: Vec2, seed: f32) -> (Vec3, f32) {
        let off = 2.0 * p - 1.0;
        let far = off.length();
        let around = (off.y.atan2(off.x) / TAU + 0.5) * self.petals;
        let petal = around.floor().min(self.petals - 1.0);
        let own = hash(petal, self.petals, seed);
        // 0 on the middle line of a petal, 1 halfway to the next.
        let across = (2.0 * (around - petal) - 1.0).abs();
        let reach = 0.92 - 0.1 * own - self.notch * across * across;
        let gap = (self.wide - across) * far * TAU / (2.0 * self.petals);
        let edge = (reach - far).min(gap).max(self.eye - far);
        let [eye, base, tip] = self.colours;
        let vein = noise_around(Vec2::new(5.0 * around, 3.0 * far), 5.0 * self.petals, seed);
        let shaded = 1.0 - 0.22 * smoothstep(0.5, 1.0, across) - self.veins * vein;
        let blade = base.lerp(tip, smoothstep(0.2, 0.8, far)) * shaded * (0.92 + 0.12 * own);
        let grain = 0.8 + 0.4 * hash((24.0 * p.x).floor(), (24.0 * p.y).floor(), seed);
        let colour = blade.lerp(eye * grain, smoothstep(self.eye, 0.8 * self.eye, far));
        (colour, (0.5 + 6.0 * edge).clamp(0.0, 1.0))
    }
}
