//! A block of coefficients, and the spline that they are of.

use orogeny::{Jet, Sample};

use crate::field::hull::Hull;
use crate::field::taps::{Taps, dot};

/// Coefficients row by row, each row with one more at both ends, and one more row at both ends.
/// Coefficients of samples without data are NaN, so every sum that needs them is NaN, too.
///
/// The spline is summed along z first, then along x. On a grid, the sums along z are shared by all
/// points of a row.
#[derive(Debug)]
pub(crate) struct Coefficients {
    /// The length of a row with its border.
    stride: usize,
    all: Vec<f32>,
}

impl Coefficients {
    pub fn new(stride: usize, all: Vec<f32>) -> Self {
        debug_assert!(stride >= 4 && all.len().is_multiple_of(stride));
        Self { stride, all }
    }

    /// Replaces coefficients by NaN: those of samples without data, by their padded column and row.
    pub fn erase(&mut self, has_no_data: impl Fn(usize, usize) -> bool) {
        for (j, row) in self.all.chunks_exact_mut(self.stride).enumerate() {
            for (i, c) in row.iter_mut().enumerate() {
                if has_no_data(i, j) {
                    *c = f32::NAN;
                }
            }
        }
    }

    /// The number of cells: \[columns, rows\].
    pub fn cells(&self) -> [usize; 2] {
        [self.stride - 3, self.all.len() / self.stride - 3]
    }

    /// Four coefficients of a row with its border.
    #[inline(always)]
    fn four(&self, i: usize, j: usize) -> [f64; 4] {
        let start = j * self.stride + i;
        let [a, b, c, d] = self.all[start..start + 4] else { unreachable!() };
        [a.into(), b.into(), c.into(), d.into()]
    }

    /// `count` coefficients of the four rows from row `j` on, from column `i` on.
    #[inline(always)]
    pub fn four_rows(&self, i: usize, j: usize, count: usize) -> [&[f32]; 4] {
        [0, 1, 2, 3].map(|k| &self.all[(j + k) * self.stride + i..][..count])
    }

    /// The 4 x 4 coefficients around a cell.
    #[inline(always)]
    pub fn patch(&self, i: usize, j: usize) -> [[f64; 4]; 4] {
        [0, 1, 2, 3].map(|k| self.four(i, j + k))
    }

    /// The bounds of a cell, `None` where it has no value.
    pub fn cell(&self, i: usize, j: usize, spacing: [f64; 2]) -> Option<Hull> {
        let patch = self.patch(i, j);
        let has_hole = patch.as_flattened().iter().any(|c| c.is_nan());
        (!has_hole).then(|| Hull::of_cell(&patch, spacing))
    }

    /// Whether a sample, counted without the border, has data.
    pub fn has_data(&self, column: usize, row: usize) -> bool {
        !self.all[(row + 1) * self.stride + column + 1].is_nan()
    }

    /// Whether some cell has a value.
    pub fn has_ground(&self) -> bool {
        let [columns, rows] = self.cells();
        (0..rows).any(|j| {
            (0..columns).any(|i| self.patch(i, j).as_flattened().iter().all(|c| !c.is_nan()))
        })
    }

    /// The value.
    #[inline(always)]
    pub fn value(&self, x: &Taps, z: &Taps) -> f32 {
        let values = along_z(&z.weights, &self.patch(x.first, z.first));
        value_of(x, values)
    }

    /// The value and the gradient.
    #[inline(always)]
    pub fn sample(&self, x: &Taps, z: &Taps) -> Sample<2> {
        let patch = self.patch(x.first, z.first);
        sample_of(x, along_z(&z.weights, &patch), along_z(&z.slopes, &patch))
    }

    /// The value, the gradient and the second derivatives.
    pub fn jet(&self, x: &Taps, z: &Taps) -> Jet<2> {
        let sample = self.sample(x, z);
        if sample.value.is_nan() {
            return Jet::OUTSIDE;
        }
        let patch = self.patch(x.first, z.first);
        let along = |weights: &[f64; 4]| along_z(weights, &patch);
        let xz = dot(&x.slopes, along(&z.slopes)) as f32;
        let xx = dot(&x.bends(), along(&z.weights)) as f32;
        let zz = dot(&x.weights, along(&z.bends())) as f32;
        Jet { sample, hessian: [[xx, xz], [xz, zz]] }
    }
}

/// The sums of four columns along z.
#[inline(always)]
fn along_z(weights: &[f64; 4], patch: &[[f64; 4]; 4]) -> [f64; 4] {
    [0, 1, 2, 3].map(|i| dot(weights, [patch[0][i], patch[1][i], patch[2][i], patch[3][i]]))
}

/// The value from the sums along z.
#[inline(always)]
pub(super) fn value_of(x: &Taps, values: [f64; 4]) -> f32 {
    let value = dot(&x.weights, values) as f32;
    // One NaN, whatever its bits were in the sum.
    if value.is_nan() { f32::NAN } else { value }
}

/// The sample from the sums along z of values and of derivatives along z.
#[inline(always)]
pub(super) fn sample_of(x: &Taps, values: [f64; 4], slopes: [f64; 4]) -> Sample<2> {
    let value = dot(&x.weights, values) as f32;
    let gradient = [dot(&x.slopes, values) as f32, dot(&x.weights, slopes) as f32];
    if value.is_nan() { Sample::OUTSIDE } else { Sample { value, gradient } }
}
