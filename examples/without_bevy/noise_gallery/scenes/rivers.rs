//! Ground with rivers, as on a map, from three heights.

use image::RgbImage;
use orogeny::drainage::{Drainage, RiverGround, WaterKind};
use orogeny::{Field, Fractal, GradientNoise, Node, Sample};

use crate::colour::{light, mix, pixel};
use crate::page::{Panel, halved, page};
use crate::picture::{Made, build};
use crate::scenes::relief::{LAND, SHADOW};

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

/// A network on continents of noise, with flat land and mountains.
///
/// # Errors
/// A field that is not valid.
pub fn network(caption: &str, side: u32) -> Result<Made, String> {
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
    let grid = orogeny::Grid::new(corner, spacing, [2 * side as usize; 2]);
    let mut samples = orogeny::Samples::new();
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
