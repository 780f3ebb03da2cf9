//! Light of the sun and the sky.

use glam::Vec3;

use crate::canvas::Sample;

/// Sun and sky.
#[derive(Clone, Copy, Debug)]
pub struct Light {
    /// Direction to the sun.
    pub sun: Vec3,
    pub sunlight: Vec3,
    pub sky: Vec3,
    pub ground: Vec3,
}

/// The share of light that passes through leaves.
const TRANSMISSION: f32 = 0.35;

impl Light {
    /// A clear day.
    pub fn noon() -> Light {
        Light {
            sun: Vec3::new(0.45, 0.75, 0.5).normalize(),
            sunlight: Vec3::new(2.1, 2.0, 1.8),
            sky: Vec3::new(0.62, 0.75, 0.98),
            ground: Vec3::new(0.22, 0.24, 0.14),
        }
    }

    /// Linear colour of a sample. `lit` is the share of sunlight that reaches it.
    pub fn shade(&self, sample: &Sample, lit: f32) -> Vec3 {
        let share = 0.5 + 0.5 * sample.normal.y;
        let ambient = self.ground.lerp(self.sky, share) * sample.tone;
        let facing = sample.normal.dot(self.sun);
        let through = if sample.leafy { TRANSMISSION * sample.tone } else { 0.0 };
        let sunlight = self.sunlight * lit * (facing.max(0.0) + through * (-facing).max(0.0));
        // Tone also stands for the shadows inside a crown that shadow maps miss.
        linear(sample.colour) * (0.35 + 0.65 * sample.tone) * (ambient + sunlight)
    }
}

/// Decodes sRGB.
pub fn linear(colour: Vec3) -> Vec3 {
    colour.powf(2.2)
}
