//! Pictures, and PNG files of them.

use std::{fs::File, io::BufWriter, path::Path};

use glam::Vec3;

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
