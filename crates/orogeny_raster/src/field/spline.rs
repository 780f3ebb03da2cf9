//! A spline over a rectangle, in memory.

use std::sync::Arc;

use orogeny::{Bounds, Grid, Jet, Sample, Samples};

use crate::field::coefficients::Coefficients;
use crate::field::frame::Frame;
use crate::field::grid_rows::fill_grid;
use crate::field::hull::{Hull, SmallHull};
use crate::field::padded;
use crate::field::pyramid::Pyramid;
use crate::raster::Raster;

/// The most cells whose bounds are computed one by one.
const CELLS: usize = 64;

/// A clone shares the coefficients.
#[derive(Clone)]
pub(crate) struct Spline {
    pub frame: Frame,
    parts: Arc<(Coefficients, Pyramid)>,
}

impl Spline {
    /// The spline through the samples of a raster.
    pub fn through(raster: &Raster) -> Self {
        let frame = Frame::new(raster.size(), raster.spacing(), raster.position());
        Self { frame, parts: Arc::new(padded::through(raster)) }
    }

    /// The spline of coefficients, which stays within their range.
    pub fn of(frame: Frame, coefficients: &[f32]) -> Self {
        let parts = padded::of(frame.size, frame.spacing, coefficients);
        Self { frame, parts: Arc::new(parts) }
    }

    pub fn has_ground(&self) -> bool {
        self.parts.0.has_ground()
    }

    /// Whether a sample has data.
    pub fn has_data(&self, column: usize, row: usize) -> bool {
        self.parts.0.has_data(column, row)
    }

    pub fn sample(&self, p: [f64; 2]) -> Sample<2> {
        self.frame.both(p).map_or(Sample::OUTSIDE, |[x, z]| self.parts.0.sample(&x, &z))
    }

    pub fn value(&self, p: [f64; 2]) -> f32 {
        self.frame.both(p).map_or(f32::NAN, |[x, z]| self.parts.0.value(&x, &z))
    }

    /// Exact: the second derivatives of the spline.
    pub fn jet(&self, p: [f64; 2]) -> Jet<2> {
        self.frame.both(p).map_or(Jet::OUTSIDE, |[x, z]| self.parts.0.jet(&x, &z))
    }

    pub fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        fill_grid(&self.frame, grid, out, |run, out| run.fill(&self.parts.0, [0, 0], out));
    }

    pub fn bounds(&self) -> Bounds {
        self.parts.1.all().bounds()
    }

    /// Bounds over the part of a ball that is within the rectangle: of the cells that the ball's
    /// square meets, or of blocks of cells where there are many. `radius` is not negative.
    pub fn bounds_near(&self, p: [f64; 2], radius: f64) -> Bounds {
        let [first, last] = self.frame.cells(p, radius);
        let (coefficients, pyramid) = &*self.parts;
        let cell = |i, j| coefficients.cell(i, j, self.frame.spacing);
        // Beside a hole the blocks are used, which know the ground that fills it.
        few_cells(first, last, cell).unwrap_or_else(|| pyramid.of(first, last)).bounds()
    }
}

/// The bounds of a few cells; `None` if they are too many, or one has no bounds.
pub(crate) fn few_cells(
    first: [usize; 2],
    last: [usize; 2],
    mut cell: impl FnMut(usize, usize) -> Option<Hull>,
) -> Option<SmallHull> {
    if (last[0] - first[0] + 1) * (last[1] - first[1] + 1) > CELLS {
        return None;
    }
    let mut all = Hull::EMPTY;
    for j in first[1]..=last[1] {
        for i in first[0]..=last[0] {
            all = all.or(cell(i, j)?);
        }
    }
    Some(all.small())
}
