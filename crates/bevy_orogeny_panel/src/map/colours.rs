//! The colours of maps.

use bevy_egui::egui::Color32;

/// Colours of heights, from the lowest to the highest.
pub const HEIGHTS: [[f32; 3]; 5] = [
    [0.20, 0.33, 0.22],
    [0.42, 0.49, 0.27],
    [0.62, 0.55, 0.38],
    [0.58, 0.52, 0.48],
    [0.97, 0.97, 0.99],
];
/// Colours of slopes, from 0 to 90 degrees.
pub const SLOPES: [[f32; 3]; 4] =
    [[0.0, 0.0, 0.0], [0.75, 0.10, 0.08], [0.98, 0.85, 0.25], [1.0, 1.0, 1.0]];
/// Colours of curvature, from hollows to ridges.
pub const BENDS: [[f32; 3]; 3] = [[0.10, 0.25, 0.75], [0.95, 0.95, 0.95], [0.75, 0.15, 0.10]];
/// Colours of temperatures, from -30 to 30 °C.
pub const TEMPERATURES: [[f32; 3]; 5] = [
    [0.25, 0.10, 0.50],
    [0.20, 0.45, 0.85],
    [0.95, 0.95, 0.95],
    [0.95, 0.75, 0.30],
    [0.80, 0.15, 0.10],
];
/// Colours of moistures, from 0 to 1.
pub const MOISTURES: [[f32; 3]; 3] = [[0.90, 0.78, 0.45], [0.45, 0.70, 0.40], [0.10, 0.30, 0.65]];
/// Water, shallow and deep.
const WATER: [[f32; 3]; 2] = [[0.25, 0.48, 0.66], [0.06, 0.16, 0.36]];
/// The depth in metres at which water is darkest.
const DEEP: f32 = 400.0;
/// Where there is no ground.
pub const NOTHING: Color32 = Color32::from_rgb(255, 0, 255);

/// The interpolated colour at a position in a list of colours, from 0 to 1.
pub fn ramp(colours: &[[f32; 3]], part: f32) -> [f32; 3] {
    let at = part.clamp(0.0, 1.0) * (colours.len() - 1) as f32;
    let i = (at as usize).min(colours.len() - 2);
    let t = at - i as f32;
    [0, 1, 2].map(|k| colours[i][k] * (1.0 - t) + colours[i + 1][k] * t)
}

/// The colour of water of a depth in metres.
pub fn water(depth: f32) -> [f32; 3] {
    ramp(&WATER, (depth / DEEP).sqrt())
}

/// How bright ground with these slopes is in the light from the north-west, half way up.
pub fn light([dx, dz]: [f32; 2]) -> f32 {
    let facing =
        (0.5 * (dx + dz) + std::f32::consts::FRAC_1_SQRT_2) / (1.0 + dx * dx + dz * dz).sqrt();
    0.25 + 0.95 * facing.max(0.0)
}

/// A colour times a brightness.
pub fn lit(colour: [f32; 3], light: f32) -> Color32 {
    let [r, g, b] = colour.map(|part| (255.0 * part * light).clamp(0.0, 255.0) as u8);
    Color32::from_rgb(r, g, b)
}
