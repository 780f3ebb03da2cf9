//! The coefficients of the spline through samples: holes are filled from their neighbours, so that
//! it does not ring beside them, a recursive filter solves for the coefficients, and the border
//! mirrors them.
//!
//! Michael Unser, "Splines: a perfect fit for signal and image processing", IEEE Signal Processing
//! Magazine 16(6), 1999: a causal and an anticausal recursive filter along each axis, with the
//! signal mirrored at its first and its last sample.

use crate::field::bounds::{Hull, Pyramid};
use crate::field::level_ground::lower;
use crate::field::spline::Coefficients;
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

/// Replaces NaN by the mean of those of the eight neighbours that have a number, ring after ring
/// from the ground inwards. At least one sample must be a number. Returns the number of rings: the
/// most steps from a hole's sample to ground.
pub(crate) fn fill_holes(all: &mut [f64], columns: usize) -> usize {
    // First the holes beside ground, then the holes beside those. `queued` keeps each in one ring.
    let is_beside_ground = |&i: &usize| neighbours(i, columns, all.len()).any(|n| !all[n].is_nan());
    let holes = (0..all.len()).filter(|&i| all[i].is_nan());
    let mut ring: Vec<usize> = holes.filter(is_beside_ground).collect();
    if ring.is_empty() {
        return 0;
    }
    let mut queued = vec![false; all.len()];
    ring.iter().for_each(|&i| queued[i] = true);
    let (mut values, mut rings) = (Vec::new(), 0);
    while !ring.is_empty() {
        values.clear();
        values.extend(ring.iter().map(|&i| mean(all, i, columns)));
        ring.iter().zip(&values).for_each(|(&i, &value)| all[i] = value);
        let mut next = Vec::new();
        for &i in &ring {
            for n in neighbours(i, columns, all.len()) {
                if all[n].is_nan() && !queued[n] {
                    queued[n] = true;
                    next.push(n);
                }
            }
        }
        ring = next;
        rings += 1;
    }
    rings
}

/// The mean of the neighbours that are numbers.
fn mean(all: &[f64], i: usize, columns: usize) -> f64 {
    let known = neighbours(i, columns, all.len()).map(|n| all[n]).filter(|x| !x.is_nan());
    let (sum, count) = known.fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
    sum / count
}

/// The indices of the up to eight neighbours of a sample.
fn neighbours(i: usize, columns: usize, len: usize) -> impl Iterator<Item = usize> {
    let (column, row, rows) = (i % columns, i / columns, len / columns);
    let near = |x: usize, count: usize| x.saturating_sub(1)..(x + 2).min(count);
    near(row, rows)
        .flat_map(move |z| near(column, columns).map(move |x| z * columns + x))
        .filter(move |&n| n != i)
}

/// The pole sqrt(3) - 2 of the filter: it forgets a sample by this factor each step.
const POLE: f64 = -0.267_949_192_431_122_7;
/// The samples after which the pole's power is below the rounding of `f64`.
const HORIZON: usize = 32;

/// Replaces samples, row by row, by the coefficients of the spline through them.
pub(crate) fn prefilter(all: &mut [f64], columns: usize) {
    all.chunks_exact_mut(columns).for_each(|row| filter(row, 1));
    // Rows at a time: neighbours along an axis are then neighbours in memory.
    filter(all, columns);
}

/// Filters lines side by side whose successive samples are `stride` apart; there are at least two.
fn filter(all: &mut [f64], stride: usize) {
    let count = all.len() / stride;
    start(all, stride, count);
    for i in 1..count {
        let (before, line) = all[(i - 1) * stride..(i + 1) * stride].split_at_mut(stride);
        line.iter_mut().zip(before).for_each(|(x, before)| *x = 6.0 * *x + POLE * *before);
    }
    let (before, last) = all[(count - 2) * stride..].split_at_mut(stride);
    for (x, before) in last.iter_mut().zip(before) {
        *x = POLE / (POLE * POLE - 1.0) * (*x + POLE * *before);
    }
    for i in (0..count - 1).rev() {
        let (line, after) = all[i * stride..(i + 2) * stride].split_at_mut(stride);
        line.iter_mut().zip(after).for_each(|(x, after)| *x = POLE * (*after - *x));
    }
}

/// Sets the first sample of each line to what the causal filter has there: 6 times the sum of the
/// mirrored signal, which has the period 2 (count - 1), by powers of the pole. A short period is a
/// geometric series; of a long one only the first samples matter.
fn start(all: &mut [f64], stride: usize, count: usize) {
    let period = 2 * (count - 1);
    let terms = period.min(HORIZON);
    let decay = (0..terms).fold(1.0, |power, _| power * POLE);
    let scale = if terms == period { 6.0 / (1.0 - decay) } else { 6.0 };
    let (first, rest) = all.split_at_mut(stride);
    first.iter_mut().for_each(|x| *x *= scale);
    let mut weight = scale;
    for k in 1..terms {
        weight *= POLE;
        let mirrored = if k < count { k } else { period - k };
        let line = &rest[(mirrored - 1) * stride..mirrored * stride];
        first.iter_mut().zip(line).for_each(|(x, s)| *x += weight * s);
    }
}
