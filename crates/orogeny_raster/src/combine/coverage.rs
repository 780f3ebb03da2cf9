//! Where a raster shows: a smooth mask, 1 well inside and 0 at its edges and beside holes.

use crate::combine::distance::distances;
use crate::error::RasterError;
use crate::field::frame::Frame;
use crate::field::spline::Spline;

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
) -> Result<Spline, RasterError> {
    if !(0.0..=MOST_WIDTH).contains(&width) {
        return Err(RasterError::limit(format!(
            "the width {width} m of the blend is not within 0 to {MOST_WIDTH} m"
        )));
    }
    let [columns, rows] = frame.size;
    let mut is_hidden = near_holes(frame.size, has_data);
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
    Ok(Spline::of(frame, &all))
}

/// The quintic 6 t^5 - 15 t^4 + 10 t^3 of the part of the width.
fn rise(distance: f64, width: f64) -> f64 {
    if distance >= width {
        return if distance > 0.0 { 1.0 } else { 0.0 };
    }
    let t = distance / width;
    t * t * t * (t * (6.0 * t - 15.0) + 10.0)
}

/// Which samples have one without data at most [`REACH`] columns and rows away.
fn near_holes([columns, rows]: [usize; 2], has_data: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut along = vec![false; columns * rows];
    let mut all = vec![false; columns * rows];
    for (j, row) in along.chunks_exact_mut(columns).enumerate() {
        for i in (0..columns).filter(|&i| !has_data(i, j)) {
            row[i.saturating_sub(REACH)..(i + REACH + 1).min(columns)].fill(true);
        }
        for k in j.saturating_sub(REACH)..(j + REACH + 1).min(rows) {
            let row = row.iter().zip(&mut all[k * columns..(k + 1) * columns]);
            row.for_each(|(is, all)| *all |= *is);
        }
    }
    all
}
