//! Where a raster shows: a smooth mask, 1 well inside and 0 at its edges and beside holes.
//!
//! Distances are those of Pedro Felzenszwalb and Daniel Huttenlocher, "Distance transforms of
//! sampled functions", Theory of Computing 8, 2012: along columns the nearest sample of the set,
//! then along each row the lower envelope of parabolas, one for each column. It takes linear time,
//! and results are exact up to rounding.

use crate::error::RasterError;
use crate::field::RasterField;
use crate::field::spline::Frame;

/// The largest width in metres.
const MOST_WIDTH: f64 = 1e7;
/// A cell has no ground if one of the 4 x 4 samples around it has no data, and the mask reads 4 x 4
/// coefficients: those of samples up to this far from one without data must be 0.
const REACH: usize = 3;

/// The mask of a raster: the cubic B-spline whose coefficients rise from 0 to 1 within `width`
/// metres. It is a mean of coefficients, so it is within 0 to 1. It is 0 with two derivatives at
/// the edges of the rectangle.
pub(super) fn mask(
    frame: Frame,
    has_data: impl Fn(usize, usize) -> bool,
    width: f64,
) -> Result<RasterField, RasterError> {
    if !(0.0..=MOST_WIDTH).contains(&width) {
        return Err(RasterError::limit(format!(
            "the width {width} m of the blend is not within 0 to {MOST_WIDTH} m"
        )));
    }
    let [columns, rows] = frame.size;
    let mut is_hidden = near(frame.size, REACH, |i, j| !has_data(i, j));
    for (index, is_hidden) in is_hidden.iter_mut().enumerate() {
        let [i, j] = [index % columns, index / columns];
        // At the edge three coefficients count: that of the border, mirrored, and two more.
        *is_hidden |= i < 2 || i + 2 >= columns || j < 2 || j + 2 >= rows;
    }
    let mut all = distances(&is_hidden, columns, frame.spacing);
    drop(is_hidden);
    all.iter_mut().for_each(|x| *x = rise(f64::from(*x), width) as f32);
    if all.iter().all(|&x| x == 0.0) {
        return Err(RasterError::limit(
            "the raster would show nowhere: no sample with data is 3 or more samples from its \
             edges and 4 or more from those without data",
        ));
    }
    Ok(RasterField::of(frame, &all))
}

/// The quintic 6 t^5 - 15 t^4 + 10 t^3 of the part of the width.
fn rise(distance: f64, width: f64) -> f64 {
    if distance >= width {
        return if distance > 0.0 { 1.0 } else { 0.0 };
    }
    let t = distance / width;
    t * t * t * (t * (6.0 * t - 15.0) + 10.0)
}

/// Which samples of a grid have a member of a set at most `reach` columns and rows away.
pub(super) fn near(
    [columns, rows]: [usize; 2],
    reach: usize,
    is_member: impl Fn(usize, usize) -> bool,
) -> Vec<bool> {
    let mut along = vec![false; columns * rows];
    let mut all = vec![false; columns * rows];
    for (j, row) in along.chunks_exact_mut(columns).enumerate() {
        for i in (0..columns).filter(|&i| is_member(i, j)) {
            row[i.saturating_sub(reach)..(i + reach + 1).min(columns)].fill(true);
        }
        for k in j.saturating_sub(reach)..(j + reach + 1).min(rows) {
            let row = row.iter().zip(&mut all[k * columns..(k + 1) * columns]);
            row.for_each(|(is, all)| *all |= *is);
        }
    }
    all
}

/// The distances in units of `spacing`. The set is given by its members, row by row; all are
/// infinitely far from an empty set.
pub(crate) fn distances(is_member: &[bool], columns: usize, spacing: [f64; 2]) -> Vec<f32> {
    let mut all = rows_apart(is_member, columns);
    let mut squares = vec![0.0; columns];
    let mut envelope = Envelope::default();
    for row in all.chunks_exact_mut(columns) {
        for (square, &rows) in squares.iter_mut().zip(row.iter()) {
            *square = (f64::from(rows) * spacing[1]).powi(2);
        }
        envelope.build(&squares, spacing[0]);
        envelope.read(&squares, spacing[0], row);
    }
    all
}

/// The distance from the nearest member within each column, counted in rows. Whole numbers up to
/// 2^24 are exact in `f32`, and no raster has as many rows.
fn rows_apart(is_member: &[bool], columns: usize) -> Vec<f32> {
    let mut all: Vec<f32> =
        is_member.iter().map(|&is| if is { 0.0 } else { f32::INFINITY }).collect();
    let rows = all.len() / columns;
    for j in 1..rows {
        let (before, row) = all[(j - 1) * columns..(j + 1) * columns].split_at_mut(columns);
        row.iter_mut().zip(before).for_each(|(x, before)| *x = x.min(*before + 1.0));
    }
    for j in (1..rows).rev() {
        let (row, after) = all[(j - 1) * columns..(j + 1) * columns].split_at_mut(columns);
        row.iter_mut().zip(after).for_each(|(x, after)| *x = x.min(*after + 1.0));
    }
    all
}

/// The lower envelope of the parabolas s_q + (x - x_q)^2.
#[derive(Default)]
struct Envelope {
    /// The columns whose parabolas are part of it, from left to right, and where each begins.
    parts: Vec<(usize, f64)>,
}

impl Envelope {
    fn build(&mut self, squares: &[f64], step: f64) {
        self.parts.clear();
        for (q, &square) in squares.iter().enumerate().filter(|(_, s)| s.is_finite()) {
            let x = q as f64 * step;
            let mut start = f64::NEG_INFINITY;
            while let Some(&(other, begin)) = self.parts.last() {
                let y = other as f64 * step;
                // Where the two parabolas meet.
                start = ((square + x * x) - (squares[other] + y * y)) / (2.0 * (x - y));
                if start > begin {
                    break;
                }
                self.parts.pop();
                start = f64::NEG_INFINITY;
            }
            self.parts.push((q, start));
        }
    }

    fn read(&self, squares: &[f64], step: f64, out: &mut [f32]) {
        let mut part = 0;
        if self.parts.is_empty() {
            return out.fill(f32::INFINITY);
        }
        for (i, out) in out.iter_mut().enumerate() {
            let x = i as f64 * step;
            while self.parts.get(part + 1).is_some_and(|&(_, begin)| begin <= x) {
                part += 1;
            }
            let (q, _) = self.parts[part];
            let apart = x - q as f64 * step;
            *out = (squares[q] + apart * apart).sqrt() as f32;
        }
    }
}
