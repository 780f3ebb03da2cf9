//! Measures what the eye compares when one level replaces another.

use glam::Vec3;
use orogeny_models::{Levels, Mesh, Model, grow};

use crate::{
    camera::Camera,
    canvas::{Canvas, Instance},
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

/// Prints the appearance of each level: means of a few seeds, and the extremes relative to the
/// finest level.
#[allow(dead_code)]
pub fn print(models: &[Model]) {
    for &model in models {
        let grown: Vec<Levels> = (0..8).map(|seed| grow(model, seed)).collect();
        let all: Vec<Vec<Appearance>> = grown
            .iter()
            .map(|levels| levels.levels.iter().map(|m| Appearance::of(m, levels, 128)).collect())
            .collect();
        println!("{model:?}");
        for level in 0..grown[0].levels.len() {
            let most = grown.iter().map(|l| l.levels[level].triangles()).max().unwrap_or(0);
            let count = all.len() as f32;
            let area = all.iter().map(|a| a[level].area).sum::<f32>() / count;
            let colour = all.iter().map(|a| a[level].encoded()).sum::<Vec3>() / count;
            let difference = |a: &Vec<Appearance>| (a[level].encoded() - a[0].encoded()).abs();
            let difference = all.iter().map(difference).fold(Vec3::ZERO, Vec3::max).max_element();
            println!(
                "  {level}: {most:4} triangles, {area:6.3} m2 ({}), top {}, colour {colour:.3} \
                 (differs by {difference:.3})",
                range(all.iter().map(|a| a[level].area / a[0].area)),
                range(all.iter().map(|a| a[level].top / a[0].top)),
            );
        }
    }
}

/// Minimum and maximum.
fn range(values: impl Iterator<Item = f32>) -> String {
    let (low, high) = values.fold((f32::MAX, 0.0_f32), |(a, b), x| (a.min(x), b.max(x)));
    format!("{low:.2}..{high:.2}")
}
