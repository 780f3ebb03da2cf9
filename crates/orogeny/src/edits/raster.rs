//! Rasters read by cubic B-splines.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::derivative::bounds::Bounds;
use crate::edits::falloff::Jet64;
use crate::error::RecipeError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::Limit;
#[cfg(feature = "serde")]
use crate::limits::at_most;

/// The limits of the sides of a raster.
const SIDE: Limit = Limit {
    name: "side",
    unit: "samples",
    min: 4.0,
    max: 512.0,
    default: 5.0,
    help: "The number of samples along a side of a raster",
};
/// The limits of a sample.
const SAMPLE: Limit = Limit {
    name: "sample",
    unit: "",
    min: -1.0,
    max: 1.0,
    default: 0.0,
    help: "A sample of a raster",
};
/// The maximum number of samples.
#[cfg(feature = "serde")]
const MAX_SAMPLES: usize = 512 * 512;

/// The samples of a stamp on a grid. A clone shares them.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Raster {
    /// The number of samples in a row: 4 to 512. There are 4 to 512 rows.
    width: u32,
    /// Row by row, each from -1 to 1.
    #[cfg_attr(feature = "serde", serde(serialize_with = "write", deserialize_with = "read"))]
    samples: Arc<Vec<f32>>,
}

#[cfg(feature = "serde")]
fn write<S: serde::Serializer>(samples: &[f32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(samples)
}

#[cfg(feature = "serde")]
fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Arc<Vec<f32>>, D::Error> {
    at_most::<MAX_SAMPLES, f32, D>(deserializer).map(Arc::new)
}

impl Default for Raster {
    /// A bump: 1 in the middle of 5 x 5 samples, 0 elsewhere.
    fn default() -> Self {
        let mut samples = vec![0.0; 25];
        samples[12] = 1.0;
        Self { width: 5, samples: Arc::new(samples) }
    }
}

impl Raster {
    /// A raster of rows with `width` samples each.
    ///
    /// # Errors
    /// A side outside 4 to 512, samples that do not fill the rows, and a sample outside -1 to 1.
    pub fn new(width: u32, samples: Vec<f32>) -> Result<Self, RecipeError> {
        let raster = Self { width, samples: Arc::new(samples) };
        raster.check()?;
        Ok(raster)
    }

    /// A raster of the pixels of a grey image: 0 for black to 1 for white.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_gray(width: u32, pixels: &[u16]) -> Result<Self, RecipeError> {
        let white = f32::from(u16::MAX);
        Self::new(width, pixels.iter().map(|&pixel| f32::from(pixel) / white).collect())
    }

    /// The number of samples along a row, and that of rows.
    pub fn size(&self) -> [usize; 2] {
        let width = self.width.max(1) as usize;
        [width, self.samples.len() / width]
    }

    /// All samples, row by row.
    pub fn samples(&self) -> &[f32] {
        &self.samples
    }

    pub(super) fn check(&self) -> Result<(), RecipeError> {
        SIDE.check(self.width.into()).map_err(|e| RecipeError::at("width", e))?;
        let [width, rows] = self.size();
        if width * rows != self.samples.len() {
            let problem = format!(
                "there are {}, but must be a multiple of {width}, the width",
                self.samples.len()
            );
            return Err(RecipeError::at("samples", problem));
        }
        SIDE.check(rows as f64).map_err(|e| RecipeError::at("samples", format!("rows: {e}")))?;
        let checked = self.samples.iter().map(|&sample| SAMPLE.check(sample.into()));
        for (i, checked) in checked.enumerate() {
            checked.map_err(|e| RecipeError::at(format!("samples[{i}]"), e))?;
        }
        Ok(())
    }

    fn sample(&self, i: usize, j: usize) -> f64 {
        self.samples[j * self.width as usize + i].into()
    }

    /// The uniform cubic B-spline whose coefficients are the samples, at (u, v) in samples from the
    /// first one. It is twice continuously differentiable, does not overshoot, and does not go
    /// through the samples: it smooths them. Outside it continues with those at the border.
    pub(super) fn spline(&self, [u, v]: [f64; 2]) -> Jet64 {
        let [width, rows] = self.size();
        let (x, z) = (Taps::new(u, width), Taps::new(v, rows));
        // Value, gradient and second derivatives, as sums over products of weights.
        const ORDERS: [[usize; 2]; 6] = [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]];
        let mut sums = [0.0; 6];
        for (b, &j) in z.index.iter().enumerate() {
            let row = x.weights.map(|weights| {
                let terms = weights.iter().zip(&x.index).map(|(w, &i)| w * self.sample(i, j));
                terms.sum::<f64>()
            });
            for (sum, [dx, dz]) in sums.iter_mut().zip(ORDERS) {
                *sum += z.weights[dz][b] * row[dx];
            }
        }
        let [value, dx, dz, xx, xz, zz] = sums;
        Jet64 { value, gradient: [dx, dz], second: [xx, xz, zz] }
    }

    /// Proven bounds of the spline: its value is a mean of samples, and its derivatives are means
    /// of their differences.
    pub(super) fn bounds(&self) -> Bounds {
        let [width, rows] = self.size();
        let [mut min, mut max] = [f64::INFINITY, f64::NEG_INFINITY];
        // The largest differences: along x, along z, twice along x, along both, twice along z.
        let mut largest = [0.0f64; 5];
        for j in 0..rows {
            for i in 0..width {
                let at = |di: usize, dj: usize| {
                    self.sample((i + di).min(width - 1), (j + dj).min(rows - 1))
                };
                let before =
                    |di: usize, dj: usize| self.sample(i.saturating_sub(di), j.saturating_sub(dj));
                let here = at(0, 0);
                (min, max) = (min.min(here), max.max(here));
                let differences = [
                    at(1, 0) - here,
                    at(0, 1) - here,
                    at(1, 0) - 2.0 * here + before(1, 0),
                    at(1, 1) - at(1, 0) - at(0, 1) + here,
                    at(0, 1) - 2.0 * here + before(0, 1),
                ];
                for (largest, difference) in largest.iter_mut().zip(differences) {
                    *largest = largest.max(difference.abs());
                }
            }
        }
        let [x, z, xx, xz, zz] = largest;
        Bounds {
            min,
            max,
            lipschitz: (x * x + z * z).sqrt(),
            // The Frobenius norm is at least the largest absolute eigenvalue.
            curvature: (xx * xx + 2.0 * xz * xz + zz * zz).sqrt(),
        }
    }
}

