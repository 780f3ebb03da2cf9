//! The attributes of a vertex that depend on its place in the plant.

use glam::Vec3;

/// Normal, tone and sway of a vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shade {
    pub(crate) normal: Vec3,
    pub(crate) tone: f32,
    pub(crate) sway: f32,
}

/// The horizontal unit vector at an azimuth in radians.
pub(crate) fn horizontal(azimuth: f32) -> Vec3 {
    let (sin, cos) = azimuth.sin_cos();
    Vec3::new(cos, 0.0, sin)
}

/// Hermite interpolation from 0 at `from` to 1 at `to`.
pub(crate) fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The angle between neighbours of a spiral that never repeats, in radians.
pub(crate) const GOLDEN_ANGLE: f32 = 2.399_963_2;
