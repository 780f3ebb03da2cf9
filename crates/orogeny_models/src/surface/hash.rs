//! Hashing of integer positions, and value noise.

use glam::Vec2;

/// A number within 0..1 from three integers stored as floats.
pub(super) fn hash(x: f32, y: f32, seed: f32) -> f32 {
    let mut n = (x as i32 as u32).wrapping_mul(0x9E37_79B1)
        ^ (y as i32 as u32).wrapping_mul(0x85EB_CA77)
        ^ (seed as i32 as u32).wrapping_mul(0xC2B2_AE3D);
    n = (n ^ (n >> 15)).wrapping_mul(0x2C1B_3C6D);
    n = (n ^ (n >> 12)).wrapping_mul(0x297A_2D39);
    n ^= n >> 15;
    (n >> 8) as f32 / 16_777_216.0
}

/// Value noise within 0..1 with features one unit wide.
pub(super) fn noise(p: Vec2, seed: f32) -> f32 {
    noise_around(p, 65_536.0, seed)
}

/// The same with a period along x.
pub(super) fn noise_around(p: Vec2, period: f32, seed: f32) -> f32 {
    noise_tiled(p, Vec2::new(period, 65_536.0), seed)
}

/// The same with periods along x and y.
pub(super) fn noise_tiled(p: Vec2, period: Vec2, seed: f32) -> f32 {
    let cell = p.floor();
    let f = p - cell;
    let fade = f * f * (3.0 - 2.0 * f);
    let first = cell - (cell / period).floor() * period;
    let next = |first: f32, period: f32| if first + 1.0 == period { 0.0 } else { first + 1.0 };
    let [x0, y0] = first.to_array();
    let [x1, y1] = [next(x0, period.x), next(y0, period.y)];
    let low = mix(hash(x0, y0, seed), hash(x1, y0, seed), fade.x);
    let high = mix(hash(x0, y1, seed), hash(x1, y1, seed), fade.x);
    mix(low, high, fade.y)
}

/// Linear interpolation, as in WGSL.
pub(super) fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// Hermite interpolation, as in WGSL.
pub(super) fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
