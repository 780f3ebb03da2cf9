//! Weights from 0 to 1 over a rectangle, such as those of layers of cover: masks and splat maps.

use std::path::Path;

use crate::error::RasterError;
use crate::field::RasterField;
use crate::field::spline::Frame;
use crate::raster::{check_position, check_spacing, checked_size};
use crate::read::{Pixels, pixels};
use crate::reading::Reading;

/// The most layers.
const MOST_LAYERS: usize = 16;

/// The weights of layers over a rectangle, from 0 to 1: a mask of one layer, or a splat map that
/// says how much of each kind of cover is where.
#[derive(Clone, Debug)]
pub struct Weights {
    frame: Frame,
    /// The weights of each layer, row by row.
    layers: Vec<Vec<f32>>,
    /// The distance of neighbouring numbers of the file.
    step: f32,
}

impl Weights {
    /// The weights of 1 to 16 layers at `size` \[columns, rows\] samples, row by row from the
    /// north-west corner, within 0 to 1. The first sample is at `position` (x, z), and samples are
    /// `spacing` (x, z) apart, in metres.
    ///
    /// # Errors
    /// If a number is beyond its limits, which are those of [`Raster`](crate::Raster), or a layer
    /// does not have columns x rows weights.
    pub fn new(
        size: [usize; 2],
        spacing: [f64; 2],
        position: [f64; 2],
        layers: Vec<Vec<f32>>,
    ) -> Result<Self, RasterError> {
        let samples = checked_size(size)?;
        check_spacing(spacing)?;
        check_position(position)?;
        if !(1..=MOST_LAYERS).contains(&layers.len()) {
            let count = layers.len();
            return Err(RasterError::limit(format!(
                "{count} layers of weights: there must be 1 to {MOST_LAYERS}"
            )));
        }
        for (k, layer) in layers.iter().enumerate() {
            if layer.len() != samples {
                let count = layer.len();
                return Err(RasterError::limit(format!(
                    "layer {k} has {count} weights, but {samples} samples"
                )));
            }
            if let Some(index) = layer.iter().position(|weight| !(0.0..=1.0).contains(weight)) {
                let ([column, row], weight) = (at(index, size), layer[index]);
                return Err(RasterError::limit(format!(
                    "the weight {weight} of layer {k} at column {column}, row {row} is not within \
                     0 to 1"
                )));
            }
        }
        Ok(Self { frame: Frame::new(size, spacing, position), layers, step: 0.0 })
    }

    /// The same weights, read from numbers that are `step` apart: sums may be off by its multiples.
    pub(super) fn with_step(self, step: f32) -> Self {
        Self { step, ..self }
    }

    /// The number of layers.
    pub fn layers(&self) -> usize {
        self.layers.len()
    }

    /// The weight of a layer at a sample; `None` outside.
    pub fn weight(&self, layer: usize, column: usize, row: usize) -> Option<f32> {
        let [columns, rows] = self.frame.size;
        let index = (column < columns && row < rows).then_some(row * columns + column)?;
        self.layers.get(layer)?.get(index).copied()
    }

    /// The layers as fields, in their order. A field takes 4.3 bytes a sample.
    ///
    /// Each is the cubic B-spline whose coefficients are the weights of the samples, rather than
    /// the one through them. So it smooths them by about a sample, and never leaves their range.
    /// Where the weights of layers sum to 1 at the samples, so do their fields between them.
    pub fn fields(&self) -> Vec<RasterField> {
        let field = |layer: &Vec<f32>| RasterField::of(self.frame, layer);
        self.layers.iter().map(field).collect()
    }

    /// Checks that the weights of all layers sum to 1 at each sample, but for the rounding of the
    /// file: half a step of its numbers for each layer.
    ///
    /// # Errors
    /// If they do not. The message counts the samples, and shows the worst.
    pub fn check_sums(&self) -> Result<(), RasterError> {
        let tolerance = (self.layers.len() as f32 * (self.step / 2.0 + 1e-6)).min(0.5);
        let (mut count, mut worst) = (0, (0, 0.0));
        for index in 0..self.layers[0].len() {
            let error = (self.sum(index) - 1.0).abs();
            count += usize::from(error > tolerance);
            if error > worst.1 {
                worst = (index, error);
            }
        }
        if count == 0 {
            return Ok(());
        }
        let [column, row] = at(worst.0, self.frame.size);
        let weights: Vec<_> =
            self.layers.iter().map(|layer| format!("{:.3}", layer[worst.0])).collect();
        let (weights, sum) = (weights.join(" + "), self.sum(worst.0));
        Err(RasterError::limit(format!(
            "the weights of {count} samples do not sum to 1; the worst is at column {column}, row \
             {row}: {weights} = {sum:.3}. Paint each sample whole, or divide weights by their sums \
             with Weights::normalised"
        )))
    }

    /// The weights divided by their sums.
    ///
    /// # Errors
    /// If all weights of a sample are 0. The message names it.
    pub fn normalised(mut self) -> Result<Self, RasterError> {
        for index in 0..self.layers[0].len() {
            let sum = self.sum(index);
            if sum == 0.0 {
                let [column, row] = at(index, self.frame.size);
                return Err(RasterError::limit(format!(
                    "all weights at column {column}, row {row} are 0: what is there?"
                )));
            }
            self.layers.iter_mut().for_each(|layer| layer[index] = (layer[index] / sum).min(1.0));
        }
        Ok(Self { step: 0.0, ..self })
    }

    fn sum(&self, index: usize) -> f32 {
        self.layers.iter().map(|layer| layer[index]).sum()
    }
}

/// The column and the row of a sample.
fn at(index: usize, [columns, _]: [usize; 2]) -> [usize; 2] {
    [index % columns, index / columns]
}

/// Reads the channels of an image as weights: PNG and TIFF, grey, grey with alpha, RGB or RGBA, of
/// 8 or 16 bits. Alpha is the last weight; no other is multiplied by it. 0 becomes 0, and the
/// largest number 1: sRGB curves are not applied.
///
/// Of `reading`, the format, the spacing, the latitude and the placement are used. A PNG needs a
/// spacing.
///
/// ```no_run
/// use orogeny::Field;
/// use orogeny_raster::{Reading, read_weights};
///
/// let reading = Reading { spacing: Some([1.0, 1.0]), ..Reading::default() };
/// let weights = read_weights("splat.png", &reading)?;
/// weights.check_sums()?;
/// let layers = weights.fields();
/// println!("{} of the second layer", layers[1].value([12.0, -3.0]));
/// # Ok::<(), orogeny_raster::RasterError>(())
/// ```
///
/// # Errors
/// If the file cannot be read, is damaged or of an unsupported kind, is beyond the limits of
/// [`Raster`](crate::Raster), or if it does not say something that `reading` does not give either.
pub fn read_weights(path: impl AsRef<Path>, reading: &Reading) -> Result<Weights, RasterError> {
    let path = path.as_ref();
    let read = || {
        let (Frame { size, spacing, corners }, pixels) = pixels(path, reading)?;
        let Pixels { channels, largest, values, .. } = pixels;
        let weight = |value: &u16| f32::from(*value) / f32::from(largest);
        let layer = |k: usize| values.iter().skip(k).step_by(channels).map(weight).collect();
        let layers = (0..channels).map(layer).collect();
        let weights = Weights::new(size, spacing, corners[0], layers)?;
        Ok(weights.with_step(1.0 / f32::from(largest)))
    };
    read().map_err(|e: RasterError| e.in_file(path))
}
