//! The coefficients of the spline, with a border of mirrored ones.

use crate::field::fill::fill;
use crate::field::hull::Hull;
use crate::field::prefilter::prefilter;
use crate::field::pyramid::Pyramid;
use crate::field::taps::{Taps, dot};
use crate::raster::Raster;

/// Coefficients row by row, each row with one more at both ends, and one more row at both ends.
/// Those of samples without data are NaN, so every sum that needs them is NaN, too.
#[derive(Debug)]
pub(super) struct Coefficients {
    /// The length of a row with its border.
    stride: usize,
    all: Vec<f32>,
}

impl Coefficients {
    /// The coefficients of a raster, and the bounds of the spline. The bounds include the ground
    /// that fills holes: a line from one side of a hole to the other keeps the Lipschitz constant.
    pub fn of(raster: &Raster) -> (Self, Pyramid) {
        let [columns, rows] = raster.size();
        let mut all: Vec<f64> = raster.heights().iter().map(|&height| height.into()).collect();
        fill(&mut all, columns);
        prefilter(&mut all, columns);
        let stride = columns + 2;
        let mut padded = Self { stride, all: Vec::with_capacity(stride * (rows + 2)) };
        for j in (0..rows + 2).map(|j| mirrored(j, rows)) {
            let row = &all[j * columns..(j + 1) * columns];
            padded.all.extend((0..stride).map(|i| row[mirrored(i, columns)] as f32));
        }
        drop(all);
        let pyramid = Pyramid::new([columns - 1, rows - 1], |i, j| {
            Hull::of_cell(&padded.patch(i, j), raster.spacing())
        });
        let heights = raster.heights();
        if heights.iter().any(|height| height.is_nan()) {
            for j in 0..rows + 2 {
                for i in 0..stride {
                    if heights[mirrored(j, rows) * columns + mirrored(i, columns)].is_nan() {
                        padded.all[j * stride + i] = f32::NAN;
                    }
                }
            }
        }
        (padded, pyramid)
    }

    /// Four coefficients of a row with its border.
    #[inline(always)]
    fn four(&self, i: usize, j: usize) -> [f64; 4] {
        let start = j * self.stride + i;
        let [a, b, c, d] = self.all[start..start + 4] else { unreachable!() };
        [a.into(), b.into(), c.into(), d.into()]
    }

    /// The 4 x 4 coefficients around a cell.
    pub fn patch(&self, i: usize, j: usize) -> [[f64; 4]; 4] {
        [0, 1, 2, 3].map(|k| self.four(i, j + k))
    }

    /// The bounds of a cell, `None` where it has no value.
    pub fn cell(&self, i: usize, j: usize, spacing: [f64; 2]) -> Option<Hull> {
        let patch = self.patch(i, j);
        let has_hole = patch.as_flattened().iter().any(|c| c.is_nan());
        (!has_hole).then(|| Hull::of_cell(&patch, spacing))
    }

    /// Whether some cell has a value.
    pub fn has_ground(&self) -> bool {
        let [columns, rows] = [self.stride - 3, self.all.len() / self.stride - 3];
        (0..rows).any(|j| {
            (0..columns).any(|i| self.patch(i, j).as_flattened().iter().all(|c| !c.is_nan()))
        })
    }

    /// The value.
    #[inline(always)]
    pub fn value(&self, x: &Taps, z: &Taps) -> f64 {
        let row = |k: usize| dot(&x.weights, self.four(x.first, z.first + k));
        dot(&z.weights, [row(0), row(1), row(2), row(3)])
    }

    /// The value, as [`value`](Self::value) has it, and the derivatives by the two indices.
    #[inline(always)]
    pub fn sample(&self, x: &Taps, z: &Taps) -> [f64; 3] {
        let (mut values, mut slopes) = ([0.0; 4], [0.0; 4]);
        for k in 0..4 {
            let c = self.four(x.first, z.first + k);
            values[k] = dot(&x.weights, c);
            slopes[k] = dot(&x.slopes, c);
        }
        [dot(&z.weights, values), dot(&z.weights, slopes), dot(&z.slopes, values)]
    }

    /// The second derivatives by the indices: twice along x, along both, twice along z.
    pub fn second(&self, x: &Taps, z: &Taps) -> [f64; 3] {
        let along = |weights: &[f64; 4]| {
            [0, 1, 2, 3].map(|k| dot(weights, self.four(x.first, z.first + k)))
        };
        let (values, slopes, bends) = (along(&x.weights), along(&x.slopes), along(&x.bends()));
        [dot(&z.weights, bends), dot(&z.slopes, slopes), dot(&z.bends(), values)]
    }
}

/// The sample that a padded index shows: the border mirrors the samples beside the first and the
/// last one.
fn mirrored(i: usize, count: usize) -> usize {
    match i {
        0 => 1,
        i if i > count => count - 2,
        i => i - 1,
    }
}
