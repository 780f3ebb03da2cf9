//! The path of the scripted flight: a horizontal figure of eight, low above the ground.

use std::f32::consts::TAU;

use bevy::prelude::*;

/// Half the extent of the loop along x and z, in metres.
const LOOP: Vec2 = Vec2::new(9000.0, 6000.0);
/// Metres above the highest ground within `LOOK_AHEAD`.
const HEIGHT: f32 = 220.0;
const LOOK_AHEAD: f32 = 600.0;
/// Slope of the view; negative is down.
const PITCH: f32 = -0.14;

/// The point at a fraction of the loop.
fn at(part: f32) -> Vec2 {
    LOOP * Vec2::new((TAU * part).sin(), (2.0 * TAU * part).sin() / 2.0)
}

/// The length of the loop in metres.
pub fn length() -> f32 {
    const PIECES: u16 = 1000;
    let ends = |i: u16| [i, i + 1].map(|i| at(f32::from(i) / f32::from(PIECES)));
    (0..PIECES).map(ends).map(|[from, to]| from.distance(to)).sum()
}

/// The camera at a fraction of the loop, given the height of the ground or the sea at (x, z).
pub fn camera(height: impl Fn([f64; 2]) -> f32, part: f32) -> Transform {
    let here = at(part);
    let ahead = (at(part + 1e-3) - here).normalize();
    let highest = (0..=8)
        .map(|i| here + ahead * (LOOK_AHEAD * i as f32 / 8.0))
        .map(|p| height(p.as_dvec2().to_array()))
        .fold(f32::MIN, f32::max);
    Transform::from_xyz(here.x, highest + HEIGHT, here.y)
        .looking_to(Vec3::new(ahead.x, PITCH, ahead.y), Vec3::Y)
}
