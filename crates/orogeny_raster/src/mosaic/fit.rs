//! Whether rasters lie on one grid of samples.

use crate::error::RasterError;
use crate::field::frame::Frame;

/// How far spacings may differ, as a part of them.
const SPACING_TOLERANCE: f64 = 1e-6;
/// How far samples may be from the common grid, in cells.
const OFFSET_TOLERANCE: f64 = 1e-2;
/// The most samples between two rasters. It is far beyond the limits of rasters.
const MOST_APART: f64 = 1e9;

/// The frame of all rasters together, and the index of the first sample of each in it.
pub(super) fn fit(
    names: &[String],
    frames: &[Frame],
) -> Result<(Frame, Vec<[usize; 2]>), RasterError> {
    let Some(one) = frames.first() else {
        return Err(RasterError::Mosaic("there is no raster to put together".into()));
    };
    let mut offsets = Vec::new();
    for (name, frame) in names.iter().zip(frames) {
        let differs = |k: usize| {
            (frame.spacing[k] - one.spacing[k]).abs() > SPACING_TOLERANCE * one.spacing[k]
        };
        if differs(0) || differs(1) {
            let ([x, z], [x0, z0], first) = (frame.spacing, one.spacing, &names[0]);
            return Err(RasterError::Mosaic(format!(
                "{name} has a spacing of {x} m by {z} m, but {first} has {x0} m by {z0} m. Files \
                 in degrees fit if all are read with the same Reading::latitude; those in Web \
                 Mercator do not"
            )));
        }
        let apart = [0, 1].map(|k| (frame.corners[0][k] - one.corners[0][k]) / one.spacing[k]);
        let is_off = apart.iter().any(|x| (x - x.round()).abs() > OFFSET_TOLERANCE);
        if is_off || apart.iter().any(|x| x.abs() > MOST_APART) {
            let ([x, z], first) = (apart, &names[0]);
            return Err(RasterError::Mosaic(format!(
                "{name} is {x:.3} by {z:.3} samples from {first}: its samples are not on one grid \
                 with those of the others"
            )));
        }
        offsets.push(apart.map(|x| x.round() as i64));
    }
    let least = |k: usize| offsets.iter().map(|offset| offset[k]).min().unwrap_or(0);
    let least = [least(0), least(1)];
    let firsts: Vec<[usize; 2]> =
        offsets.iter().map(|offset| [0, 1].map(|k| (offset[k] - least[k]) as usize)).collect();
    let size = [0, 1].map(|k| {
        let ends = firsts.iter().zip(frames).map(|(first, frame)| first[k] + frame.size[k]);
        ends.max().unwrap_or(0)
    });
    let position = [0, 1].map(|k| one.corners[0][k] + least[k] as f64 * one.spacing[k]);
    Ok((Frame::new(size, one.spacing, position), firsts))
}

/// Writes heights of `width` columns to those of `columns` columns, from `first` on, where there is
/// no data yet.
pub(super) fn overlay(
    out: &mut [f32],
    columns: usize,
    heights: &[f32],
    width: usize,
    first: [usize; 2],
) {
    for (j, row) in heights.chunks_exact(width).enumerate() {
        let start = (first[1] + j) * columns + first[0];
        for (to, from) in out[start..start + width].iter_mut().zip(row) {
            if to.is_nan() {
                *to = *from;
            }
        }
    }
}
