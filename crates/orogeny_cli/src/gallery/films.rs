//! Animations: slices of 3D noise, and why the domain should be rotated for them; and a ball of
//! molten rock, 4D noise of position and time.
//!
//! Gradient noise is zero at lattice points, so a slice at integer z is faint everywhere, and an
//! animation along z pulses. A rotated slice crosses lattice planes at every phase at once.

use image::RgbImage;
use orogeny::{Field, Fractal, FractalKind, GradientNoise, Grid, Node, Samples, Tree};
use rayon::prelude::*;

use super::{Entry, entry};
use crate::gallery::page::{Curve, Panel, halved, page, plot};
use crate::gallery::picture::Picture::Scene;
use crate::gallery::picture::{Frames, build};
use crate::gallery::view::{CURVES, Ramp, Slice, View, mix, pixel};

/// Noise that moves.
#[rustfmt::skip]
pub const FILMS: &[Entry] = &[
    entry("slices", "A slice of 3D noise moving along z, aligned with the lattice and rotated",
        Scene(slices)),
    entry("slices-rms", "The strength of such slices: aligned ones pulse, rotated ones do not",
        Scene(strength)),
    entry("solid", "4D noise, animated: turbulence on a ball", Scene(solid)),
];

const FRAMES: u32 = 24;
/// The distance that the slice moves along z.
const WAY: f64 = 2.0;
/// The width of frames in cells.
const CELLS: f64 = 6.0;
/// The rotation around the axis (1, 1, 1), in degrees.
const TURN: f64 = 40.0;
/// The values drawn black and white.
const RANGE: [f32; 2] = [-0.6, 0.6];

/// The strength of a slice is measured over a square of this many cells. Also the number of points
/// along each axis, and the number of slices.
const MEASURED: f64 = 48.0;
const POINTS: usize = 192;
const SLICES: usize = 65;

/// The period of the noise in time: the animation loops.
const PERIOD: u32 = 2;
/// The radius of the ball, in halves of the picture.
const RADIUS: f64 = 0.9;
/// The radius in cells of the first octave.
const BALL_CELLS: f64 = 1.6;
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

fn fields() -> Result<[Tree<3>; 2], String> {
    Ok([build(&Node::noise(1))?, build(&Node::noise(1).rotate(TURN))?])
}

/// The moving slice, aligned and rotated.
fn slices(caption: &str, side: u32) -> Result<Frames, String> {
    let fields = fields()?;
    let small = side * 3 / 4;
    let frame = |i| {
        let z = WAY * f64::from(i) / f64::from(FRAMES);
        let slice = |field| View::new(&Slice { field, z }, [0.0; 2], CELLS, small).grey(RANGE);
        let [straight, rotated] = [slice(&fields[0]), slice(&fields[1])];
        let panels = vec![
            Panel::new(format!("aligned, z = {z:.2}"), straight),
            Panel::new(format!("rotate({TURN}), z = {z:.2}"), rotated),
        ];
        page(caption, "", vec![panels], side)
    };
    Ok((0..FRAMES).into_par_iter().map(frame).collect())
}

/// The root mean square of both slices as z changes.
fn strength(caption: &str, side: u32) -> Result<Frames, String> {
    let [straight, rotated] = fields()?.map(|field| root_mean_squares(&field));
    let min = |curve: &Curve| curve.iter().fold(f64::INFINITY, |min, p| min.min(p.1));
    let max = |curve: &Curve| curve.iter().fold(0f64, |max, p| max.max(p.1));
    let note = format!(
        "Root mean square of a slice by z: aligned {:.3} to {:.3}, rotated {:.3} to {:.3}.",
        min(&straight),
        max(&straight),
        min(&rotated),
        max(&rotated)
    );
    let legend =
        vec![("aligned".into(), CURVES[1]), (format!("rotated by {TURN} degrees"), CURVES[0])];
    let range =
        [0.95 * min(&straight).min(min(&rotated)), 1.05 * max(&straight).max(max(&rotated))];
    let image =
        plot(side, [2 * side, side], &[(CURVES[1], straight), (CURVES[0], rotated)], Some(range))?;
    Ok(vec![page(caption, &note, vec![vec![Panel::with_legend(legend, image)]], side)])
}

fn root_mean_squares(field: &Tree<3>) -> Curve {
    let slice = |i: usize| {
        let z = i as f64 / (SLICES - 1) as f64;
        let grid = Grid::new([0.0, 0.0, z], MEASURED / POINTS as f64, [POINTS, POINTS, 1]);
        let mut samples = Samples::new();
        field.sample_grid(&grid, &mut samples);
        let squares = samples.values().iter().map(|&x| f64::from(x).powi(2)).sum::<f64>();
        (z, (squares / samples.len() as f64).sqrt())
    };
    (0..SLICES).into_par_iter().map(slice).collect()
}

/// One period of time.
fn solid(caption: &str, side: u32) -> Result<Frames, String> {
    let noise = GradientNoise { period: [0, 0, 0, PERIOD], ..GradientNoise::seeded(3) };
    let rock = Fractal { kind: FractalKind::Turbulence, ..Fractal::fbm(4.0, noise) };
    let field = build(&Node::<4>::from(rock))?;
    let small = side * 3 / 4;
    let frame = |i| {
        let time = f64::from(PERIOD * i) / f64::from(FRAMES);
        let label = format!("turbulence at (x, y, z, t), t = {time:.2}");
        page(caption, "", vec![vec![Panel::new(label, ball(&field, time, small))]], side)
    };
    Ok((0..FRAMES).into_par_iter().map(frame).collect())
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
    let [x, y, z] = normal.map(|n| BALL_CELLS * n);
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
