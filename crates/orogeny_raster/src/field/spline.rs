//! A cubic B-spline: where its samples lie, which coefficients a position reads, its value there.

use orogeny::{Jet, Sample};

use crate::field::bounds::Hull;

/// The size of a raster, and its place in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub size: [usize; 2],
    pub spacing: [f64; 2],
    /// The centres of the first and of the last sample.
    pub corners: [[f64; 2]; 2],
}

impl Frame {
    pub fn new(size: [usize; 2], spacing: [f64; 2], position: [f64; 2]) -> Self {
        let last = [0, 1].map(|k| position[k] + (size[k] - 1) as f64 * spacing[k]);
        Self { size, spacing, corners: [position, last] }
    }

    /// The taps of a coordinate along an axis.
    #[inline(always)]
    pub fn taps(&self, axis: usize, coordinate: f64) -> Taps {
        Taps::new(self.index(axis, coordinate), self.size[axis], self.spacing[axis])
    }

    /// The taps of a position; `None` outside the rectangle.
    #[inline(always)]
    pub fn both(&self, [x, z]: [f64; 2]) -> Option<[Taps; 2]> {
        let taps = [self.taps(0, x), self.taps(1, z)];
        (taps[0].is_inside() && taps[1].is_inside()).then_some(taps)
    }

    #[inline(always)]
    fn index(&self, axis: usize, coordinate: f64) -> f64 {
        (coordinate - self.corners[0][axis]) / self.spacing[axis]
    }

    /// The first and the last cell that the square of `radius` around a position meets, or the
    /// nearest ones.
    pub fn cells(&self, p: [f64; 2], radius: f64) -> [[usize; 2]; 2] {
        let cell = |axis: usize, x: f64| {
            self.index(axis, x).floor().clamp(0.0, (self.size[axis] - 2) as f64) as usize
        };
        [-radius, radius].map(|r| [cell(0, p[0] + r), cell(1, p[1] + r)])
    }

    /// Whether the square of `radius` around a position meets the rectangle.
    pub fn meets(&self, p: [f64; 2], radius: f64) -> bool {
        let [first, last] = self.corners;
        (0..2).all(|k| p[k] + radius >= first[k] && p[k] - radius <= last[k])
    }
}

/// How far, in cells, a position may be outside the raster and count as its border: grids that
/// are aligned with the raster meet its last samples only up to rounding.
const SLACK: f64 = 1e-6;

/// The taps of one coordinate: padded coefficients `first` to `first + 3`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taps {
    pub first: usize,
    /// The weights of the value, and of the derivative by the coordinate; NaN outside the raster.
    pub weights: [f64; 4],
    pub slopes: [f64; 4],
    /// The position within the cell, from 0 to 1.
    t: f64,
    /// Samples per unit of length.
    density: f64,
}

impl Taps {
    /// The taps of a coordinate outside the raster.
    pub const OUTSIDE: Self =
        Self { first: 0, weights: [f64::NAN; 4], slopes: [f64::NAN; 4], t: f64::NAN, density: 0.0 };

    /// The taps at index `u` of `count` samples that are `spacing` apart. The weights are those of
    /// the uniform cubic B-spline with t = u - floor(u) and r = 1 - t: r^3 / 6, (3 t^3 - 6 t^2 + 4)
    /// / 6, the same in r, and t^3 / 6.
    #[inline]
    pub fn new(u: f64, count: usize, spacing: f64) -> Self {
        let last = (count - 1) as f64;
        // Not the opposite comparisons: NaN is outside.
        if !(u >= -SLACK && u <= last + SLACK) {
            return Self::OUTSIDE;
        }
        let cell = u.floor().clamp(0.0, last - 1.0);
        let t = (u - cell).clamp(0.0, 1.0);
        let (r, density) = (1.0 - t, 1.0 / spacing);
        let slopes = [-r * r / 2.0, t * (1.5 * t - 2.0), -r * (1.5 * r - 2.0), t * t / 2.0];
        Self {
            first: cell as usize,
            weights: [
                r * r * r / 6.0,
                (t * t * (3.0 * t - 6.0) + 4.0) / 6.0,
                (r * r * (3.0 * r - 6.0) + 4.0) / 6.0,
                t * t * t / 6.0,
            ],
            slopes: slopes.map(|slope| slope * density),
            t,
            density,
        }
    }

    /// Whether the coordinate is within the raster.
    #[inline]
    pub fn is_inside(&self) -> bool {
        !self.t.is_nan()
    }

    /// The weights of the second derivative by the coordinate.
    pub fn seconds(&self) -> [f64; 4] {
        let (t, r) = (self.t, 1.0 - self.t);
        [r, 3.0 * t - 2.0, 3.0 * r - 2.0, t].map(|second| second * self.density * self.density)
    }

    /// The same taps of a part of the coefficients that starts at `start`.
    #[inline]
    pub fn within(self, start: usize) -> Self {
        Self { first: self.first - start, ..self }
    }
}

/// The sum of four products, in this order everywhere: grids and points agree bit for bit.
#[inline(always)]
pub(super) fn dot(weights: &[f64; 4], c: [f64; 4]) -> f64 {
    weights[0] * c[0] + weights[1] * c[1] + (weights[2] * c[2] + weights[3] * c[3])
}

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
        let xx = dot(&x.seconds(), along(&z.weights)) as f32;
        let zz = dot(&x.weights, along(&z.seconds())) as f32;
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
