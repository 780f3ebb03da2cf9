//! Which points of a grid edits touch.

use alloc::vec::Vec;
use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::arrays::{self, Each};
use crate::derivative::chain_rule::Differentiated;
use crate::edits::smoothed_bases::{Wavelength, Wavelengths};
use crate::edits::steps::Step;
use crate::real::Lanes;
use crate::region::Region;
use crate::samples::positions::Grid;

/// The smallest region that contains all points of a grid; `None` for an empty one.
pub(super) fn region_of(grid: &Grid<2>) -> Option<Region> {
    if grid.is_empty() {
        return None;
    }
    let ends = [0, 1].each(|k| [0, grid.size[k] - 1].each(|i| grid.coordinate(k, i)));
    Some(Region {
        min: ends.each(|[first, last]| first.min(last)),
        max: ends.each(|[first, last]| first.max(last)),
    })
}

/// The indices along an axis of all points of a grid that are in a region.
fn indices_in(grid: &Grid<2>, axis: usize, region: &Region) -> Range<usize> {
    let ends = [region.min[axis], region.max[axis]];
    indices_between(grid.size[axis], |i| grid.coordinate(axis, i), ends)
}

/// The indices of coordinates between two ends. Coordinates ascend, descend, or are all the same.
pub(super) fn indices_between(
    count: usize,
    coordinate: impl Fn(usize) -> f64,
    [min, max]: [f64; 2],
) -> Range<usize> {
    if count == 0 {
        return 0..0;
    }
    let ascends = coordinate(0) <= coordinate(count - 1);
    let (start, end) = if ascends {
        (until(count, |i| coordinate(i) < min), until(count, |i| coordinate(i) <= max))
    } else {
        (until(count, |i| coordinate(i) > max), until(count, |i| coordinate(i) >= min))
    };
    start..end.max(start)
}

/// The first index for which a condition does not hold any more.
#[inline]
fn until(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        (low, high) = if holds(middle) { (middle + 1, high) } else { (low, middle) };
    }
    low
}

/// The indices and positions of all points of a grid that are in a region.
pub(super) fn points_in(
    grid: &Grid<2>,
    region: &Region,
) -> impl Iterator<Item = (usize, [f64; 2])> {
    let [columns, rows] = [0, 1].map(|axis| indices_in(grid, axis, region));
    rows.flat_map(move |j| {
        let z = grid.coordinate(1, j);
        columns.clone().map(move |i| (j * grid.size[0] + i, [grid.coordinate(0, i), z]))
    })
}

/// The number of points of a span.
pub(super) const SPAN: usize = 16;

/// Up to [`SPAN`] neighbouring points of a row of a grid.
pub(super) struct Span {
    /// The index of the first one in the grid.
    pub first: usize,
    /// How many there are.
    pub len: usize,
    /// Their coordinates along x. Those beyond `len` are copies of the last one.
    x: [f64; SPAN],
    z: f64,
}

/// A row of a grid, between two columns.
pub(super) struct GridRow<'a> {
    grid: &'a Grid<2>,
    index: usize,
    columns: Range<usize>,
    z: f64,
}

impl<'a> GridRow<'a> {
    /// The rows with all points of a grid in a region.
    pub fn all(grid: &'a Grid<2>, region: &Region) -> impl Iterator<Item = Self> {
        let columns = indices_in(grid, 0, region);
        let rows = indices_in(grid, 1, region);
        rows.map(move |index| Self {
            grid,
            index,
            columns: columns.clone(),
            z: grid.coordinate(1, index),
        })
    }

    /// All points.
    pub fn spans(self) -> impl Iterator<Item = Span> {
        let Self { grid, index, columns, z } = self;
        let end = columns.end;
        columns.step_by(SPAN).map(move |column| {
            let len = SPAN.min(end - column);
            let at = |i: usize| grid.coordinate(0, column + i.min(len - 1));
            let x = arrays::from_fn(at);
            Span { first: index * grid.size[0] + column, len, x, z }
        })
    }
}

impl Span {
    /// The position of a point.
    #[inline]
    pub fn point(&self, i: usize) -> [f64; 2] {
        [self.x[i], self.z]
    }

    /// The smallest region with all points.
    #[inline]
    pub fn region(&self) -> Region {
        let [first, last] = [self.x[0], self.x[SPAN - 1]];
        Region { min: [first.min(last), self.z], max: [first.max(last), self.z] }
    }

    /// Changes the ground at the points that are in a region and have ground. `after` is given the
    /// index of a point, its ground and its position.
    #[inline]
    pub fn change<T: Differentiated<2>>(
        &self,
        region: &Region,
        ground: &mut [T],
        after: impl Fn(usize, T, [f64; 2]) -> T,
    ) {
        for (i, ground) in ground.iter_mut().enumerate() {
            let p = self.point(i);
            if region.contains(p) && !ground.value().is_nan() {
                *ground = after(i, *ground, p);
            }
        }
    }

    /// The positions from index `start` on.
    #[inline(always)]
    pub fn lanes<S: Simd>(&self, simd: S, start: usize) -> [Lanes<S>; 2] {
        let x = S::f64s::from_slice(simd, &self.x[start..start + S::f64s::LEN]);
        [Lanes(x), Lanes(S::f64s::splat(simd, self.z))]
    }
}

/// The part of a grid for which edits need the smoothed base of a wavelength.
pub(super) struct Subgrid {
    pub wavelength: Wavelength,
    pub grid: Grid<2>,
    /// The indices of its first point in the whole grid.
    first: [usize; 2],
    /// The number of columns of the whole grid.
    columns: usize,
}

impl Subgrid {
    /// Those that some edits need, one for each wavelength.
    pub fn of(grid: &Grid<2>, steps: &[Step]) -> Vec<Self> {
        let wavelengths = steps.iter().map(|step| step.first().wavelength().into());
        let subgrid = |wavelength| {
            let users = steps.iter().filter(|step| step.first().wavelength() == Some(wavelength));
            let region = users.fold(Region::EMPTY, |all, step| all.union(step.region()));
            let ranges = [0, 1].map(|axis| indices_in(grid, axis, &region));
            let [first, size] = [ranges.clone().map(|r| r.start), ranges.map(|r| r.len())];
            Self { wavelength, grid: grid.part(first, size), first, columns: grid.size[0] }
        };
        wavelengths.fold(Wavelengths::NONE, Wavelengths::union).iter().map(subgrid).collect()
    }

    /// The index in the subgrid of a point of the whole grid.
    pub fn index(&self, whole: usize) -> usize {
        let [column, row] = [whole % self.columns, whole / self.columns];
        (row - self.first[1]) * self.grid.size[0] + (column - self.first[0])
    }
}
