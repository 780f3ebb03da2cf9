//! Rasters in tiles as fields.

use std::sync::Arc;

use orogeny::{Bounds, Field, Grid, Jet, Sample, Samples, SharedField};

use crate::field::coefficients::Coefficients;
use crate::field::grid_rows::{Run, fill_grid};
use crate::field::spline::few_cells;
use crate::field::taps::Taps;
use crate::tiles::RasterTiles;
use crate::tiles::filled::SIDE;
use crate::tiles::overview::Overview;
use crate::tiles::raster_tiles::{Known, Parts};
use crate::tiles::recent::Recent;

impl RasterTiles {
    /// Bounds over the part of a ball that is within the rectangle.
    pub(crate) fn bounds_of_ball(&self, p: [f64; 2], radius: f64) -> Bounds {
        let Parts { store, bounds } = &*self.parts;
        let frame = &store.frame;
        let [first, last] = frame.cells(p, radius);
        let mut recent = Recent::default();
        let few = few_cells(first, last, |i, j| {
            let (block, first) = recent.tile([i, j], |tile| store.tile(tile))?;
            block.cell(i - first[0], j - first[1], frame.spacing)
        });
        match (few, bounds) {
            (Some(few), _) => few.bounds(),
            (None, Known::Scanned(scanned)) => scanned.pyramid.of(first, last).bounds(),
            (None, Known::Given(bounds)) => *bounds,
        }
    }

    /// Calls `at` with the coefficients around a position, and its taps among them.
    #[inline]
    fn at<T>(
        &self,
        recent: &mut Recent,
        p: [f64; 2],
        at: impl FnOnce(&Coefficients, &Taps, &Taps) -> T,
    ) -> Option<T> {
        let [x, z] = self.parts.store.frame.both(p)?;
        let (block, first) = recent.tile([x.first, z.first], |tile| self.parts.store.tile(tile))?;
        Some(at(block, &x.within(first[0]), &z.within(first[1])))
    }

    /// Fills the parts of a run that are in one tile each.
    fn fill(&self, recent: &mut Recent, run: &Run, out: &mut [Sample<2>]) {
        let mut start = 0;
        for columns in run.columns.chunk_by(|a, b| a.first / SIDE == b.first / SIDE) {
            let out = &mut out[start..start + columns.len()];
            start += columns.len();
            let cell = [columns[0].first, run.row.first];
            match recent.tile(cell, |tile| self.parts.store.tile(tile)) {
                Some((block, first)) => Run { columns, ..*run }.fill(block, first, out),
                None => out.fill(Sample::OUTSIDE),
            }
        }
    }
}

impl Field<2> for RasterTiles {
    /// May block while a tile is read.
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        self.at(&mut Recent::default(), p, Coefficients::sample).unwrap_or(Sample::OUTSIDE)
    }

    fn value(&self, p: [f64; 2]) -> f32 {
        self.at(&mut Recent::default(), p, Coefficients::value).unwrap_or(f32::NAN)
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        let mut recent = Recent::default();
        fill_grid(&self.parts.store.frame, grid, out, |run, out| self.fill(&mut recent, &run, out));
    }

    fn sample_points(&self, points: &[[f64; 2]], out: &mut Samples<2>) {
        let mut recent = Recent::default();
        out.write(
            points
                .iter()
                .map(|&p| self.at(&mut recent, p, Coefficients::sample).unwrap_or(Sample::OUTSIDE)),
        );
    }

    /// Exact: the second derivatives of the spline.
    fn jet(&self, p: [f64; 2]) -> Jet<2> {
        self.at(&mut Recent::default(), p, Coefficients::jet).unwrap_or(Jet::OUTSIDE)
    }

    fn bounds(&self) -> Bounds {
        match &self.parts.bounds {
            Known::Scanned(scanned) => scanned.pyramid.all().bounds(),
            Known::Given(bounds) => *bounds,
        }
    }

    /// Of the cells that the ball's square meets. Where there are more than 64, of blocks of 32 x
    /// 32 cells, or the bounds of the whole if they were given.
    fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
        if radius.is_nan() || radius < 0.0 || self.value(p).is_nan() {
            return Bounds::UNKNOWN;
        }
        self.bounds_of_ball(p, radius)
    }

    /// After a scan, for points 32 or more cells apart: the spline through means of 32 x 32
    /// samples, in memory.
    fn sparse(&self, spacing: f64) -> Option<SharedField<2>> {
        let Overview { frame, field, .. } = self.overview().ok()?;
        let field = field.clone().filter(|_| spacing >= frame.spacing[0].max(frame.spacing[1]))?;
        Some(Arc::new(field))
    }
}
