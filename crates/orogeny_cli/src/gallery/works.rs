//! Noise at work: clouds and a solar corona, and terrain as on a map, with tints by height, shaded
//! relief and rivers.

use image::RgbImage;
use orogeny::drainage::{Drainage, RiverGround, WaterKind};
use orogeny::{
    Field, Fractal, FractalKind, GradientNoise, Grid, Node, Recipe, Sample, Samples, Transform,
    Tree,
};

use super::{Entry, entry};
use crate::gallery::page::{Panel, halved, number, page};
use crate::gallery::picture::Picture::Scene;
use crate::gallery::picture::{Frames, build};
use crate::gallery::view::{Ramp, View, light, mix, pixel, smoothstep};

/// Applications of noise.
#[rustfmt::skip]
pub const WORKS: &[Entry] = &[
    entry("clouds", "Clouds: turbulence, shaded by its gradient", Scene(clouds)),
    entry("corona", "A corona: turbulence displaces the distance from the sun", Scene(corona)),
    entry("relief-alpine", "Shaded relief of the preset `alpine`", Scene(relief_alpine)),
    entry("rivers", "Rivers: drainage as a function of position", Scene(rivers)),
    entry("relief-fbm", "Shaded relief of fBm", Scene(relief_fbm)),
];

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
fn clouds(caption: &str, side: u32) -> Result<Frames, String> {
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
    Ok(vec![page(caption, note, vec![vec![Panel::new("", image)]], side)])
}

/// Flames around a sun.
fn corona(caption: &str, side: u32) -> Result<Frames, String> {
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
    Ok(vec![page(caption, note, vec![vec![Panel::new("", image)]], side)])
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

/// The preset, compiled in so that the program runs anywhere.
const PRESET: &str = include_str!("../../presets/alpine.terrain.ron");
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
fn relief_alpine(caption: &str, side: u32) -> Result<Frames, String> {
    let mut recipe = Recipe::from_ron(PRESET).map_err(|error| format!("alpine: {error}"))?;
    coarsen(&mut recipe.field, finest(ALPINE.1, side));
    let field = recipe.build().map_err(|error| format!("alpine: {error}"))?;
    Ok(relief(caption, &field, ALPINE, 0.8, side))
}

/// Ten octaves of gradient noise.
fn relief_fbm(caption: &str, side: u32) -> Result<Frames, String> {
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
) -> Frames {
    let view = View::new(&field, corner, across, 2 * side);
    let [low, high] = view.range();
    let image = view.panel(|Sample { value, gradient }, _| {
        let slope = gradient.map(|slope| lift * slope);
        shaded(LAND.at((value - low) / (high - low)), slope)
    });
    let bounds = field.bounds();
    let [min, max, low, high] =
        [bounds.min, bounds.max, low.into(), high.into()].map(|x| number(f64::round(x)));
    let note = format!(
        "{} km wide, octaves down to a pixel; {low} to {high} m high, proven {min} to {max} m",
        across / 1000.0
    );
    vec![page(caption, &note, vec![vec![Panel::new("", image)]], side)]
}

/// A network on continents of noise, with flat land and mountains.
fn rivers(caption: &str, side: u32) -> Result<Frames, String> {
    let mut panels = Vec::new();
    for (label, corner, across, levels) in VIEWS {
        let field = field(levels)?;
        panels.push(Panel::new(label, map(&field, corner, across, side)));
    }
    let note = "rivers 6,400, 1,600 and 400 m apart; every one of them flows down to the sea";
    Ok(vec![page(caption, note, vec![panels], side)])
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
    shaded(LAND.at(value / HIGHEST), gradient)
}

/// A tint on ground with a slope: shadows are darker than flat ground, and slopes to the light
/// brighter.
fn shaded(tint: [f32; 3], slope: [f32; 2]) -> [f32; 3] {
    let lit = light(slope) / light([0.0; 2]);
    if lit < 1.0 {
        mix(SHADOW, tint, 0.15 + 0.85 * lit)
    } else {
        mix(tint, [255.0; 3], 0.6 * (lit - 1.0))
    }
}
