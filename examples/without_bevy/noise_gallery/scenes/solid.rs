//! A ball of molten rock: 4D noise of position and time.

use image::RgbImage;
use orogeny::{Fractal, FractalKind, GradientNoise, Node, Tree};
use rayon::prelude::*;

use crate::colour::{Ramp, mix, pixel};
use crate::page::{Panel, halved, page};
use crate::picture::{Made, build};

const FRAMES: u32 = 24;
/// The period of the noise in time: the animation loops.
const PERIOD: u32 = 2;
/// The radius of the ball, in halves of the picture.
const RADIUS: f64 = 0.9;
/// The radius in cells of the first octave.
const CELLS: f64 = 1.6;
/// How much the gradient tilts the normal.
const BUMPS: f64 = 0.22;
/// The direction to the light: left, above and in front. y points down the picture.
const LIGHT: [f64; 3] = [-0.55, -0.6, 0.58];

/// The colours from glowing cracks to crust.
const ROCK: Ramp = Ramp(&[
    (0.04, [255, 236, 150]),
    (0.12, [255, 150, 32]),
    (0.22, [196, 48, 12]),
    (0.34, [84, 30, 26]),
    (0.6, [92, 78, 74]),
    (1.0, [150, 138, 130]),
]);
const SPACE: [f32; 3] = [10.0, 11.0, 18.0];

/// One period of time.
///
/// # Errors
/// A field that is not valid.
pub fn film(caption: &str, side: u32) -> Result<Made, String> {
    let noise = GradientNoise { period: [0, 0, 0, PERIOD], ..GradientNoise::seeded(3) };
    let rock = Fractal { kind: FractalKind::Turbulence, ..Fractal::fbm(4.0, noise) };
    let field = build(&Node::<4>::from(rock))?;
    let small = side * 3 / 4;
    let frame = |i| {
        let time = f64::from(PERIOD * i) / f64::from(FRAMES);
        let label = format!("turbulence at (x, y, z, t), t = {time:.2}");
        page(caption, "", vec![vec![Panel::new(label, ball(&field, time, small))]], side)
    };
    Ok(Made::Film((0..FRAMES).into_par_iter().map(frame).collect()))
}

fn ball(field: &Tree<4>, time: f64, side: u32) -> RgbImage {
    let fine = 2 * side;
    halved(&RgbImage::from_fn(fine, fine, |x, y| {
        let [x, y] = [x, y].map(|i| ((f64::from(i) + 0.5) / f64::from(side) - 1.0) / RADIUS);
        let depth = 1.0 - x * x - y * y;
        pixel(if depth > 0.0 { surface(field, [x, y, depth.sqrt()], time) } else { SPACE })
    }))
}

/// The colour at a point of the unit sphere.
fn surface(field: &Tree<4>, normal: [f64; 3], time: f64) -> [f32; 3] {
    let [x, y, z] = normal.map(|n| CELLS * n);
    let sample = field.sample([x, y, z, time]);
    // The tangential part of the gradient tilts the normal.
    let slope: [f64; 3] = std::array::from_fn(|k| sample.gradient[k].into());
    let outwards = dot(slope, normal);
    let tilted = std::array::from_fn(|k| normal[k] - BUMPS * (slope[k] - outwards * normal[k]));
    let lit = (dot(tilted, LIGHT) / dot(tilted, tilted).sqrt()).max(0.0) as f32;
    let rock = ROCK.at(sample.value);
    // Cracks emit light.
    let glow = (1.0 - sample.value / 0.3).clamp(0.0, 1.0);
    mix(rock.map(|part| part * (0.06 + 1.1 * lit)), rock, glow)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
