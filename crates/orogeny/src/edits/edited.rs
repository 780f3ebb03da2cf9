//! A field with edits.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::derivative::bounds::{Bounds, half_diagonal};
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::edits::index::{Edits, Placed};
use crate::edits::operations::Apply;
use crate::edits::region::Region;
use crate::field::Field;
use crate::samples::grid::Grid;
use crate::samples::{Buffer, Jets, Samples};

/// A field with edits. Where no edit touches it, it has the bits of the field, and costs one look
/// into the index of the edits: one for a grid, one for each scattered point.
///
/// Gradients and Hessians are exact if those of the field are. Holes have no value.
#[derive(Clone, Debug)]
pub struct Edited<F> {
    base: F,
    edits: Edits,
}

impl<F> Edited<F> {
    /// `base` with these edits.
    pub fn new(base: F, edits: Edits) -> Self {
        Self { base, edits }
    }

    /// The field without its edits.
    pub fn base(&self) -> &F {
        &self.base
    }

    /// The edits.
    pub fn edits(&self) -> &Edits {
        &self.edits
    }

    /// The edits that touch a grid.
    fn edits_on(&self, grid: &Grid<2>) -> Vec<&Placed> {
        region_of(grid).map_or_else(Vec::new, |region| self.edits.within(&region))
    }
}

/// The smallest region that contains all points of a grid; `None` for an empty one.
fn region_of(grid: &Grid<2>) -> Option<Region> {
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
fn visit(grid: &Grid<2>, region: &Region, mut visit: impl FnMut(usize, [f64; 2])) {
    let columns = indices_in(grid, 0, region);
    for row in indices_in(grid, 1, region) {
        let z = grid.coordinate(1, row);
        for column in columns.clone() {
            visit(row * grid.size[0] + column, [grid.coordinate(0, column), z]);
        }
    }
}

impl<F: Field<2>> Field<2> for Edited<F> {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        self.edits.apply(self.base.sample(p), p)
    }

    fn value(&self, p: [f64; 2]) -> f32 {
        self.edits.apply(self.base.value(p), p)
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        self.base.sample_grid(grid, out);
        for edit in self.edits_on(grid) {
            if out.has_gradients() {
                visit(grid, &edit.region, |i, p| out.set(i, edit.apply(out.get(i), p)));
            } else {
                visit(grid, &edit.region, |i, p| out.value[i] = edit.apply(out.value[i], p));
            }
        }
    }

    fn sample_points(&self, points: &[[f64; 2]], out: &mut Samples<2>) {
        self.base.sample_points(points, out);
        if self.edits.is_empty() {
            return;
        }
        for (i, &p) in points.iter().enumerate() {
            if out.has_gradients() {
                out.set(i, self.edits.apply(out.get(i), p));
            } else {
                out.value[i] = self.edits.apply(out.value[i], p);
            }
        }
    }

    fn jet(&self, p: [f64; 2]) -> Jet<2> {
        self.edits.apply(self.base.jet(p), p)
    }

    fn jet_grid(&self, grid: &Grid<2>, out: &mut Jets<2>) {
        self.base.jet_grid(grid, out);
        for edit in self.edits_on(grid) {
            visit(grid, &edit.region, |i, p| out.set(i, edit.apply(out.get(i), p)));
        }
    }

    fn jet_points(&self, points: &[[f64; 2]], out: &mut Jets<2>) {
        self.base.jet_points(points, out);
        if self.edits.is_empty() {
            return;
        }
        for (i, &p) in points.iter().enumerate() {
            out.set(i, self.edits.apply(out.get(i), p));
        }
    }

    /// The bounds of the field, widened by the most that edits at any one place can do. They know
    /// nothing of where edits overlap, and which comes first: use
    /// [`local_bounds`](Self::local_bounds) near edits.
    fn bounds(&self) -> Bounds {
        self.edits.reach().bounds(self.base.bounds())
    }

    fn has_loose_bounds(&self) -> bool {
        self.base.has_loose_bounds()
    }

    /// The bounds of the field in the ball, changed by each edit that touches it. Holes do not
    /// count.
    fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
        let base = self.base.local_bounds(p, radius);
        let ball = Region::around(p, [radius; 2]);
        if ball.is_empty() || !self.edits.touch(&ball) {
            return base;
        }
        let touching = self.edits.within(&ball);
        touching.iter().fold(base, |ground, edit| edit.operation.bounds(ground, p, radius))
    }

    /// As for any field with these [`bounds`](Self::bounds), except that without edits it is that
    /// of the field.
    fn interpolation_error(&self, spacing: f64) -> f64 {
        if self.edits.is_empty() {
            return self.base.interpolation_error(spacing);
        }
        self.bounds().interpolation_error(half_diagonal::<2>(spacing))
    }

    /// The slopes of edits are not filtered.
    fn band_limited(&self, spacing: f64) -> Option<Arc<dyn Field<2> + Send + Sync>> {
        let base = self.base.band_limited(spacing)?;
        Some(Arc::new(Edited::new(base, self.edits.clone())))
    }
}
