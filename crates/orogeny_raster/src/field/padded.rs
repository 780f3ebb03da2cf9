//! The coefficients of all samples of a raster, with their border.

use crate::field::coefficients::Coefficients;
use crate::field::holes::fill_holes;
use crate::field::hull::Hull;
use crate::field::level_ground::lower;
use crate::field::prefilter::prefilter;
use crate::field::pyramid::Pyramid;
use crate::raster::Raster;

/// The coefficients of the spline through a raster, and its bounds. The bounds include the ground
/// that fills holes: a line from one side of a hole to the other keeps the Lipschitz constant.
pub(super) fn through(raster: &Raster) -> (Coefficients, Pyramid) {
    let size @ [columns, rows] = raster.size();
    let heights = raster.heights();
    let mut all: Vec<f64> = heights.iter().map(|&height| height.into()).collect();
    fill_holes(&mut all, columns);
    prefilter(&mut all, columns);
    lower(&mut all, heights, columns);
    let inner = |i, j| mirrored(j, rows) * columns + mirrored(i, columns);
    let mut coefficients = padded(size, |i, j| all[inner(i, j)] as f32);
    drop(all);
    let pyramid = pyramid(&coefficients, raster.spacing());
    if heights.iter().any(|height| height.is_nan()) {
        coefficients.erase(|i, j| heights[inner(i, j)].is_nan());
    }
    (coefficients, pyramid)
}

/// A spline of the given coefficients, which it approximates: it stays within their range. Those
/// of the border are mirrored.
pub(super) fn of(size: [usize; 2], spacing: [f64; 2], all: &[f32]) -> (Coefficients, Pyramid) {
    let [columns, rows] = size;
    let inner = |i, j| all[mirrored(j, rows) * columns + mirrored(i, columns)];
    let coefficients = padded(size, inner);
    let pyramid = pyramid(&coefficients, spacing);
    (coefficients, pyramid)
}

/// Coefficients by their padded column and row.
fn padded(size: [usize; 2], at: impl Fn(usize, usize) -> f32) -> Coefficients {
    let [stride, rows] = size.map(|count| count + 2);
    let mut all = Vec::with_capacity(stride * rows);
    (0..rows).for_each(|j| all.extend((0..stride).map(|i| at(i, j))));
    Coefficients::new(stride, all)
}

fn pyramid(coefficients: &Coefficients, spacing: [f64; 2]) -> Pyramid {
    let cell = |i, j| Hull::of_cell(&coefficients.patch(i, j), spacing);
    Pyramid::new(coefficients.cells(), cell)
}

/// The sample that a padded index shows: the border mirrors the samples beside the first and the
/// last one.
pub(crate) fn mirrored(i: usize, count: usize) -> usize {
    match i {
        0 => 1,
        i if i > count => count - 2,
        i => i - 1,
    }
}
