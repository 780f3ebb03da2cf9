//! The field of a raster: a cubic B-spline.
//!
//! `interpolation.rs` computes its coefficients from samples, and `level_ground.rs` keeps seas and
//! lakes level. `spline.rs` evaluates it at points, `grid_rows.rs` on grids. `bounds.rs` has proven
//! bounds.

pub(crate) mod bounds;
pub(crate) mod grid_rows;
pub(crate) mod interpolation;
pub(crate) mod level_ground;
pub(crate) mod spline;

use std::fmt;
use std::sync::Arc;

use orogeny::{Bounds, Field, Grid, Jet, Sample, Samples};

use crate::bits::Bits;
use crate::error::RasterError;
use crate::field::bounds::{Pyramid, few_cells};
use crate::field::grid_rows::fill_grid;
use crate::field::level_ground::sea;
use crate::field::spline::{Coefficients, Frame};
use crate::raster::Raster;

/// Ground over a part of the plane.
pub(crate) trait Patch: Field<2> + Send + Sync {
    /// Proven bounds over the part of a ball that is in the domain. Unlike those of
    /// [`Field::local_bounds`], the middle of the ball may be outside. `radius` is not negative.
    fn bounds_near(&self, p: [f64; 2], radius: f64) -> Bounds;

    /// [`Field::local_bounds`] by those of a patch.
    fn local_bounds_of_patch(&self, p: [f64; 2], radius: f64) -> Bounds {
        if radius.is_nan() || radius < 0.0 || self.value(p).is_nan() {
            return Bounds::UNKNOWN;
        }
        self.bounds_near(p, radius)
    }
}

/// The ground of a raster: the cubic B-spline through its samples, which is twice continuously
/// differentiable and hits each sample up to the rounding of `f32`. Between samples that differ
/// much it may overshoot them. At the border the samples are mirrored, so the slope across it is 0.
///
/// A sea or lake stays at its level. Samples of exactly 0 are the sea: the ground of a cell (the
/// square between four neighbouring samples) of which the highest is 0 is nowhere above 0. Other
/// water is where at least 5 x 5 samples are equal, and up to 6 samples from there: the ground of a
/// cell is nowhere above its samples if they are equal and none of the 12 around is lower. Beside a
/// coast it is lower than them instead, by up to a quarter of the heights of the land within some
/// samples, and the land itself by up to a twentieth, or a tenth between narrow waters.
///
/// Its domain is the rectangle between the centres of the outer samples, without the cells (the
/// squares between four neighbouring samples) for which one of the 4 x 4 samples around is without
/// data. A position up to a millionth of a cell outside the rectangle counts as its border.
///
/// A clone shares the coefficients.
#[derive(Clone)]
pub struct RasterField {
    pub(crate) frame: Frame,
    parts: Arc<Parts>,
}

struct Parts {
    coefficients: Coefficients,
    pyramid: Pyramid,
    /// The corners of cells of the sea.
    sea: Bits,
}

impl RasterField {
    /// The field of a raster. A sample takes some 0.1 us (1.3 s for 3601 x 3601 samples) and 4.3
    /// bytes (an eighth more where there is a sea), and 9 bytes more while it is built.
    ///
    /// # Errors
    /// If the field would have no value anywhere, because every 4 x 4 samples have one without
    /// data.
    pub fn new(raster: &Raster) -> Result<Self, RasterError> {
        let frame = Frame::new(raster.size(), raster.spacing(), raster.position());
        let (coefficients, pyramid) = interpolation::through(raster);
        if !coefficients.has_ground() {
            return Err(RasterError::limit(
                "no cell has data in all 4 x 4 samples around it: no ground could be shown",
            ));
        }
        let sea = sea(raster.heights(), frame.size[0]);
        Ok(Self { frame, parts: Arc::new(Parts { coefficients, pyramid, sea }) })
    }

    /// The field of coefficients, which stays within their range.
    pub(crate) fn of(frame: Frame, coefficients: &[f32]) -> Self {
        let (coefficients, pyramid) = interpolation::of(frame.size, frame.spacing, coefficients);
        let parts = Parts { coefficients, pyramid, sea: Bits::default() };
        Self { frame, parts: Arc::new(parts) }
    }

    /// Whether a sample has data.
    pub(crate) fn has_data(&self, column: usize, row: usize) -> bool {
        self.parts.coefficients.has_data(column, row)
    }

    /// Whether a sample is at a corner of a cell of the sea.
    pub(crate) fn is_sea(&self, column: usize, row: usize) -> bool {
        self.parts.sea.has(row * self.frame.size[0] + column)
    }

    /// The corners of its rectangle: the minimum and the maximum (x, z) in metres.
    pub fn corners(&self) -> [[f64; 2]; 2] {
        self.frame.corners
    }
}

impl Field<2> for RasterField {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        let taps = self.frame.both(p);
        taps.map_or(Sample::OUTSIDE, |[x, z]| self.parts.coefficients.sample(&x, &z))
    }

    fn value(&self, p: [f64; 2]) -> f32 {
        self.frame.both(p).map_or(f32::NAN, |[x, z]| self.parts.coefficients.value(&x, &z))
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        let coefficients = &self.parts.coefficients;
        fill_grid(&self.frame, grid, out, |run, out| run.fill(coefficients, [0, 0], out));
    }

    /// Exact: the second derivatives of the spline.
    fn jet(&self, p: [f64; 2]) -> Jet<2> {
        self.frame.both(p).map_or(Jet::OUTSIDE, |[x, z]| self.parts.coefficients.jet(&x, &z))
    }

    fn bounds(&self) -> Bounds {
        self.parts.pyramid.all().bounds()
    }

    /// Of the cells that the ball's square meets, or of blocks of cells where there are many.
    fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
        self.local_bounds_of_patch(p, radius)
    }
}

impl Patch for RasterField {
    /// Of the cells that the ball's square meets, or of blocks of cells where there are many.
    fn bounds_near(&self, p: [f64; 2], radius: f64) -> Bounds {
        let [first, last] = self.frame.cells(p, radius);
        let Parts { coefficients, pyramid, .. } = &*self.parts;
        let cell = |i, j| coefficients.cell(i, j, self.frame.spacing);
        // Beside a hole the blocks are used, which know the ground that fills it.
        few_cells(first, last, cell).unwrap_or_else(|| pyramid.of(first, last)).bounds()
    }
}

impl fmt::Debug for RasterField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RasterField").field("frame", &self.frame).finish_non_exhaustive()
    }
}
