//! Terrain as on a map: tints by height, shaded relief, and rivers.

use image::RgbImage;
use orogeny::drainage::{Drainage, RiverGround, WaterKind};
use orogeny::{Field, Fractal, GradientNoise, Grid, Node, Recipe, Sample, Samples};

use crate::gallery::page::{Panel, halved, number, page};
use crate::gallery::picture::{Made, build};
use crate::gallery::view::{Ramp, View, light, mix, pixel};

/// The preset, compiled in so that the program runs anywhere.
const PRESET: &str = include_str!("../../../presets/alpine.terrain.ron");
/// The upper left corner of a relief and its width, in metres.
const ALPINE: ([f64; 2], f64) = ([-20_000.0, 0.0], 24_000.0);
const FBM: ([f64; 2], f64) = ([0.0; 2], 20_000.0);

/// Tints by height within the range: valleys, woods, meadows, rock, snow.
const LAND: Ramp = Ramp(&[
    (0.0, [96, 132, 96]),
    (0.18, [140, 166, 110]),
    (0.38, [206, 200, 142]),
    (0.58, [190, 158, 118]),
    (0.75, [164, 144, 132]),
    (0.88, [222, 220, 218]),
    (1.0, [255, 255, 255]),
]);

/// Shadows are blue from the light of the sky.
const SHADOW: [f32; 3] = [34.0, 40.0, 66.0];

/// The height that is white, in metres.
const HIGHEST: f32 = 1600.0;
const SEA: [f32; 3] = [58.0, 96.0, 140.0];
const RIVER: [f32; 3] = [52.0, 104.0, 168.0];

/// What is seen: the upper left corner and the width in metres, and the levels of rivers.
const VIEWS: [(&str, [f64; 2], f64, f64); 3] = [
    ("64 km wide", [20e3, -30e3], 64e3, 3.0),
    ("12 km wide", [50e3, 6e3], 12e3, 3.0),
    ("1.5 km wide", [52_800.0, 12_600.0], 1500.0, 3.0),
];

/// The preset alpine.
pub fn alpine(caption: &str, side: u32) -> Result<Made, String> {
    let mut recipe = Recipe::from_ron(PRESET).map_err(|error| format!("alpine: {error}"))?;
    coarsen(&mut recipe.field, finest(ALPINE.1, side));
    let field = recipe.build().map_err(|error| format!("alpine: {error}"))?;
    Ok(relief(caption, &field, ALPINE, 0.8, side))
}

/// Ten octaves of gradient noise.
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

/// A network on continents of noise, with flat land and mountains.
pub fn rivers(caption: &str, side: u32) -> Result<Made, String> {
    let mut panels = Vec::new();
    for (label, corner, across, levels) in VIEWS {
        let field = field(levels)?;
        panels.push(Panel::new(label, map(&field, corner, across, side)));
    }
    let note = "rivers 6,400, 1,600 and 400 m apart; every one of them flows down to the sea";
    Ok(Made::Still(page(caption, note, vec![panels], side)))
}

fn field(levels: f64) -> Result<RiverGround, String> {
    let fbm = |seed, octaves, wavelength: f64| -> Node {
        let fractal = Fractal::fbm(octaves, GradientNoise::seeded(seed));
        Fractal { frequency: 1.0 / wavelength, ..fractal }.into()
    };
    let continents = build(&(fbm(7, 2.0, 70e3) * 990.0 + 225.0))?;
    let drainage = Drainage {
        seed: 7,
        levels,
        relief: Some(fbm(99, 2.0, 26e3) * 1.1 + 0.55),
        detail: Some(fbm(5, 6.0, 500.0) * 40.0),
        ..Drainage::default()
    };
    let field = RiverGround::new(continents, &drainage).map_err(|error| error.to_string())?;
    Ok(field.with_sea(0.0))
}

/// A map with four samples for each pixel.
fn map(field: &RiverGround, corner: [f64; 2], across: f64, side: u32) -> RgbImage {
    let spacing = across / f64::from(2 * side);
    let grid = Grid::new(corner, spacing, [2 * side as usize; 2]);
    let mut samples = Samples::new();
    field.sample_grid(&grid, &mut samples);
    // Points far from each other would take long; there, rivers are narrower than a pixel.
    let has_water = spacing < 20.0;
    halved(&RgbImage::from_fn(2 * side, 2 * side, |x, y| {
        let p = [corner[0] + spacing * f64::from(x), corner[1] + spacing * f64::from(y)];
        let sample = samples.get((y * 2 * side + x) as usize);
        let water = if has_water { field.water(p) } else { None };
        let is_river = water.is_some_and(|water| water.kind != WaterKind::Sea);
        pixel(if is_river { RIVER } else { colour(sample) })
    }))
}

fn colour(Sample { value, gradient }: Sample<2>) -> [f32; 3] {
    if value < 0.0 {
        return SEA;
    }
    let tint = LAND.at(value / HIGHEST);
    let lit = light(gradient) / light([0.0; 2]);
    if lit < 1.0 {
        mix(SHADOW, tint, 0.15 + 0.85 * lit)
    } else {
        mix(tint, [255.0; 3], 0.6 * (lit - 1.0))
    }
}
