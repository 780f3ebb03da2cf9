//! Pictures of a level: from where it is seen, where the sun stands, and PNG files of them.

use std::{fs::File, io::BufWriter, path::Path};

use clap::Args;
use glam::{Vec3, vec3};
use orogeny_models::{Levels, Mesh};

use crate::appearance::{Camera, Canvas, Instance, Light};

const BACKGROUND: Vec3 = Vec3::new(0.5, 0.58, 0.66);

/// Where the viewer and the sun are.
#[derive(Args, Clone, Copy, Debug)]
pub struct View {
    /// How high the viewer stands above the horizon of the model, in degrees.
    #[arg(long, default_value_t = 6.0)]
    elevation: f32,
    /// See it in perspective from this distance in metres, in a picture 60 degrees wide. Otherwise
    /// the model fills the picture.
    #[arg(long)]
    distance: Option<f32>,
    /// Let the sun stand low behind the model.
    #[arg(long)]
    backlit: bool,
    /// Let the sun stand low on the left.
    #[arg(long)]
    dusk: bool,
}

impl View {
    fn camera(&self, levels: &Levels) -> Camera {
        let (sin, cos) = self.elevation.to_radians().sin_cos();
        let from = vec3(0.447 * cos, sin, 0.894 * cos);
        let middle = Vec3::Y * 0.47 * levels.height;
        let half = 0.53 * levels.height.max(1.9 * levels.radius);
        let Some(distance) = self.distance else {
            return Camera::new(middle + from * (20.0 * half), middle, half, false);
        };
        // From near one sees what is at the height of the eyes.
        let target = middle.min(Vec3::Y * (1.7 + 0.25 * distance));
        Camera::new(target + from * distance, target, 0.577, true)
    }

    fn light(&self) -> Light {
        let noon = Light::noon();
        if !self.backlit && !self.dusk {
            return noon;
        }
        let sun = if self.backlit { vec3(-0.35, 0.3, -0.9) } else { vec3(-0.9, 0.2, 0.4) };
        let (sunlight, sky) = (vec3(1.9, 1.3, 0.8), vec3(0.4, 0.5, 0.7));
        Light { sun: sun.normalize(), sunlight, sky, ..noon }
    }

    /// Draws a level in a cell of `size` pixels.
    pub fn draw(&self, levels: &Levels, mesh: &Mesh, size: usize) -> Picture {
        let (camera, light) = (self.camera(levels), self.light());
        let mut canvas = Canvas::new(4 * size, 4 * size);
        canvas.draw(mesh, &camera, Instance::PLAIN);
        // The shadow map: the model as the sun sees it.
        let middle = Vec3::Y * 0.5 * levels.height;
        let half = levels.height.max(2.0 * levels.radius) * 0.75;
        let sun = Camera::new(middle + 4.0 * half * light.sun, middle, half, false);
        let mut shadows = Canvas::new(768, 768);
        shadows.draw(mesh, &sun, Instance::PLAIN);
        let mut cell = Picture::new(4 * size, 4 * size);
        for (pixel, sample) in cell.pixels.iter_mut().zip(&canvas.samples) {
            *pixel = sample.map_or(BACKGROUND, |sample| {
                let seen = sun.project(sample.position);
                let at = shadows.locate(seen).as_uvec2().min(glam::UVec2::splat(767));
                let nearest = shadows.depths[at.y as usize * 768 + at.x as usize];
                let lit = if seen.z > nearest + 0.02 * half { 0.0 } else { 1.0 };
                light.shade(&sample, lit)
            });
        }
        cell.shrink(4)
    }
}

/// A picture of linear colours.
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<Vec3>,
}

impl Picture {
    pub fn new(width: usize, height: usize) -> Picture {
        Picture { width, height, pixels: vec![Vec3::ZERO; width * height] }
    }

    /// Copies a picture into this one.
    pub fn paste(&mut self, other: &Picture, x: usize, y: usize) {
        for row in 0..other.height {
            let from = &other.pixels[row * other.width..(row + 1) * other.width];
            let start = (y + row) * self.width + x;
            self.pixels[start..start + other.width].copy_from_slice(from);
        }
    }

    /// Averages squares of `factor` by `factor` pixels.
    pub fn shrink(&self, factor: usize) -> Picture {
        let mut small = Picture::new(self.width / factor, self.height / factor);
        for (i, pixel) in small.pixels.iter_mut().enumerate() {
            let (x, y) = (i % small.width * factor, i / small.width * factor);
            for row in 0..factor {
                for column in 0..factor {
                    *pixel += self.pixels[(y + row) * self.width + x + column];
                }
            }
            *pixel /= (factor * factor) as f32;
        }
        small
    }

    pub fn save(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        let encoded = |colour: &Vec3| {
            (colour.clamp(Vec3::ZERO, Vec3::ONE).powf(1.0 / 2.2) * 255.0)
                .to_array()
                .map(|channel| channel.round() as u8)
        };
        let bytes: Vec<u8> = self.pixels.iter().flat_map(encoded).collect();
        encoder.write_header()?.write_image_data(&bytes)?;
        Ok(())
    }
}
