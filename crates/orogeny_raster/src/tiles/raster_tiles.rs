//! The ground of a raster that is larger than memory.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use orogeny::{Bounds, Field, Grid, Jet, Sample, Samples, SharedField};

use crate::error::RasterError;
use crate::field::Patch;
use crate::field::bounds::few_cells;
use crate::field::grid_rows::{Run, fill_grid};
use crate::field::spline::{Coefficients, Taps};
use crate::mosaic::open_mosaic;
use crate::read::window::Resources;
use crate::reading::Reading;
use crate::report::Report;
use crate::tiles::filled::SIDE;
use crate::tiles::overview::Overview;
use crate::tiles::scan::scan;
use crate::tiles::store::{Known, Recent, Store};
use crate::tiles::{TileBounds, Tiling};

/// The ground of a raster that is larger than memory: the same spline as
/// [`RasterField`](crate::RasterField), of which tiles of 256 x 256 cells are loaded on demand.
///
/// **Sampling may block** while a tile is read, a few milliseconds from a local disk. Sample it
/// where that is allowed: terrain streaming does so on compute tasks. Any number of threads may
/// sample at once. The least recently used tiles are evicted, so memory stays within
/// [`Tiling::budget`].
///
/// After a [`TileBounds::Scan`], bounds, slopes and the coarse raster for far points take another
/// 1/33 byte a sample, and the scan takes 1/43 byte a sample more while it runs. For 50,000 x
/// 50,000 samples that is 77 MB, and another 58 MB during the scan.
///
/// A tile depends on the file only, so the bits of a sample do not depend on what was sampled
/// before, in which order, or by how many threads. Each coefficient of the spline is that of the
/// whole raster in memory, or its neighbour in `f32`: values differ by at most 2e-7 of the largest
/// height nearby, usually not at all.
///
/// Where a tile cannot be read, because the file was cut or the disk fails, the field is NaN, a
/// hole. [`take_errors`](Self::take_errors) says why, and [`reload`](Self::reload) tries again.
///
/// ```no_run
/// use orogeny::Field;
/// use orogeny_raster::{RasterTiles, Reading, Tiling};
///
/// let tiling = Tiling { budget: 512 << 20, ..Tiling::default() };
/// let (ground, report) = RasterTiles::open("continent.tif", &Reading::default(), &tiling)?;
/// report.warnings.iter().for_each(|warning| eprintln!("{warning}"));
/// println!("{}", ground.value([1200.0, -340.0]));
/// # Ok::<(), orogeny_raster::RasterError>(())
/// ```
///
/// A clone shares the tiles.
#[derive(Clone)]
pub struct RasterTiles {
    store: Arc<Store>,
}

impl RasterTiles {
    /// Opens a file, and scans it if [`Tiling::bounds`] says so.
    ///
    /// TIFFs of strips or tiles of up to 2^24 samples each, raw files and SRTM tiles are read in
    /// tiles. Strips are slow, since all those that a tile meets are unpacked whole; they must fit
    /// into a quarter of the budget. Other formats are read whole by [`read`](crate::read()).
    ///
    /// After a scan, the report is that of [`read`](crate::read()). Without one it is that of the
    /// header, and has [`Warning::NotSurveyed`](crate::Warning).
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, of an unsupported kind or beyond the limits of
    /// rasters in tiles, if it does not say something that `reading` does not give either, or if a
    /// scan finds no data.
    pub fn open(
        path: impl AsRef<Path>,
        reading: &Reading,
        tiling: &Tiling,
    ) -> Result<(Self, Report), RasterError> {
        let progress = &mut |_| ControlFlow::Continue(());
        let (ground, mut reports) = Self::open_mosaic(&[path], reading, tiling, progress)?;
        Ok((ground, reports.swap_remove(0)))
    }

