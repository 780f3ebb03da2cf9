//! Bark, bare wood, rock and blades of grass.

use glam::{Vec2, Vec3};

use super::{hash, mix, noise, noise_around, noise_tiled};
use crate::mesh::smoothstep;

/// Furrowed bark, which has a period of 1 along v, too. u runs around the stem, so the patterns of
/// all stems have that period along it.
pub(super) fn bark(uv: Vec2, seed: f32) -> Vec3 {
    let tiled = |x: f32, y: f32, seed| noise_tiled(uv * Vec2::new(x, y), Vec2::new(x, y), seed);
    // Long plates that lean a little, each of smaller ones.
    let lean = Vec2::new(1.1 * tiled(4.0, 6.0, seed + 2.0), 1.6 * tiled(9.0, 3.0, seed + 8.0));
    let long = Plate::at(uv, Vec2::new(9.0, 7.0), lean, seed + 3.0);
    let small = Plate::at(uv, Vec2::new(21.0, 34.0), lean, seed + 5.0);
    let grain = tiled(61.0, 97.0, seed + 4.0);
    let ridge = smoothstep(0.0, 0.34, long.gap + 0.2 * (grain - 0.4))
        * (0.62 + 0.38 * smoothstep(0.0, 0.2, small.gap));
    let own = 0.86 + 0.16 * long.own + 0.12 * small.own;
    let colour = Vec3::new(0.2, 0.168, 0.142).lerp(Vec3::new(0.37, 0.32, 0.275), ridge) * own;
    let lichen = smoothstep(0.6, 0.8, tiled(7.0, 9.0, seed + 6.0)) * ridge;
    colour.lerp(Vec3::new(0.36, 0.38, 0.3), 0.5 * lichen) * (0.85 + 0.3 * grain)
}

/// Bark of a Scots pine: thick plates below, thin flakes above.
pub(super) fn pine_bark(uv: Vec2, seed: f32) -> Vec3 {
    let around = |x: f32, y: f32, seed| noise_around(uv * Vec2::new(x, y), x, seed);
    let grain = around(29.0, 190.0, seed + 4.0);
    let lean = Vec2::new(0.9 * around(5.0, 40.0, seed + 2.0), 1.2 * around(7.0, 30.0, seed + 8.0));
    let plate = Plate::at(uv, Vec2::new(7.0, 34.0), lean, seed + 3.0);
    let flake = Plate::at(uv, Vec2::new(11.0, 90.0), lean, seed + 5.0);
    let up = smoothstep(0.25, 0.6, uv.y + 0.2 * (grain - 0.5));
    let deep = smoothstep(0.0, 0.3, plate.gap + 0.16 * (grain - 0.4));
    let low = deep * (0.72 + 0.28 * smoothstep(0.0, 0.25, flake.gap));
    let below = Vec3::new(0.18, 0.135, 0.11).lerp(Vec3::new(0.37, 0.285, 0.235), low);
    let thin = smoothstep(0.0, 0.14, flake.gap);
    let above = Vec3::new(0.42, 0.25, 0.14).lerp(Vec3::new(0.56, 0.36, 0.21), thin);
    let own = 0.88 + 0.14 * plate.own + 0.12 * flake.own;
    below.lerp(above, up) * own * (0.85 + 0.3 * grain)
}

/// A plate of bark: a cell of jittered points (Worley 1996).
struct Plate {
    /// How far the gap to the next plate is: 0 in it, about 0.5 in the middle.
    gap: f32,
    /// A random number of the plate.
    own: f32,
}

impl Plate {
    /// The plate at a point, of so many around and along the unit square, which repeat. They are
    /// moved by `lean`, which is relative to one of them.
    fn at(uv: Vec2, count: Vec2, lean: Vec2, seed: f32) -> Self {
        let p = uv * count + lean;
        let cell = p.floor();
        let mut nearest = [(f32::MAX, 0.0); 2];
        for (i, j) in (-1..=1).flat_map(|i| (-1..=1).map(move |j| (i, j))) {
            let other = cell + Vec2::new(i as f32, j as f32);
            let wrapped = other - (other / count).floor() * count;
            let random = |salt| hash(wrapped.x, wrapped.y, seed + salt);
            let point = other + 0.15 + 0.7 * Vec2::new(random(0.0), random(256.0));
            let found = (p.distance(point), random(512.0));
            if found.0 < nearest[0].0 {
                nearest = [found, nearest[0]];
            } else if found.0 < nearest[1].0 {
                nearest[1] = found;
            }
        }
        Self { gap: nearest[1].0 - nearest[0].0, own: nearest[0].1 }
    }
}

/// White bark of a birch: dark lens-shaped marks across, and dark fissures near the ground.
pub(super) fn birch_bark(uv: Vec2, seed: f32) -> Vec3 {
    let (ridge, grain) = furrows(uv, seed);
    let white = Vec3::new(0.72, 0.7, 0.66).lerp(Vec3::new(0.86, 0.85, 0.82), grain);
    let marks = noise_around(uv * Vec2::new(4.0, 110.0), 4.0, seed + 7.0);
    let scars = noise_around(uv * Vec2::new(3.0, 26.0), 3.0, seed + 8.0);
    let dark = smoothstep(0.7, 0.8, marks) * 0.75 + smoothstep(0.74, 0.8, scars);
    let fissure = smoothstep(0.14, 0.02, uv.y) * smoothstep(0.75, 0.35, ridge);
    white.lerp(Vec3::new(0.13, 0.115, 0.105), (dark + fissure).min(1.0))
}

/// Weathered wood with grain along the stem.
pub(super) fn wood(uv: Vec2, seed: f32) -> Vec3 {
    let fibre = noise_around(uv * Vec2::new(24.0, 6.0), 24.0, seed);
    let stain = noise_around(uv * Vec2::new(3.0, 5.0), 3.0, seed + 1.0);
    let colour = Vec3::new(0.27, 0.235, 0.2).lerp(Vec3::new(0.45, 0.41, 0.36), fibre);
    colour * mix(0.75, 1.1, stain)
}

/// Height of the bark's plates within 0..=1, and its fine grain. Furrows are long along the stem.
fn furrows(uv: Vec2, seed: f32) -> (f32, f32) {
    let warp = noise_around(uv * Vec2::new(5.0, 40.0), 5.0, seed + 2.0);
    let x = uv.x * 13.0 + 0.9 * warp;
    let coarse = noise_around(Vec2::new(x, uv.y * 70.0), 13.0, seed + 3.0);
    let grain = noise_around(uv * Vec2::new(29.0, 190.0), 29.0, seed + 4.0);
    (smoothstep(0.02, 0.32, (coarse - 0.5).abs()) * (0.75 + 0.25 * grain), grain)
}

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

/// A blade: dark and cool at the base, dry at the tip, with a paler midrib.
pub(super) fn blade(p: Vec2, seed: f32) -> Vec3 {
    let own = hash(1.0, 2.0, seed);
    let green = Vec3::new(0.295, 0.365, 0.16).lerp(Vec3::new(0.38, 0.42, 0.2), own);
    let base = Vec3::new(0.2, 0.27, 0.11);
    let dry = Vec3::new(0.5, 0.46, 0.28);
    let mut colour = base.lerp(green, smoothstep(0.0, 0.5, p.x));
    let dryness = smoothstep(0.75 - 0.35 * own, 1.05, p.x + 0.1 * noise(p * 9.0, seed));
    colour = colour.lerp(dry, 0.75 * dryness);
    let rib = smoothstep(0.12, 0.03, (p.y - 0.5).abs());
    colour * (0.94 + 0.14 * rib)
}
