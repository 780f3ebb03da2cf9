//! Positions in the plane, and their coordinates in SIMD lanes.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::MAX_LANES;

/// The positions at which a fill takes its samples.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlanePositions<'a> {
    Grid(PlaneGrid),
    /// x and z of every point, interleaved.
    Scattered(&'a [f64]),
}

/// A regular grid: index (i, j) is at `origin + spacing * (start + (i, j))`, and i runs
/// fastest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneGrid {
    pub origin: [f64; 2],
    pub spacing: [f64; 2],
    pub start: [usize; 2],
    pub size: [usize; 2],
}

/// The coordinates of a vector of points along one axis: the lower half of the lanes, then the
/// upper half.
pub(super) type CoordinateLanes<S> = [<S as Simd>::f64s; 2];

impl PlaneGrid {
    #[inline(always)]
    pub fn coordinate(&self, axis: usize, index: usize) -> f64 {
        self.origin[axis] + self.spacing[axis] * self.start[axis].saturating_add(index) as f64
    }

    /// The coordinates from index `from` on. Lanes beyond the last index continue the grid.
    #[inline(always)]
    pub(super) fn lanes<S: Simd>(&self, simd: S, axis: usize, from: usize) -> CoordinateLanes<S> {
        const COUNT: [f64; MAX_LANES] =
            [0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15.];
        let first = S::f64s::splat(simd, self.start[axis].saturating_add(from) as f64);
        let half = S::f64s::LEN;
        let low = first + S::f64s::from_slice(simd, &COUNT[..half]);
        let high = first + S::f64s::from_slice(simd, &COUNT[half..2 * half]);
        let origin = S::f64s::splat(simd, self.origin[axis]);
        let spacing = S::f64s::splat(simd, self.spacing[axis]);
        [origin + spacing * low, origin + spacing * high]
    }
}

impl PlanePositions<'_> {
    /// The number of coordinates along `axis`: of columns or rows of a grid, or of points.
    pub fn len(&self, axis: usize) -> usize {
        match self {
            PlanePositions::Grid(grid) => grid.size[axis],
            PlanePositions::Scattered(points) => points.len() / 2,
        }
    }

    /// One coordinate.
    #[inline(always)]
    pub fn coordinate(&self, axis: usize, index: usize) -> f64 {
        match self {
            PlanePositions::Grid(grid) => grid.coordinate(axis, index),
            PlanePositions::Scattered(points) => points[2 * index + axis],
        }
    }

    /// The coordinates from index `start` on. Lanes beyond the last index are unspecified.
    #[inline(always)]
    pub(super) fn lanes<S: Simd>(&self, simd: S, axis: usize, start: usize) -> CoordinateLanes<S> {
        match self {
            PlanePositions::Grid(grid) => grid.lanes(simd, axis, start),
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
    // Fewer points than a vector may remain.
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
