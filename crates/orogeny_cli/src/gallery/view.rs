//! A field sampled over a square, drawn as panels, and the colours of pictures.

use image::{Rgb, RgbImage};
use orogeny::{Bounds, Field, Grid, Sample, Samples, Tree};

use crate::gallery::page::{halved, number};

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

/// The root mean square slope of shaded surfaces. Slopes of fields differ a hundredfold, so each
/// surface is scaled to this.
const STEEPNESS: f32 = 0.5;

/// The colours of surfaces, from shadow to light.
const SURFACE: Ramp = Ramp(&[
    (0.0, [18, 22, 34]),
    (0.3, [74, 82, 98]),
    (0.64, [168, 168, 165]),
    (1.0, [255, 252, 243]),
]);

/// Samples of a field, four for each pixel of its panels.
pub struct View {
    side: u32,
    samples: Samples<2>,
}

impl View {
    /// A square `across` units wide with its upper left corner at `corner`; x points right and y
    /// down.
    pub fn new(field: &impl Field<2>, corner: [f64; 2], across: f64, side: u32) -> Self {
        let side = 2 * side;
        let spacing = across / f64::from(side);
        let origin = corner.map(|x| x + 0.5 * spacing);
        let mut samples = Samples::new();
        field.sample_grid(&Grid::new(origin, spacing, [side as usize; 2]), &mut samples);
        Self { side, samples }
    }

    /// The minimum and maximum of the samples.
    pub fn range(&self) -> [f32; 2] {
        let values = self.samples.values().iter();
        values.fold([f32::INFINITY, f32::NEG_INFINITY], |[a, b], &x| [a.min(x), b.max(x)])
    }

    /// The values in grey: the minimum of `range` is black, the maximum white.
    pub fn grey(&self, [min, max]: [f32; 2]) -> RgbImage {
        let scale = if max > min { 255.0 / (max - min) } else { 0.0 };
        self.panel(|sample, _| [(sample.value - min) * scale; 3])
    }

    /// The shaded surface, lit from the upper left. Holes are black.
    pub fn surface(&self) -> RgbImage {
        let squares = self.samples.iter().filter(|sample| !sample.value.is_nan());
        let squares = squares.map(|Sample { gradient: [x, y], .. }| f64::from(x * x + y * y));
        let steepness = (squares.sum::<f64>() / self.samples.len() as f64).sqrt() as f32;
        let lift = if steepness > 0.0 { STEEPNESS / steepness } else { 0.0 };
        self.panel(|sample, _| {
            if sample.value.is_nan() {
                return [0.0; 3];
            }
            SURFACE.at(light(sample.gradient.map(|slope| lift * slope)))
        })
    }

    /// A panel coloured by a function of the sample and its height in the panel, 0 (top) to 1.
    pub fn panel(&self, colour: impl Fn(Sample<2>, f32) -> [f32; 3]) -> RgbImage {
        halved(&RgbImage::from_fn(self.side, self.side, |x, y| {
            let sample = self.samples.get((y * self.side + x) as usize);
            pixel(colour(sample, y as f32 / self.side as f32))
        }))
    }
}

/// A caption with the proven bounds and the range of the samples.
pub fn describe(bounds: &Bounds, [min, max]: [f32; 2]) -> String {
    let [low, high, slope] = [bounds.min, bounds.max, bounds.lipschitz].map(number);
    let [min, max] = [min, max].map(|x| number(x.into()));
    format!(
        "Proven: {low} to {high}, slope at most {slope}  ·  Here: {min} (black) to {max} (white)"
    )
}

/// A slice through a 3D field.
pub struct Slice<'a> {
    /// The field.
    pub field: &'a Tree<3>,
    /// The z of the slice.
    pub z: f64,
}

impl Field<2> for Slice<'_> {
    fn sample(&self, [x, y]: [f64; 2]) -> Sample<2> {
        let Sample { value, gradient: [dx, dy, _] } = self.field.sample([x, y, self.z]);
        Sample { value, gradient: [dx, dy] }
    }

    fn bounds(&self) -> Bounds {
        self.field.bounds()
    }
}

/// A field as unsmoothed squares of width 1, each with the value at its centre, where coordinates
/// are integers.
pub struct Blocks<'a>(pub &'a Tree<2>);

impl Field<2> for Blocks<'_> {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        Sample::constant(self.0.value(p.map(f64::round)))
    }

    fn bounds(&self) -> Bounds {
        Bounds { lipschitz: f64::INFINITY, curvature: f64::INFINITY, ..self.0.bounds() }
    }
}
