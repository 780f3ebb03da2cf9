//! Measures what the eye compares when one level replaces another.

use glam::Vec3;
use orogeny_models::{Levels, Mesh};

use crate::{
    canvas::{Camera, Canvas, Instance},
    light::Light,
};

/// The appearance of a mesh from one side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Appearance {
    /// Covered area in square metres.
    pub area: f32,
    /// Mean linear colour of the covered area.
    pub colour: Vec3,
    /// Height of the topmost covered sample in metres.
    pub top: f32,
}

impl Appearance {
    /// The mean over four sides.
    pub fn of(mesh: &Mesh, levels: &Levels, resolution: usize) -> Appearance {
        let half = 0.55 * levels.height.max(2.2 * levels.radius);
        let middle = Vec3::Y * 0.5 * levels.height;
        let mut mean = Appearance::default();
        for side in 0..4 {
            let (sin, cos) = (0.3 + 0.785 * side as f32).sin_cos();
            let eye = middle + Vec3::new(sin, 0.08, cos) * 10.0 * half;
            let camera = Camera::new(eye, middle, half, false);
            let mut canvas = Canvas::new(resolution, resolution);
            canvas.draw(mesh, &camera, Instance::PLAIN);
            let seen: Vec<_> = canvas.samples.iter().flatten().collect();
            let pixel = 2.0 * half / resolution as f32;
            let colour: Vec3 = seen.iter().map(|sample| Light::noon().shade(sample, 1.0)).sum();
            mean.area += 0.25 * seen.len() as f32 * pixel * pixel;
            mean.colour += 0.25 * colour / seen.len().max(1) as f32;
            let top = seen.iter().map(|sample| sample.position.y).fold(0.0, f32::max);
            mean.top = mean.top.max(top);
        }
        mean
    }

    /// The mean colour, encoded as sRGB.
    pub fn encoded(&self) -> Vec3 {
        self.colour.powf(1.0 / 2.2)
    }
}
