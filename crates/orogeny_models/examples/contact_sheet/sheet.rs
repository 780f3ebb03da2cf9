//! The contact sheet: a row for each model, and a column for each level.

use glam::Vec3;
use orogeny_models::{Levels, Model, grow};

use crate::{
    camera::Camera,
    canvas::{Canvas, Instance},
    light::Light,
    picture::Picture,
};

const BACKGROUND: Vec3 = Vec3::new(0.5, 0.58, 0.66);

/// Draws `models` with cells of `size` pixels, seen a little from above.
pub fn sheet(models: &[&Model], seeds: &[u64], size: usize) -> Picture {
    let grown = models.iter().flat_map(|model| seeds.iter().filter_map(|&seed| grow(model, seed)));
    let grown: Vec<Levels> = grown.collect();
    let mut sheet = Picture::new(4 * size, grown.len() * size);
    for (row, levels) in grown.iter().enumerate() {
        let half = 0.53 * levels.height.max(1.9 * levels.radius);
        let middle = Vec3::Y * 0.47 * levels.height;
        let eye = middle + Vec3::new(3.0, 0.7, 6.0).normalize() * (20.0 * half);
        let camera = Camera::new(eye, middle, half, false);
        for (column, mesh) in levels.levels.iter().enumerate() {
            let mut canvas = Canvas::new(4 * size, 4 * size);
            canvas.draw(mesh, &camera, Instance::PLAIN);
            let mut cell = Picture::new(4 * size, 4 * size);
            for (pixel, sample) in cell.pixels.iter_mut().zip(&canvas.samples) {
                *pixel = sample.map_or(BACKGROUND, |sample| Light::noon().shade(&sample, 1.0));
            }
            sheet.paste(&cell.shrink(4), column * size, row * size);
        }
    }
    sheet
}
