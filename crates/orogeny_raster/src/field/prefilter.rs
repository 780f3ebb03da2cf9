//! The coefficients of the cubic B-spline through samples.
//!
//! Michael Unser, "Splines: a perfect fit for signal and image processing", IEEE Signal Processing
//! Magazine 16(6), 1999: a causal and an anticausal recursive filter along each axis, with the
//! signal mirrored at its first and its last sample.

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
