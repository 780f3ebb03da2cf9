//! Rasters: the samples of stamps, and the cubic B-spline that interpolates one, with its proven
//! bounds.
//!
//! The coefficients c of the uniform cubic B-spline through samples s solve c_(i-1) + 4 c_i +
//! c_(i+1) = 6 s_i along each axis, where those beyond the border are equal to those at the border.
//! The system is tridiagonal, so two passes along each axis solve it. (Michael Unser, "Splines: a
//! perfect fit for signal and image processing", 1999.)

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::sync::atomic::{self, AtomicBool};

use crate::arrays::Each;
use crate::derivative::bounds::Bounds;
use crate::edits::falloff::Jet64;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::Limit;
#[cfg(feature = "serde")]
use crate::limits::at_most;

/// The limits of the sides of a raster.
const SIDE: Limit = Limit::new(
    "side",
    "samples",
    [4.0, 4097.0],
    5.0,
    "The number of samples along a side of a raster",
);
/// The limits of a sample.
const SAMPLE: Limit = Limit::new("sample", "", [-1.0, 1.0], 0.0, "A sample of a raster");
/// The maximum number of samples.
#[cfg(feature = "serde")]
const MAX_SAMPLES: usize = 4097 * 4097;

/// The samples of a stamp on a grid. A clone shares them.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Raster {
    /// The number of samples in a row: 4 to 4097. There are 4 to 4097 rows.
    width: u32,
    /// Row by row, each from -1 to 1.
    #[cfg_attr(feature = "serde", serde(serialize_with = "write", deserialize_with = "read"))]
    samples: Arc<Samples>,
}

/// Samples, and whether they were found to be within their limits: a tool checks its stamp in each
/// frame, and there may be 17 million.
struct Samples {
    all: Vec<f32>,
    are_valid: AtomicBool,
}

impl fmt::Debug for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.all.fmt(f)
    }
}

impl From<Vec<f32>> for Samples {
    fn from(all: Vec<f32>) -> Self {
        Self { all, are_valid: AtomicBool::new(false) }
    }
}

impl PartialEq for Raster {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Raster {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        // Millions of samples are compared only where they are not shared. A valid one is not NaN.
        match self.width.cmp(&other.width) {
            Ordering::Equal if Arc::ptr_eq(&self.samples, &other.samples) => Some(Ordering::Equal),
            Ordering::Equal => self.samples.all.partial_cmp(&other.samples.all),
            order => Some(order),
        }
    }
}

#[cfg(feature = "serde")]
fn write<S: serde::Serializer>(samples: &Samples, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(&samples.all)
}

#[cfg(feature = "serde")]
fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Arc<Samples>, D::Error> {
    at_most::<MAX_SAMPLES, f32, D>(deserializer).map(|all| Arc::new(all.into()))
}

impl Default for Raster {
    /// A bump: 1 in the middle of 5 x 5 samples, 0 elsewhere.
    fn default() -> Self {
        let mut samples = vec![0.0; 25];
        samples[12] = 1.0;
        Self { width: 5, samples: Arc::new(samples.into()) }
    }
}

impl Raster {
    /// A raster of rows with `width` samples each.
    ///
    /// # Errors
    /// A side outside 4 to 4097, samples that do not fill the rows, and a sample outside -1 to 1.
    pub fn new(width: u32, samples: Vec<f32>) -> Result<Self, DataError> {
        let raster = Self { width, samples: Arc::new(samples.into()) };
        raster.check()?;
        Ok(raster)
    }

