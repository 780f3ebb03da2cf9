//! Rock.

use glam::{Vec2, Vec3};

use super::hash::{hash, mix, noise, smoothstep};

/// Turns octaves of noise against each other, so that their grids do not show.
const TURN: Vec2 = Vec2::new(0.8, 0.6);

/// Grey rock of dark and pale grains, with stains, thin cracks and rosettes of lichen.
pub(super) fn rock(uv: Vec2, seed: f32) -> Vec3 {
    let turned = TURN.rotate(uv);
    let broad = 0.6 * noise(uv * 4.0, seed) + 0.4 * noise(turned * 9.0, seed + 1.0);
    let middle = 0.6 * noise(turned * 21.0, seed + 2.0) + 0.4 * noise(uv * 47.0, seed + 3.0);
    let grain = noise(turned * 120.0, seed + 4.0);
    let mut colour = Vec3::new(0.36, 0.35, 0.33).lerp(Vec3::new(0.47, 0.46, 0.44), broad);
    colour *= 0.84 + 0.26 * middle;
    // Crystals: mica is dark, feldspar and quartz are pale.
    let crystal = hash((uv.x * 210.0).floor(), (uv.y * 210.0).floor(), seed);
    let speck = smoothstep(0.86, 0.95, crystal) - smoothstep(0.16, 0.06, crystal);
    colour *= 0.9 + 0.2 * grain + 0.16 * speck;
    // Cracks follow level lines of a smooth noise, and fade.
    let line = noise(uv * 3.1 + 7.7, seed + 5.0) + 0.05 * middle + 0.012 * grain - 0.53;
    let crack = smoothstep(0.011, 0.003, line.abs()) * smoothstep(0.42, 0.6, broad);
    colour *= 1.0 - 0.5 * crack;
    // Water leaves dark stains.
    let stain = smoothstep(0.58, 0.75, noise(uv * Vec2::new(7.0, 3.0) + 3.3, seed + 6.0));
    colour *= 1.0 - 0.16 * stain * middle;
    let pale = lichen(uv, 8.0, 0.5, seed + 7.0, middle);
    colour = colour.lerp(Vec3::new(0.53, 0.54, 0.49), 0.5 * pale);
    let green = lichen(turned, 13.0, 0.3, seed + 8.0, middle);
    colour = colour.lerp(Vec3::new(0.4, 0.42, 0.27), 0.5 * green * mix(0.6, 1.0, grain));
    colour.lerp(Vec3::new(0.24, 0.24, 0.22), 0.5 * lichen(uv, 19.0, 0.3, seed + 9.0, grain))
}

/// How much a rosette of lichen covers a place. `count` of them would fit across, and a share of
/// them is there. They are ragged.
fn lichen(uv: Vec2, count: f32, share: f32, seed: f32, ragged: f32) -> f32 {
    let x = uv * count;
    let cell = x.floor();
    let own = hash(cell.x, cell.y, seed);
    let other = hash(cell.y, cell.x, seed + 512.0);
    let centre = cell + 0.5 + 0.3 * (Vec2::new(own, other) - 0.5);
    let radius = 0.4 * (1.0 - own / share);
    let from = (x - centre).length() + 0.26 * (ragged - 0.5);
    smoothstep(0.05, -0.05, from - radius) * (0.7 + 0.3 * smoothstep(0.0, radius, from))
}
