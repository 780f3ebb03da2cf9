//! Rock.

use glam::{Vec2, Vec3};

use super::hash::{noise, smoothstep};

/// Grey rock with grain, stains, a few cracks, and pale and yellow-green patches of lichen.
pub(super) fn rock(uv: Vec2, seed: f32) -> Vec3 {
    let broad = noise(uv * 5.0, seed);
    let middle = noise(uv * 17.0 + 3.3, seed + 1.0);
    let grain = noise(uv * 70.0, seed + 2.0);
    let fine = noise(uv * 150.0, seed + 3.0);
    let mut colour = Vec3::new(0.33, 0.32, 0.3).lerp(Vec3::new(0.47, 0.455, 0.43), broad);
    colour *= 0.78 + 0.18 * middle + 0.16 * grain + 0.1 * fine;
    // A crack follows a level line of the broad noise, and fades where the middle one is high.
    let line = (broad + 0.12 * middle - 0.55).abs();
    let crack = smoothstep(0.016, 0.004, line) * smoothstep(0.65, 0.4, middle);
    colour = colour.lerp(Vec3::new(0.14, 0.13, 0.12), 0.4 * crack);
    let patch = noise(uv * 11.0 + 9.7, seed + 4.0) + 0.35 * (grain - 0.5);
    let pale = smoothstep(0.68, 0.76, patch);
    colour = colour.lerp(Vec3::new(0.52, 0.53, 0.47), 0.7 * pale);
    let map = noise(uv * 14.0 + 5.1, seed + 5.0) + 0.4 * (fine - 0.5);
    let yellow = smoothstep(0.8, 0.86, map);
    colour.lerp(Vec3::new(0.42, 0.43, 0.2), 0.6 * yellow)
}
