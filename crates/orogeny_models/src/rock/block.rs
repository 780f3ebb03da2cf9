//! The shape of a rock, as a radius in each direction.

use glam::{Quat, Vec3};

use crate::{
    form::Form,
    random::Random,
    shade::{horizontal, smoothstep},
};

/// A block between planes, whose edges are round.
pub(super) struct Block {
    /// Joints along which it broke: unit normals, and distances from the centre.
    planes: Vec<(Vec3, f32)>,
    /// How often the weight of a plane is squared: the more, the sharper the edges.
    sharpness: u32,
    /// Waves that roughen it: direction and frequency, phase, height.
    waves: Vec<(Vec3, f32, f32)>,
    /// A corner that broke off and left a ledge: its direction, and how deep it is.
    ledge: (Vec3, f32),
}

impl Block {
    pub(super) fn new(form: Form, random: &mut Random) -> Block {
        // Joints run in three directions, nearly at right angles.
        let tilt = Quat::from_rotation_y(random.angle())
            * Quat::from_axis_angle(horizontal(random.angle()), random.range(0.08, 0.4));
        let mut planes: Vec<(Vec3, f32)> = [Vec3::X, Vec3::Y, Vec3::Z]
            .into_iter()
            .flat_map(|axis| [axis, -axis])
            .map(|axis| {
                let out = tilt * axis + 0.16 * random.direction();
                (out.normalize_or(axis), random.range(0.76, 0.98))
            })
            .collect();
        // Edges and corners that have broken off.
        for _ in 0..form.pick([5, 4, 6, 8]) {
            let out = random.direction();
            planes.push((out, random.range(0.86, 1.02)));
        }
        let roughness = form.pick([0.022, 0.018, 0.025, 0.03]);
        let waves = (0..9)
            .map(|i| {
                let frequency = 1.6 * 1.32_f32.powi(i);
                let height = roughness * 3.2 / frequency;
                (random.direction() * frequency, random.angle(), height * random.range(0.5, 1.4))
            })
            .collect();
        let corner = horizontal(random.angle()) + random.range(0.2, 0.9) * Vec3::Y;
        Block {
            planes,
            sharpness: form.pick([3, 2, 3, 4]),
            waves,
            ledge: (corner.normalize(), form.pick([0.12, 0.0, 0.1, 0.26]) * random.vary(0.2)),
        }
    }

    /// The point in a direction.
    pub(super) fn at(&self, out: Vec3) -> Vec3 {
        // Near an edge several planes count, which rounds it: a norm with a high exponent.
        let mut sum = 0.0;
        for &(normal, distance) in &self.planes {
            let share = (out.dot(normal) / distance).max(0.0);
            sum += (0..self.sharpness).fold(share * share, |power, _| power * power);
        }
        let root = (0..=self.sharpness).fold(sum, |root, _| root.sqrt());
        let noise: f32 = self
            .waves
            .iter()
            .map(|(wave, phase, height)| height * (wave.dot(out) * 3.0 + phase).sin())
            .sum();
        let (corner, deep) = self.ledge;
        let broken = deep * smoothstep(0.62, 0.74, out.dot(corner));
        out * ((1.0 + noise - broken) / root)
    }

    /// The normal in a direction, from differences as far apart as fine vertices.
    pub(super) fn normal(&self, out: Vec3) -> Vec3 {
        const STEP: f32 = 0.07;
        let (a, b) = out.any_orthonormal_pair();
        let along = |side: Vec3| {
            self.at((out + STEP * side).normalize()) - self.at((out - STEP * side).normalize())
        };
        let normal = along(a).cross(along(b));
        if normal.dot(out) < 0.0 { -normal } else { normal }
    }
}
