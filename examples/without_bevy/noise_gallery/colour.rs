//! Colours, and the shading of surfaces.

use image::Rgb;

/// The background of pages.
pub const PAPER: Rgb<u8> = Rgb([252, 252, 250]);
/// The colour of titles.
pub const INK: Rgb<u8> = Rgb([28, 30, 38]);
/// The colour of notes, labels and axes.
pub const NOTE: Rgb<u8> = Rgb([92, 95, 106]);

/// The colours of curves, chosen for colour-blind readers (Okabe and Ito, "Color Universal
/// Design", 2008).
pub const CURVES: [Rgb<u8>; 4] =
    [Rgb([0, 114, 178]), Rgb([213, 94, 0]), Rgb([0, 140, 105]), Rgb([204, 80, 150])];

/// The direction to the light: upper left, 40 degrees above the horizon. y points down the picture.
const LIGHT: [f32; 3] = [-0.541_675, -0.541_675, 0.642_788];

/// Lambert shading of a surface with these slopes, 0 to 1.
pub fn light([x, y]: [f32; 2]) -> f32 {
    let along = LIGHT[2] - x * LIGHT[0] - y * LIGHT[1];
    (along / (x * x + y * y + 1.0).sqrt()).max(0.0)
}

/// A colour ramp: stops in ascending order, linear between them and constant beyond.
pub struct Ramp(pub &'static [(f32, [u8; 3])]);

impl Ramp {
    /// The colour at `x`, its parts 0 to 255.
    pub fn at(&self, x: f32) -> [f32; 3] {
        let above = self.0.partition_point(|stop| stop.0 <= x);
        let (low, high) = (self.0[above.saturating_sub(1)], self.0[above.min(self.0.len() - 1)]);
        let part =
            if high.0 > low.0 { ((x - low.0) / (high.0 - low.0)).clamp(0.0, 1.0) } else { 0.0 };
        mix(low.1.map(f32::from), high.1.map(f32::from), part)
    }
}

/// Linear interpolation between two colours.
pub fn mix(from: [f32; 3], to: [f32; 3], part: f32) -> [f32; 3] {
    std::array::from_fn(|k| from[k] + (to[k] - from[k]) * part)
}

/// The pixel of a colour.
pub fn pixel(colour: [f32; 3]) -> Rgb<u8> {
    Rgb(colour.map(|part| part.round().clamp(0.0, 255.0) as u8))
}

/// Smoothstep: 0 below `low`, 1 above `high`.
pub fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