    /// A raster of the pixels of a grey image: 0 for black to 1 for white.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_gray(width: u32, pixels: &[u16]) -> Result<Self, DataError> {
        let white = f32::from(u16::MAX);
        Self::new(width, pixels.iter().map(|&pixel| f32::from(pixel) / white).collect())
    }

    /// The number of samples along a row, and that of rows.
    pub fn size(&self) -> [usize; 2] {
        let width = self.width.max(1) as usize;
        [width, self.samples().len() / width]
    }

    /// All samples, row by row.
    pub fn samples(&self) -> &[f32] {
        &self.samples.all
    }

    pub(super) fn check(&self) -> Result<(), DataError> {
        SIDE.check(self.width.into()).map_err(|e| DataError::at("width", e))?;
        let [width, rows] = self.size();
        if width * rows != self.samples().len() {
            let problem = format!(
                "there are {}, but must be a multiple of {width}, the width",
                self.samples().len()
            );
            return Err(DataError::at("samples", problem));
        }
        SIDE.check(rows as f64).map_err(|e| DataError::at("samples", format!("rows: {e}")))?;
        let are_valid = &self.samples.are_valid;
        if are_valid.load(atomic::Ordering::Relaxed) {
            return Ok(());
        }
        let checked = self.samples().iter().map(|&sample| SAMPLE.check(sample.into()));
        for (i, checked) in checked.enumerate() {
            checked.map_err(|e| DataError::at(format!("samples[{i}]"), e))?;
        }
        are_valid.store(true, atomic::Ordering::Relaxed);
        Ok(())
    }

    /// Makes every negative zero positive.
    pub(super) fn clear_signs_of_zeros(&mut self) {
        if self.samples().iter().any(|sample| sample.to_bits() == (-0.0f32).to_bits()) {
            let positive: Vec<f32> = self.samples().iter().map(|sample| sample + 0.0).collect();
            self.samples = Arc::new(positive.into());
        }
    }
}

/// A spline. A clone shares its coefficients.
#[derive(Clone, Debug)]
pub(super) struct RasterSpline {
    size: [usize; 2],
    /// Row by row.
    coefficients: Arc<Vec<f32>>,
}

impl RasterSpline {
    /// The spline through the samples of a raster. It takes some 20 ns for each.
    pub fn through(raster: &Raster) -> Self {
        let size = raster.size();
        let [width, rows] = size;
        let mut all: Vec<f64> = raster.samples().iter().map(|&sample| sample.into()).collect();
        let factors = factors(width);
        for row in all.chunks_exact_mut(width) {
            solve(&factors, 1, row);
        }
        solve(&self::factors(rows), width, &mut all);
        let coefficients = all.into_iter().map(|c| c as f32).collect();
        Self { size, coefficients: Arc::new(coefficients) }
    }

    fn coefficient(&self, i: usize, j: usize) -> f64 {
        self.coefficients[j * self.size[0] + i].into()
    }