/// The four samples along an axis that a point reads.
struct Taps {
    index: [usize; 4],
    /// Their weights in the value, and in the first and the second derivative.
    weights: [[f64; 4]; 3],
}

impl Taps {
    /// The taps at `x`, among `count` samples. The weights are those of the uniform cubic B-spline
    /// with t = x - floor(x): (1 - t)^3 / 6, (3 t^3 - 6 t^2 + 4) / 6, (1 + 3 t + 3 t^2 - 3 t^3) / 6
    /// and t^3 / 6.
    fn new(x: f64, count: usize) -> Self {
        let last = count - 1;
        let cell = x.floor().clamp(0.0, last as f64 - 1.0);
        let (t, i) = ((x - cell).clamp(0.0, 1.0), cell as usize);
        let r = 1.0 - t;
        Self {
            index: [i.saturating_sub(1), i, i + 1, (i + 2).min(last)],
            weights: [
                [
                    r * r * r / 6.0,
                    (t * t * (3.0 * t - 6.0) + 4.0) / 6.0,
                    (r * r * (3.0 * r - 6.0) + 4.0) / 6.0,
                    t * t * t / 6.0,
                ],
                [-r * r / 2.0, t * (1.5 * t - 2.0), -r * (1.5 * r - 2.0), t * t / 2.0],
                [r, 3.0 * t - 2.0, 3.0 * r - 2.0, t],
            ],
        }
    }
}
