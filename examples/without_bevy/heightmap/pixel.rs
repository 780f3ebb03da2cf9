//! Converts samples to pixels.

use std::ops;

use orogeny::Sample;
use orogeny::drainage::Water;

use crate::band::Band;
use crate::map::MapGround;
use crate::picture::{Content, Format, Picture};
use crate::tally::Range;
use crate::water;

/// Writes some pixels of a band. `plane` counts the files of the picture, and `water` is the water
/// at a pixel.
pub fn encode(
    picture: Picture,
    plane: usize,
    range: Range,
    band: &Band,
    map: Option<&MapGround>,
    water: impl Fn(usize) -> Option<Water>,
    pixels: ops::Range<usize>,
    out: &mut [u8],
) {
    for (index, pixel) in pixels.zip(out.chunks_exact_mut(picture.bytes())) {
        match picture.content {
            Content::Height | Content::Depth | Content::Temperature | Content::Moisture => {
                number(picture.format, range, band.values()[index], pixel);
            }
            Content::Normal => pixel.copy_from_slice(&colour(normal(&band.samples.get(index)))),
            Content::Hillshade => pixel[0] = byte(facing(&band.samples.get(index))),
            Content::Water => pixel[0] = water::mask(water(index)),
            Content::Flow => pixel.copy_from_slice(&water::flow(water(index))),
            Content::Discharge => {
                pixel.copy_from_slice(&water::discharge(water(index)).to_be_bytes());
            }
            Content::Cover | Content::Layer | Content::Lands => {
                weights(band.weights(index), plane, pixel);
            }
            Content::Map => {
                let colour =
                    |map: &MapGround| map.pixel(&band.map, index, &band.samples.get(index), range);
                pixel.copy_from_slice(&map.map_or([0; 3], colour));
            }
        }
    }
}

/// A number, such as a height.
fn number(format: Format, range: Range, value: f32, pixel: &mut [u8]) {
    match format {
        // PNG stores the high byte first.
        Format::Png => pixel.copy_from_slice(&range.quantise(value).to_be_bytes()),
        Format::R16 | Format::Tiff16 => {
            pixel.copy_from_slice(&range.quantise(value).to_le_bytes());
        }
        Format::F32 | Format::Tiff32 | Format::Exr => pixel.copy_from_slice(&value.to_le_bytes()),
    }
}

/// The weights of a plane, one for each byte of the pixel.
fn weights(weights: &[u8], plane: usize, pixel: &mut [u8]) {
    let first = plane * pixel.len();
    pixel.copy_from_slice(&weights[first..first + pixel.len()]);
}

/// The normal in the axes of the picture: to the right (+x), to its top (-z), and up.
fn normal(sample: &Sample<2>) -> [f64; 3] {
    // The normal leans against the gradient. The top of the picture is towards smaller z.
    let [x, z] = sample.gradient.map(f64::from);
    let length = (x * x + z * z + 1.0).sqrt();
    [-x / length, z / length, 1.0 / length]
}

fn colour(normal: [f64; 3]) -> [u8; 3] {
    normal.map(|component| byte((component + 1.0) / 2.0))
}

/// The cosine of the angle between the normal and the light, which comes from the top left, 45
/// degrees high: Lambert's law. Flat ground gets 180 of 255.
pub fn facing(sample: &Sample<2>) -> f64 {
    let [right, top, up] = normal(sample);
    (top - right) * 0.5 + up * std::f64::consts::FRAC_1_SQRT_2
}

fn byte(part: f64) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}
