//! A field over a square of the plane, as panels.

use image::RgbImage;
use orogeny::{Bounds, Field, Grid, Sample, Samples, Tree};

use crate::colour::{Ramp, light, pixel};
use crate::page::halved;
use crate::text::number;

/// How steep the surfaces of pictures are on average: the root of the mean square of their slope.
/// Each is lifted to it, since the slopes of fields differ a hundredfold.
const STEEPNESS: f32 = 0.5;

/// Shaded surfaces, from what lies in the dark to what faces the light.
const SURFACE: Ramp = Ramp(&[
    (0.0, [18, 22, 34]),
    (0.3, [74, 82, 98]),
    (0.64, [168, 168, 165]),
    (1.0, [255, 252, 243]),
]);

/// Samples of a field, four for every pixel of its panels.
pub struct View {
    side: u32,
    samples: Samples<2>,
}

impl View {
    /// The square `across` units wide with its upper left corner at `corner`; x runs to the right
    /// and y down.
    pub fn new(field: &impl Field<2>, corner: [f64; 2], across: f64, side: u32) -> Self {
        let side = 2 * side;
        let spacing = across / f64::from(side);
        let origin = corner.map(|x| x + 0.5 * spacing);
        let mut samples = Samples::new();
        field.sample_grid(&Grid { origin, spacing, size: [side as usize; 2] }, &mut samples);
        Self { side, samples }
    }

    /// The least and the greatest value seen.
    pub fn range(&self) -> [f32; 2] {
        let values = self.samples.values().iter();
        values.fold([f32::INFINITY, f32::NEG_INFINITY], |[a, b], &x| [a.min(x), b.max(x)])
    }

    /// The values, from the least of `range` in black to the greatest in white.
    pub fn grey(&self, [min, max]: [f32; 2]) -> RgbImage {
        let scale = if max > min { 255.0 / (max - min) } else { 0.0 };
        self.panel(|sample, _| [(sample.value - min) * scale; 3])
    }

    /// The surface, lit from the upper left.
    pub fn surface(&self) -> RgbImage {
        let squares =
            self.samples.iter().map(|Sample { gradient: [x, y], .. }| f64::from(x * x + y * y));
        let steepness = (squares.sum::<f64>() / self.samples.len() as f64).sqrt() as f32;
        let lift = if steepness > 0.0 { STEEPNESS / steepness } else { 0.0 };
        self.panel(|sample, _| SURFACE.at(light(sample.gradient.map(|slope| lift * slope))))
    }

    /// A panel in colours, from samples and how far down the panel they are, 0 to 1.
    pub fn panel(&self, colour: impl Fn(Sample<2>, f32) -> [f32; 3]) -> RgbImage {
        halved(&RgbImage::from_fn(self.side, self.side, |x, y| {
            let sample = self.samples.get((y * self.side + x) as usize);
            pixel(colour(sample, y as f32 / self.side as f32))
        }))
    }
}

/// What is proven of a field and what is seen of it, for a caption.
pub fn describe(bounds: &Bounds, [min, max]: [f32; 2]) -> String {
    let [low, high, slope] = [bounds.min, bounds.max, bounds.lipschitz].map(number);
    let [min, max] = [min, max].map(|x| number(x.into()));
    format!(
        "proven: within {low} and {high}, slope at most {slope}  ·  here: {min} (black) to {max} (white)"
    )
}

/// The plane z = constant of a field of space.
pub struct Slice<'a> {
    /// The field.
    pub field: &'a Tree<3>,
    /// Where it is cut.
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

/// A field as squares, each with the value at its middle: raw samples.
pub struct Blocks<'a> {
    /// The field.
    pub field: &'a Tree<2>,
    /// How many units wide a square is. Their middles are at multiples of it.
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
