//! Which points of a grid edits touch.

use alloc::vec::Vec;
use core::ops::Range;

use crate::edits::placed::Placed;
use crate::edits::region::Region;
use crate::edits::wavelength::{Wavelength, Wavelengths};
use crate::samples::grid::Grid;

/// The smallest region that contains all points of a grid; `None` for an empty one.
pub(super) fn region_of(grid: &Grid<2>) -> Option<Region> {
    if grid.is_empty() {
        return None;
    }
    let ends = [0, 1].map(|k| [0, grid.size[k] - 1].map(|i| grid.coordinate(k, i)));
    Some(Region {
        min: ends.map(|[first, last]| first.min(last)),
        max: ends.map(|[first, last]| first.max(last)),
    })
}

/// The indices along an axis of all points of a grid that are in a region, and maybe of others.
fn indices_in(grid: &Grid<2>, axis: usize, region: &Region) -> Range<usize> {
    let (min, max) = (region.min[axis], region.max[axis]);
    let is_in = |&i: &usize| (min..=max).contains(&grid.coordinate(axis, i));
    // Coordinates ascend, descend, or are all the same.
    let first = (0..grid.size[axis]).find(is_in);
    let last = (0..grid.size[axis]).rfind(is_in);
    first.zip(last).map_or(0..0, |(first, last)| first..last + 1)
}

/// Calls `visit` with the index and the position of all points of a grid in a region, and maybe of
/// others.
pub(super) fn visit(grid: &Grid<2>, region: &Region, mut visit: impl FnMut(usize, [f64; 2])) {
    let columns = indices_in(grid, 0, region);
    for row in indices_in(grid, 1, region) {
        let z = grid.coordinate(1, row);
        for column in columns.clone() {
            visit(row * grid.size[0] + column, [grid.coordinate(0, column), z]);
        }
    }
}

/// The part of a grid for which edits need the smoothed base of a wavelength.
pub(super) struct Part {
    pub wavelength: Wavelength,
    pub grid: Grid<2>,
    /// The indices of its first point in the whole grid.
    first: [usize; 2],
    /// The number of columns of the whole grid.
    columns: usize,
}

impl Part {
    /// The parts that some edits need, one for each wavelength.
    pub fn of(grid: &Grid<2>, edits: &[&Placed]) -> Vec<Self> {
        let wavelengths = edits.iter().map(|edit| edit.wavelength().into());
        let part = |wavelength| {
            let users = edits.iter().filter(|edit| edit.wavelength() == Some(wavelength));
            let region = users.fold(Region::EMPTY, |all, edit| all.union(&edit.region));
            let ranges = [0, 1].map(|axis| indices_in(grid, axis, &region));
            let [first, size] = [ranges.clone().map(|r| r.start), ranges.map(|r| r.len())];
            Self { wavelength, grid: grid.part(first, size), first, columns: grid.size[0] }
        };
        wavelengths.fold(Wavelengths::NONE, Wavelengths::union).iter().map(part).collect()
    }

    /// The index in the part of a point of the whole grid.
    pub fn index(&self, whole: usize) -> usize {
        let [column, row] = [whole % self.columns, whole / self.columns];
        (row - self.first[1]) * self.grid.size[0] + (column - self.first[0])
    }
}
