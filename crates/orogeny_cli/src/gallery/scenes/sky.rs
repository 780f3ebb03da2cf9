//! Clouds and a solar corona.

use image::RgbImage;
use orogeny::{Fractal, FractalKind, GradientNoise, Node, Transform, Tree};

use crate::gallery::page::{Panel, halved, page};
use crate::gallery::picture::{Made, build};
use crate::gallery::view::{Ramp, View, light, mix, pixel, smoothstep};

/// The width of the sky in cells of the first octave.
const CELLS: f64 = 3.0;
/// The sky from top to bottom, and clouds from shadow to light.
const SKY: Ramp = Ramp(&[(0.0, [40, 98, 176]), (1.0, [150, 196, 232])]);
const CLOUD: Ramp = Ramp(&[(0.0, [120, 132, 152]), (0.5, [206, 211, 220]), (0.9, [255, 254, 250])]);

/// The corona, from space to the sun.
const FIRE: Ramp = Ramp(&[
    (0.0, [4, 3, 10]),
    (0.25, [58, 8, 22]),
    (0.5, [186, 44, 12]),
    (0.72, [250, 140, 24]),
    (0.88, [255, 222, 110]),
    (1.0, [255, 252, 230]),
]);
/// The radius of the sun, in halves of the picture.
const SUN: f64 = 0.4;

/// Clouds in a blue sky.
pub fn clouds(caption: &str, side: u32) -> Result<Made, String> {
    let turbulence = Fractal {
        kind: FractalKind::Turbulence,
        gain: 0.44,
        ..Fractal::fbm(7.0, GradientNoise::seeded(12))
    };
    let broad = Fractal { frequency: 0.7, ..Fractal::fbm(2.0, GradientNoise::seeded(13)) };
    // Clouds are wider than they are high.
    let flat = Transform::Scale([1.0, 1.7]);
    let cloud = (Node::from(turbulence) + Node::from(broad) * 0.9).transform(flat);
    let cloud = build(&cloud)?;
    let view = View::new(&cloud, [0.0; 2], CELLS, 2 * side);
    let image = view.panel(|sample, down| {
        let cover = smoothstep(0.22, 0.7, sample.value);
        let lit = light(sample.gradient.map(|slope| 0.15 * slope));
        mix(SKY.at(down), CLOUD.at(lit * 0.7 + 0.45 * (1.0 - cover)), cover)
    });
    let note =
        "Turbulence (seven octaves) + 0.9 fBm (two octaves). The sky shows where the sum is low.";
    Ok(Made::Still(page(caption, note, vec![vec![Panel::new("", image)]], side)))
}

/// Flames around a sun.
pub fn corona(caption: &str, side: u32) -> Result<Made, String> {
    let flames = Fractal {
        kind: FractalKind::Turbulence,
        gain: 0.55,
        ..Fractal::fbm(7.0, GradientNoise::seeded(21))
    };
    let flames = build(&Node::<3>::from(flames))?;
    let fine = 4 * side;
    let image = halved(&RgbImage::from_fn(fine, fine, |x, y| {
        let p = [x, y].map(|i| 2.0 * (f64::from(i) + 0.5) / f64::from(fine) - 1.0);
        pixel(fire(&flames, p))
    }));
    let note = "The colour is a function of |p| − turbulence(direction, distance), so flames point \
                outwards.";
    Ok(Made::Still(page(caption, note, vec![vec![Panel::new("", image)]], side)))
}

fn fire(flames: &Tree<3>, [x, y]: [f64; 2]) -> [f32; 3] {
    let r = x.hypot(y);
    let distance = (r / SUN).max(1.0);
    // Noise on a cylinder: the direction around it, the distance slowly along it. This makes long
    // rays.
    let t = flames.value([2.2 * x / r, 2.2 * y / r, 1.1 * distance.ln()]);
    let height = (distance - 1.0) as f32;
    let heat = 1.0 - 1.1 * height.powf(0.75) + 0.9 * (t - 0.35) * smoothstep(0.0, 0.7, height);
    FIRE.at(heat)
}
