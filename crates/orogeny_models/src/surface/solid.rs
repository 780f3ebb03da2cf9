//! Blades of grass and reed, and the plumes of reed.

use glam::{Vec2, Vec3};

use super::hash::{hash, noise, smoothstep};

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

/// A plume: a loose brown spike of many short branches.
pub(super) fn plume(p: Vec2, seed: f32) -> (Vec3, f32) {
    let v = (2.0 * p.y - 1.0).abs();
    let side = if p.y > 0.5 { 1.0 } else { 0.0 };
    let t = (p.x - 0.25 * v) * 18.0 + 0.5 * side;
    let branch = t.floor();
    let own = hash(branch, side, seed);
    let reach = (3.0 * p.x).min(1.15 - p.x) * (0.6 + 0.4 * own);
    let edge = (0.46 * (1.0 - v / reach.max(0.01)) - (t - branch - 0.5).abs()).max(0.05 - v);
    let colour = Vec3::new(0.26, 0.19, 0.13).lerp(Vec3::new(0.42, 0.34, 0.25), own);
    (colour, (0.5 + 6.0 * edge).clamp(0.0, 1.0))
}