    /// The spline at (u, v) in samples from the first one. It is twice continuously differentiable.
    /// Between samples it may overshoot. Outside it continues with the coefficients at the border.
    pub fn at(&self, [u, v]: [f64; 2]) -> Jet64 {
        let [width, rows] = self.size;
        let (x, z) = (Taps::new(u, width), Taps::new(v, rows));
        // Value, gradient and second derivatives, as sums over products of weights.
        const ORDERS: [[usize; 2]; 6] = [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]];
        let mut sums = [0.0; 6];
        for (b, &j) in z.index.iter().enumerate() {
            let row = x.weights.each(|weights| {
                let terms = weights.iter().zip(&x.index).map(|(w, &i)| w * self.coefficient(i, j));
                terms.sum::<f64>()
            });
            for (sum, [dx, dz]) in sums.iter_mut().zip(ORDERS) {
                *sum += z.weights[dz][b] * row[dx];
            }
        }
        let [value, dx, dz, xx, xz, zz] = sums;
        Jet64 { value, gradient: [dx, dz], second: [xx, xz, zz] }
    }

    /// Proven bounds of the spline: in each cell, it and its derivatives are within the range of
    /// the control points of their Bezier form.
    pub fn bounds(&self) -> Bounds {
        let [width, rows] = self.size;
        let row = |j: usize| Controls::of(&self.coefficients[j * width..(j + 1) * width]);
        let [mut min, mut max] = [f64::INFINITY, f64::NEG_INFINITY];
        // The largest derivatives: along x, along z, twice along x, along both, twice along z.
        let mut largest = [0.0f64; 5];
        let mut grow = |k: usize, x: f64| largest[k] = largest[k].max(x.abs());
        let (mut before, mut here) = (row(0), row(0));
        for j in 0..rows {
            let after = if j + 1 < rows { row(j + 1) } else { here.clone() };
            for i in 0..width {
                for k in 0..3 {
                    let [a, b, c] = [&before, &here, &after].each(|row| row.values[k][i]);
                    for value in controls(a, b, c) {
                        (min, max) = (min.min(value), max.max(value));
                    }
                    grow(1, c - b);
                    grow(4, a - 2.0 * b + c);
                }
                let [a, b, c] = [&before, &here, &after].each(|row| row.slopes[i]);
                controls(a, b, c).into_iter().for_each(|slope| grow(0, slope));
                grow(3, c - b);
                let [a, b, c] = [&before, &here, &after].each(|row| row.seconds[i]);
                controls(a, b, c).into_iter().for_each(|second| grow(2, second));
            }
            (before, here) = (here, after);
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

/// 1 over the pivots of the tridiagonal system: its diagonal is 4, and 5 at both ends.
fn factors(count: usize) -> Vec<f64> {
    let mut factors = vec![1.0 / 5.0; count];
    for i in 1..count {
        let diagonal = if i + 1 < count { 4.0 } else { 5.0 };
        factors[i] = 1.0 / (diagonal - factors[i - 1]);
    }
    factors
}

/// Solves the systems of all lines along an axis whose neighbours are `stride` apart.
fn solve(factors: &[f64], stride: usize, all: &mut [f64]) {
    all[..stride].iter_mut().for_each(|s| *s *= 6.0 * factors[0]);
    for (i, factor) in factors.iter().enumerate().skip(1) {
        let (before, line) = all[(i - 1) * stride..(i + 1) * stride].split_at_mut(stride);
        for (s, before) in line.iter_mut().zip(before) {
            *s = (6.0 * *s - *before) * factor;
        }
    }
    for (i, factor) in factors.iter().enumerate().rev().skip(1) {
        let (line, after) = all[i * stride..(i + 2) * stride].split_at_mut(stride);
        for (c, after) in line.iter_mut().zip(after) {
            *c -= factor * *after;
        }
    }
}

/// The first three control points of a cell between b and its neighbour c, with a before b: the
/// fourth is the first one of the next cell.
fn controls(a: f64, b: f64, c: f64) -> [f64; 3] {
    [(a + 4.0 * b + c) / 6.0, (2.0 * b + c) / 3.0, (b + 2.0 * c) / 3.0]
}

/// The control points along a row of coefficients: of values, slopes and second derivatives.
#[derive(Clone)]
struct Controls {
    values: [Vec<f64>; 3],
    slopes: Vec<f64>,
    seconds: Vec<f64>,
}

impl Controls {
    fn of(row: &[f32]) -> Self {
        let at = |i: usize| f64::from(row[i.min(row.len() - 1)]);
        let each = |i: usize| [at(i.saturating_sub(1)), at(i), at(i + 1)];
        let all = || (0..row.len()).map(each);
        Self {
            values: [0, 1, 2].map(|k| all().map(|[a, b, c]| controls(a, b, c)[k]).collect()),
            slopes: all().map(|[_, b, c]| c - b).collect(),
            seconds: all().map(|[a, b, c]| a - 2.0 * b + c).collect(),
        }
    }
}

/// The four coefficients along an axis that a point reads.
struct Taps {
    index: [usize; 4],
    /// Their weights in the value, and in the first and the second derivative.
    weights: [[f64; 4]; 3],
}

impl Taps {
    /// The taps at `x`, among `count` coefficients. The weights are those of the uniform cubic
    /// B-spline with t = x - floor(x): (1 - t)^3 / 6, (3 t^3 - 6 t^2 + 4) / 6, (1 + 3 t + 3 t^2 -
    /// 3 t^3) / 6 and t^3 / 6.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_checked_once_for_all_clones() {
        let raster = Raster::new(4, vec![-0.0; 16]).unwrap();
        let mut clone = raster.clone();
        assert!(clone.samples.are_valid.load(atomic::Ordering::Relaxed));
        clone.clear_signs_of_zeros();
        assert!(clone == raster && clone.check().is_ok());
        let wrong = Raster { width: 4, samples: Arc::new(vec![1.5; 16].into()) };
        for _ in 0..2 {
            assert_eq!(wrong.check().unwrap_err().path, "samples[0]");
        }
    }

    #[test]
    fn rasters_are_ordered_by_their_width_and_samples() {
        let of = |width: u32, first: f32| {
            let mut samples = vec![0.0; 4 * width as usize];
            samples[0] = first;
            Raster::new(width, samples).unwrap()
        };
        assert!(of(4, 0.5) < of(4, 0.6) && of(4, 0.6) < of(5, 0.5));
        assert_eq!(of(4, 0.5), of(4, 0.5));
    }
}
