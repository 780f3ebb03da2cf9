//! Images of a paving of square stones, laid in rows that are shifted by half a stone.

use bevy::asset::RenderAssetUsages;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};

/// Stones along a side.
const STONES: f32 = 8.0;
/// The width of a joint, and of a stone's rounded edge, in stones.
const JOINT: f32 = 0.04;
const EDGE: f32 = 0.12;

pub struct Paving {
    pub colour: Image,
    pub normal: Image,
    pub height: Image,
}

/// The images, `size` pixels wide.
pub fn images(size: u32) -> Paving {
    let at = |x: u32, y: u32| stone(x as f32 / size as f32, y as f32 / size as f32);
    let pixels = || (0..size * size).map(|i| (i % size, i / size));
    let colour = pixels().flat_map(|(x, y)| {
        let (height, shade) = at(x, y);
        let light = 0.35 + 0.35 * height;
        [light * (0.9 + 0.2 * shade), light, light * (1.1 - 0.2 * shade), 1.0].map(byte)
    });
    let normal = pixels().flat_map(|(x, y)| {
        // Heights beyond the edges are those of the other side.
        let slope = |a: (f32, f32), b: (f32, f32)| 2.0 * (a.0 - b.0);
        let dx = slope(at((x + 1) % size, y), at((x + size - 1) % size, y));
        let dy = slope(at(x, (y + size - 1) % size), at(x, (y + 1) % size));
        let normal = Vec3::new(-dx, -dy, 1.0).normalize() * 0.5 + 0.5;
        [normal.x, normal.y, normal.z, 1.0].map(byte)
    });
    let height = pixels().map(|(x, y)| byte(at(x, y).0));
    Paving {
        colour: image(size, TextureFormat::Rgba8UnormSrgb, colour.collect()),
        normal: image(size, TextureFormat::Rgba8Unorm, normal.collect()),
        height: image(size, TextureFormat::R8Unorm, height.collect()),
    }
}

/// The height at a place of the image, 0 in joints and 1 on stones, and the shade of the stone.
fn stone(u: f32, v: f32) -> (f32, f32) {
    let row = (v * STONES).floor();
    let along = u * STONES + 0.5 * (row % 2.0);
    let number = (along.floor() % STONES) * 7.0 + row * 13.0;
    let from_joint = |x: f32| x.fract().min(1.0 - x.fract()) - JOINT;
    let inside = from_joint(along).min(from_joint(v * STONES));
    ((inside / EDGE).clamp(0.0, 1.0), number * 0.618 % 1.0)
}

fn byte(x: f32) -> u8 {
    (x.clamp(0.0, 1.0) * 255.0) as u8
}

fn image(size: u32, format: TextureFormat, data: Vec<u8>) -> Image {
    let extent = Extent3d { width: size, height: size, depth_or_array_layers: 1 };
    // The plugin resamples the pixels here: the device does not need the image.
    Image::new(extent, TextureDimension::D2, data, format, RenderAssetUsages::MAIN_WORLD)
}
