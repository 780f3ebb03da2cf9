//! A field sampled over a square, drawn as panels.

use image::RgbImage;
use orogeny::{Bounds, Field, Grid, Sample, Samples, Tree};

use crate::colour::{Ramp, light, pixel};
use crate::page::halved;
use crate::text::number;

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

/// A field as unsmoothed squares, each with the value at its centre.
pub struct Blocks<'a> {
    /// The field.
    pub field: &'a Tree<2>,
    /// The width of a square. Centres are at multiples of it.
    pub width: f64,
}

impl Field<2> for Blocks<'_> {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        let middle = p.map(|x| (x / self.width).round() * self.width);
        Sample::constant(self.field.value(middle))
    }

    fn bounds(&self) -> Bounds {
        Bounds { lipschitz: f64::INFINITY, curvature: f64::INFINITY, ..self.field.bounds() }
    }
}
