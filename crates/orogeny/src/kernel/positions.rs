//! Positions in the plane, and their coordinates in SIMD lanes.

use alloc::vec::Vec;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::MAX_LANES;

/// Where a fill takes its samples.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlanePositions<'a> {
    /// A grid, by its columns' and its rows' coordinates. Columns run fastest.
    Grid([&'a Coordinates; 2]),
    /// x and z of every point, interleaved.
    Scattered(&'a [f64]),
}

/// The coordinates of a grid's points along one axis.
#[derive(Clone, Debug)]
pub(crate) struct Coordinates {
    /// The list, and copies of its last entry, so that a vector can start at any point.
    padded: Vec<f64>,
}

/// The coordinates of a vector of points along one axis: the lower half of the lanes, then the
/// upper half.
pub(super) type CoordinateLanes<S> = [<S as Simd>::f64s; 2];

impl Coordinates {
    pub const fn new() -> Self {
        Self { padded: Vec::new() }
    }

    /// Replaces the list.
    pub fn write(&mut self, list: impl Iterator<Item = f64>) {
        self.padded.clear();
        self.padded.extend(list);
        if let Some(&last) = self.padded.last() {
            self.padded.extend([last; MAX_LANES]);
        }
    }

    #[inline(always)]
    pub fn list(&self) -> &[f64] {
        &self.padded[..self.padded.len().saturating_sub(MAX_LANES)]
    }

    /// The coordinates from index `from` on.
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, from: usize) -> CoordinateLanes<S> {
        let half = S::f64s::LEN;
        let lanes = &self.padded[from..from + 2 * half];
        [S::f64s::from_slice(simd, &lanes[..half]), S::f64s::from_slice(simd, &lanes[half..])]
    }
}

impl PlanePositions<'_> {
    /// The number of coordinates along `axis`: of columns or rows of a grid, or of points.
    pub fn len(&self, axis: usize) -> usize {
        match self {
            PlanePositions::Grid(axes) => axes[axis].list().len(),
            PlanePositions::Scattered(points) => points.len() / 2,
        }
    }

    /// One coordinate.
    #[inline(always)]
    pub fn coordinate(&self, axis: usize, index: usize) -> f64 {
        match self {
            PlanePositions::Grid(axes) => axes[axis].list()[index],
            PlanePositions::Scattered(points) => points[2 * index + axis],
        }
    }

    /// The coordinates from index `start` on. Lanes beyond the last index are unspecified.
    #[inline(always)]
    pub(super) fn lanes<S: Simd>(&self, simd: S, axis: usize, start: usize) -> CoordinateLanes<S> {
        match self {
            PlanePositions::Grid(axes) => axes[axis].lanes(simd, start),
            PlanePositions::Scattered(points) => scattered_lanes(simd, points, axis, start),
        }
    }
}

#[inline(always)]
fn scattered_lanes<S: Simd>(
    simd: S,
    points: &[f64],
    axis: usize,
    start: usize,
) -> CoordinateLanes<S> {
    let half = S::f64s::LEN;
    let points = &points[2 * start..];
    // The last points may be fewer than a vector.
    let mut padded = [0.0; 2 * MAX_LANES];
    let points = if points.len() < 4 * half {
        padded[..points.len()].copy_from_slice(points);
        &padded[..4 * half]
    } else {
        &points[..4 * half]
    };
    let a = S::f64s::from_slice(simd, &points[..half]);
    let b = S::f64s::from_slice(simd, &points[half..2 * half]);
    let c = S::f64s::from_slice(simd, &points[2 * half..3 * half]);
    let d = S::f64s::from_slice(simd, &points[3 * half..]);
    if axis == 0 { [a.unzip_low(b), c.unzip_low(d)] } else { [a.unzip_high(b), c.unzip_high(d)] }
}
