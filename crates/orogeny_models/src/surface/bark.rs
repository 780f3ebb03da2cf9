//! Bark and bare wood. u runs around the stem, so all patterns have a period of 1 along it.

use glam::{Vec2, Vec3};

use super::hash::{mix, noise_around, noise_tiled, smoothstep};

/// Furrowed bark, which has a period of 1 along v, too.
pub(super) fn bark(uv: Vec2, seed: f32) -> Vec3 {
    let tiled = |x: f32, y: f32, seed| noise_tiled(uv * Vec2::new(x, y), Vec2::new(x, y), seed);
    // Long plates that lean a little, each of smaller ones.
    let lean = 0.5 * tiled(4.0, 3.0, seed + 2.0) / 9.0;
    let at = Vec2::new(uv.x + lean, uv.y);
    let plate = |x: f32, y: f32, seed| noise_tiled(at * Vec2::new(x, y), Vec2::new(x, y), seed);
    let furrow = (plate(11.0, 4.0, seed + 3.0) - 0.5).abs();
    let crack = (plate(23.0, 21.0, seed + 5.0) - 0.5).abs();
    let grain = tiled(61.0, 97.0, seed + 4.0);
    let ridge = smoothstep(0.0, 0.16, furrow) * (0.55 + 0.45 * smoothstep(0.0, 0.12, crack));
    let colour = Vec3::new(0.17, 0.14, 0.12).lerp(Vec3::new(0.37, 0.32, 0.275), ridge);
    let lichen = smoothstep(0.66, 0.8, tiled(7.0, 9.0, seed + 6.0)) * ridge;
    colour.lerp(Vec3::new(0.36, 0.38, 0.3), 0.5 * lichen) * (0.85 + 0.3 * grain)
}

/// Bark of a Scots pine.
pub(super) fn pine(uv: Vec2, seed: f32) -> Vec3 {
    let (ridge, grain) = furrows(uv, seed);
    let below = Vec3::new(0.15, 0.11, 0.09).lerp(Vec3::new(0.36, 0.28, 0.23), ridge);
    let above = Vec3::new(0.38, 0.22, 0.12).lerp(Vec3::new(0.56, 0.36, 0.21), ridge);
    below.lerp(above, smoothstep(0.25, 0.6, uv.y + 0.2 * (grain - 0.5))) * (0.85 + 0.3 * grain)
}

/// White bark of a birch: dark lens-shaped marks across, and dark fissures near the ground.
pub(super) fn birch(uv: Vec2, seed: f32) -> Vec3 {
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