    /// Opens several files as one raster, such as tiles of a grid. They must have the same spacing
    /// and lie on one grid of samples, see [`Placement::Georeferenced`](crate::Placement). Where
    /// files overlap, the first one in the list with data is taken; between them there is no data.
    ///
    /// Up to 64 files stay open, and one more for each thread that reads. The least recently used
    /// ones are closed, and opened again by their paths when they are needed. If a file has another
    /// length by then, tiles that need it fail.
    ///
    /// `progress` is called during a scan with the part that is done, from 0 to 1. It stops the
    /// scan by [`ControlFlow::Break`].
    ///
    /// # Errors
    /// The errors of [`open`](Self::open), if the files do not fit together, or
    /// [`RasterError::Cancelled`].
    pub fn open_mosaic(
        paths: &[impl AsRef<Path>],
        reading: &Reading,
        tiling: &Tiling,
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<(Self, Vec<Report>), RasterError> {
        tiling.check()?;
        let [tiles, chunks, decoders] = tiling.parts();
        let resources = Resources::new(chunks, decoders);
        let (frame, files) = open_mosaic(paths, reading, resources)?;
        let bounds = match tiling.bounds {
            TileBounds::Given(bounds) => Known::Given(bounds),
            TileBounds::Scan => Known::Scanned(Box::new(scan(&files, &frame, progress)?)),
        };
        let reports = files.reports(matches!(bounds, Known::Scanned(_)), reading);
        Ok((Self { store: Arc::new(Store::new(frame, files, bounds, tiles)) }, reports))
    }

    /// The corners of its rectangle: the minimum and the maximum (x, z) in metres.
    pub fn corners(&self) -> [[f64; 2]; 2] {
        self.store.frame.corners
    }

    /// The number of samples: \[columns, rows\].
    pub fn size(&self) -> [usize; 2] {
        self.store.frame.size
    }

    /// The bytes that tiles and the reading of TIFFs take now: at most [`Tiling::budget`], unless a
    /// single decoder exceeds its part of it.
    pub fn memory(&self) -> usize {
        self.store.used()
    }

    /// What went wrong since the last call: the first 64 errors. Each names the file.
    pub fn take_errors(&self) -> Vec<RasterError> {
        self.store.take_errors()
    }

    /// Forgets all tiles, so that those that failed are read again.
    pub fn reload(&self) {
        self.store.forget();
    }

    /// Mean heights and slopes, and where there is data. Only a scan computes them.
    pub(crate) fn overview(&self) -> Result<&Overview, RasterError> {
        match &self.store.bounds {
            Known::Scanned(scanned) => Ok(&scanned.overview),
            Known::Given(_) => Err(RasterError::limit(
                "where the raster has data and how steep it is are unknown: open it with \
                 TileBounds::Scan",
            )),
        }
    }
}

impl fmt::Debug for RasterTiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RasterTiles").field("frame", &self.store.frame).finish_non_exhaustive()
    }
}

impl RasterTiles {
    /// Calls `at` with the coefficients around a position, and its taps among them.
    #[inline]
    fn at<T>(
        &self,
        recent: &mut Recent,
        p: [f64; 2],
        at: impl FnOnce(&Coefficients, &Taps, &Taps) -> T,
    ) -> Option<T> {
        let [x, z] = self.store.frame.both(p)?;
        let (block, first) = recent.tile([x.first, z.first], |tile| self.store.tile(tile))?;
        Some(at(block, &x.within(first[0]), &z.within(first[1])))
    }

    /// Fills the parts of a run that are in one tile each.
    fn fill(&self, recent: &mut Recent, run: &Run, out: &mut [Sample<2>]) {
        let mut start = 0;
        for columns in run.columns.chunk_by(|a, b| a.first / SIDE == b.first / SIDE) {
            let out = &mut out[start..start + columns.len()];
            start += columns.len();
            let cell = [columns[0].first, run.row.first];
            match recent.tile(cell, |tile| self.store.tile(tile)) {
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
        fill_grid(&self.store.frame, grid, out, |run, out| self.fill(&mut recent, &run, out));
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
        match &self.store.bounds {
            Known::Scanned(scanned) => scanned.pyramid.all().bounds(),
            Known::Given(bounds) => *bounds,
        }
    }

    /// Of the cells that the ball's square meets. Where there are more than 64, of blocks of 32 x
    /// 32 cells, or the bounds of the whole if they were given.
    fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
        self.local_bounds_of_patch(p, radius)
    }

    /// After a scan, for points 32 or more cells apart: the spline through means of 32 x 32
    /// samples, in memory.
    fn sparse(&self, spacing: f64) -> Option<SharedField<2>> {
        let Overview { frame, field, .. } = self.overview().ok()?;
        let field = field.clone().filter(|_| spacing >= frame.spacing[0].max(frame.spacing[1]))?;
        Some(Arc::new(field))
    }
}

impl Patch for RasterTiles {
    fn bounds_near(&self, p: [f64; 2], radius: f64) -> Bounds {
        let Store { frame, bounds, .. } = &*self.store;
        let [first, last] = frame.cells(p, radius);
        let mut recent = Recent::default();
        let few = few_cells(first, last, |i, j| {
            let (block, first) = recent.tile([i, j], |tile| self.store.tile(tile))?;
            block.cell(i - first[0], j - first[1], frame.spacing)
        });
        match (few, bounds) {
            (Some(few), _) => few.bounds(),
            (None, Known::Scanned(scanned)) => scanned.pyramid.of(first, last).bounds(),
            (None, Known::Given(bounds)) => *bounds,
        }
    }
}
