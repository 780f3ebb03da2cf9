//! Images of any size as square textures that repeat.

use image::RgbaImage;

/// What the channels of an image stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channels {
    /// Three colours, which are averaged as light, and a number.
    Colour,
    /// Four numbers.
    Numbers,
}

/// The image with `size` pixels along each side, by a triangle filter that reaches one pixel of the
/// coarser image to each side. It repeats: pixels at an edge are averaged with those at the other.
///
/// Colours are averaged as squares, which is close to sRGB, as in the mip levels of textures.
pub(crate) fn resampled(image: RgbaImage, size: u32, channels: Channels) -> RgbaImage {
    let (width, height) = image.dimensions();
    if (width, height) == (size, size) {
        return image;
    }
    let is_light = |channel: usize| channels == Channels::Colour && channel < 3;
    let rows = image.as_raw();
    let columns = taps(width, size);
    let mut result = Vec::with_capacity(4 * size as usize * size as usize);
    // One row of the result at a time, so that little memory is needed.
    let mut row = vec![[0.0; 4]; width as usize];
    for taps in taps(height, size) {
        row.fill([0.0; 4]);
        for (y, weight) in taps {
            let pixels = rows[4 * y * width as usize..].as_chunks::<4>().0;
            for (sum, pixel) in row.iter_mut().zip(pixels) {
                for (k, sum) in sum.iter_mut().enumerate() {
                    let value = f32::from(pixel[k]);
                    *sum += weight * if is_light(k) { value * value } else { value };
                }
            }
        }
        for taps in &columns {
            let mut mean = [0.0; 4];
            for &(x, weight) in taps {
                for (mean, value) in mean.iter_mut().zip(row[x]) {
                    *mean += weight * value;
                }
            }
            result.extend(mean.iter().enumerate().map(|(k, &mean): (usize, &f32)| {
                let value = if is_light(k) { mean.sqrt() } else { mean };
                (value + 0.5) as u8
            }));
        }
    }
    RgbaImage::from_raw(size, size, result).expect("four bytes a pixel")
}

/// For each pixel of a row of `size`, the pixels of a row of `length` that it averages, and their
/// weights.
fn taps(length: u32, size: u32) -> Vec<Vec<(usize, f32)>> {
    let scale = f64::from(length) / f64::from(size);
    let radius = scale.max(1.0);
    let each = (0..size).map(|i| {
        let centre = (f64::from(i) + 0.5) * scale - 0.5;
        let [first, last] = [(centre - radius).ceil() as i64, (centre + radius).floor() as i64];
        let weight = |at: i64| (1.0 - (at as f64 - centre).abs() / radius).max(0.0);
        let whole: f64 = (first..=last).map(weight).sum();
        let tap = |at: i64| (at.rem_euclid(length.into()) as usize, (weight(at) / whole) as f32);
        (first..=last).map(tap).collect()
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use image::Rgba;
    use image::imageops::{FilterType, resize};

    use super::*;

    /// An image of uneven pixels.
    fn uneven(width: u32, height: u32) -> RgbaImage {
        RgbaImage::from_fn(width, height, |x, y| {
            Rgba([0u32, 1, 2, 3].map(|k| (x * 37 + y * 91 + k * 53 + x * y * 7) as u8))
        })
    }

    /// Away from the edges, numbers are those of the crate `image`, which does not repeat images.
    #[test]
    fn the_middle_is_that_of_another_program() {
        for (width, height, size) in [(300, 200, 64), (40, 52, 128), (97, 97, 64), (64, 8, 32)] {
            let image = uneven(width, height);
            let ours = resampled(image.clone(), size, Channels::Numbers);
            let theirs = resize(&image, size, size, FilterType::Triangle);
            let inside = size / 8..size - size / 8;
            for (x, y) in inside.clone().flat_map(|x| inside.clone().map(move |y| (x, y))) {
                let (a, b) = (ours.get_pixel(x, y).0, theirs.get_pixel(x, y).0);
                for (a, b) in a.into_iter().zip(b) {
                    assert!(a.abs_diff(b) <= 1, "{width} x {height} to {size}, at {x}, {y}");
                }
            }
        }
    }

    /// A repeating image that begins elsewhere gives the same texture, which begins elsewhere.
    #[test]
    fn textures_repeat_without_a_seam() {
        let (image, size) = (uneven(300, 60), 64);
        let shifted =
            RgbaImage::from_fn(300, 60, |x, y| *image.get_pixel((x + 75) % 300, (y + 15) % 60));
        for channels in [Channels::Colour, Channels::Numbers] {
            let [plain, shifted] =
                [image.clone(), shifted.clone()].map(|image| resampled(image, size, channels));
            for (x, y, pixel) in shifted.enumerate_pixels() {
                let before = plain.get_pixel((x + size / 4) % size, (y + size / 4) % size);
                let differs = |(a, b): (u8, u8)| a.abs_diff(b) > 1;
                assert!(!pixel.0.into_iter().zip(before.0).any(differs), "{x} {y}");
            }
        }
    }

    #[test]
    fn colours_are_averaged_as_light_and_one_pixel_fills_a_texture() {
        let stripes = RgbaImage::from_fn(64, 2, |x, _| Rgba([[0; 4], [255; 4]][x as usize % 2]));
        let pixel = |channels| resampled(stripes.clone(), 16, channels).get_pixel(3, 5).0;
        assert_eq!(pixel(Channels::Colour), [180, 180, 180, 128]);
        assert_eq!(pixel(Channels::Numbers), [128; 4]);
        let dot = RgbaImage::from_pixel(1, 1, Rgba([1, 20, 150, 255]));
        let filled = resampled(dot, 8, Channels::Colour);
        assert!(filled.dimensions() == (8, 8) && filled.pixels().all(|p| p.0 == [1, 20, 150, 255]));
    }
}
