//! Terrain as on a map: tints by height, and shaded relief.

use orogeny::{Field, Fractal, GradientNoise, Node, Recipe, Sample};

use crate::colour::{Ramp, light, mix};
use crate::page::{Panel, page};
use crate::picture::{Made, build};
use crate::text::number;
use crate::view::View;

/// The preset, compiled in so that the program runs anywhere.
const PRESET: &str = include_str!("../../../../assets/presets/alpine.terrain.ron");
/// The upper left corner of a relief and its width, in metres.
const ALPINE: ([f64; 2], f64) = ([-20_000.0, 0.0], 24_000.0);
const FBM: ([f64; 2], f64) = ([0.0; 2], 20_000.0);

/// Tints by height within the range: valleys, woods, meadows, rock, snow.
pub(super) const LAND: Ramp = Ramp(&[
    (0.0, [96, 132, 96]),
    (0.18, [140, 166, 110]),
    (0.38, [206, 200, 142]),
    (0.58, [190, 158, 118]),
    (0.75, [164, 144, 132]),
    (0.88, [222, 220, 218]),
    (1.0, [255, 255, 255]),
]);

/// Shadows are blue from the light of the sky.
pub(super) const SHADOW: [f32; 3] = [34.0, 40.0, 66.0];

/// The preset alpine.
///
/// # Errors
/// A preset that is not valid.
pub fn alpine(caption: &str, side: u32) -> Result<Made, String> {
    let mut recipe = Recipe::from_ron(PRESET).map_err(|error| format!("alpine: {error}"))?;
    coarsen(&mut recipe.field, finest(ALPINE.1, side));
    let field = recipe.build().map_err(|error| format!("alpine: {error}"))?;
    Ok(relief(caption, &field, ALPINE, 0.8, side))
}

/// Ten octaves of gradient noise.
///
/// # Errors
/// A field that is not valid.
pub fn fbm(caption: &str, side: u32) -> Result<Made, String> {
    let mut hills = Node::from(Fractal {
        frequency: 1.0 / 6000.0,
        amplitude: 1500.0,
        ..Fractal::fbm(10.0, GradientNoise::seeded(4))
    });
    coarsen(&mut hills, finest(FBM.1, side));
    Ok(relief(caption, &build(&hills)?, FBM, 1.0, side))
}

/// The highest frequency that a picture can show, in cells per metre: two pixels per cell.
fn finest(width: f64, side: u32) -> f64 {
    f64::from(2 * side) / width / 2.0
}

/// Drops octaves above the frequency `finest`, which would alias.
fn coarsen(node: &mut Node, finest: f64) {
    if let Node::Fractal(fractal) = node {
        let max = 1.0 + (finest / fractal.frequency).log(fractal.lacunarity);
        fractal.octaves = fractal.octaves.min(max.max(1.0));
    }
    node.children_mut().into_iter().for_each(|child| coarsen(child, finest));
}

/// Shaded relief of a field, with its slopes multiplied by `lift`.
fn relief(
    caption: &str,
    field: &dyn Field<2>,
    (corner, across): ([f64; 2], f64),
    lift: f32,
    side: u32,
) -> Made {
    let view = View::new(&field, corner, across, 2 * side);
    let [low, high] = view.range();
    let flat = light([0.0; 2]);
    let image = view.panel(|Sample { value, gradient }, _| {
        let tint = LAND.at((value - low) / (high - low));
        let lit = light(gradient.map(|slope| lift * slope)) / flat;
        if lit < 1.0 {
            mix(SHADOW, tint, 0.15 + 0.85 * lit)
        } else {
            mix(tint, [255.0; 3], 0.6 * (lit - 1.0))
        }
    });
    let bounds = field.bounds();
    let [min, max, low, high] =
        [bounds.min, bounds.max, low.into(), high.into()].map(|x| number(f64::round(x)));
    let note = format!(
        "{} km wide, octaves down to a pixel; {low} to {high} m high, proven {min} to {max} m",
        across / 1000.0
    );
    Made::Still(page(caption, &note, vec![vec![Panel::new("", image)]], side))
}
