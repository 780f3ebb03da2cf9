//! The field of a raster: a cubic B-spline through its samples.

mod coefficients;
mod fill;
mod hull;
mod prefilter;
mod pyramid;
mod taps;

use std::fmt;
use std::sync::Arc;

use orogeny::{Bounds, Field, Grid, Jet, Sample, Samples};

use crate::error::RasterError;
use crate::field::coefficients::Coefficients;
use crate::field::hull::Hull;
use crate::field::pyramid::Pyramid;
use crate::field::taps::Taps;
use crate::raster::Raster;

/// The columns of a grid whose weights [`Field::sample_grid`] computes once.
const COLUMNS: usize = 128;
/// The most cells whose bounds are computed one by one.
const CELLS: usize = 64;

/// The ground of a raster: the cubic B-spline through its samples, which is twice continuously
/// differentiable and hits each sample up to the rounding of `f32`. Between samples that differ
/// much it may overshoot them. At the border the samples are mirrored, so the slope across it is 0.
///
/// Its domain is the rectangle between the centres of the outer samples, without the cells (the
/// squares between four neighbouring samples) for which one of the 4 x 4 samples around is without
/// data. A position up to a millionth of a cell outside the rectangle counts as its border.
///
/// A clone shares the coefficients.
#[derive(Clone)]
pub struct RasterField {
    size: [usize; 2],
    spacing: [f64; 2],
    corners: [[f64; 2]; 2],
    parts: Arc<Parts>,
}

struct Parts {
    coefficients: Coefficients,
    pyramid: Pyramid,
}

impl RasterField {
    /// The field of a raster. A sample takes some 0.3 us (4 s for 3601 x 3601 samples) and
    /// 4 bytes, and 8 bytes more while it is built; 1 more if samples are without data.
    ///
    /// # Errors
    /// If the field would have no value anywhere, because every 4 x 4 samples have one without
    /// data.
    pub fn new(raster: &Raster) -> Result<Self, RasterError> {
        let (coefficients, pyramid) = Coefficients::of(raster);
        if !coefficients.has_ground() {
            return Err(RasterError::limit(
                "no cell has data in all 4 x 4 samples around it: no ground could be shown",
            ));
        }
        Ok(Self {
            size: raster.size(),
            spacing: raster.spacing(),
            corners: raster.corners(),
            parts: Arc::new(Parts { coefficients, pyramid }),
        })
    }

    /// The corners of its rectangle: the minimum and the maximum (x, z) in metres.
    pub fn corners(&self) -> [[f64; 2]; 2] {
        self.corners
    }

    #[inline(always)]
    fn index(&self, axis: usize, coordinate: f64) -> f64 {
        (coordinate - self.corners[0][axis]) / self.spacing[axis]
    }

    #[inline(always)]
    fn taps(&self, axis: usize, coordinate: f64) -> Taps {
        Taps::new(self.index(axis, coordinate), self.size[axis])
    }

    #[inline(always)]
    fn sample_at(&self, x: &Taps, z: &Taps) -> Sample<2> {
        if !(x.inside && z.inside) {
            return Sample::OUTSIDE;
        }
        let [value, dx, dz] = self.parts.coefficients.sample(x, z);
        if value.is_nan() {
            return Sample::OUTSIDE;
        }
        let gradient = [(dx / self.spacing[0]) as f32, (dz / self.spacing[1]) as f32];
        Sample { value: value as f32, gradient }
    }

    #[inline(always)]
    fn value_at(&self, x: &Taps, z: &Taps) -> f32 {
        let value =
            if x.inside && z.inside { self.parts.coefficients.value(x, z) } else { f64::NAN };
        if value.is_nan() { f32::NAN } else { value as f32 }
    }

    /// Calls `at` for each point of a grid with the taps of its coordinates, in order.
    fn grid<'a, T: 'a>(
        &'a self,
        grid: &'a Grid<2>,
        columns: &'a [Taps; COLUMNS],
        at: impl Fn(&Taps, &Taps) -> T + 'a,
    ) -> impl Iterator<Item = T> + 'a {
        let mut z = Taps::default();
        grid.indices().map(move |[i, j]| {
            if i == 0 {
                z = self.taps(1, grid.coordinate(1, j));
            }
            match columns.get(i) {
                Some(x) => at(x, &z),
                None => at(&self.taps(0, grid.coordinate(0, i)), &z),
            }
        })
    }
}

impl Field<2> for RasterField {
    fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
        self.sample_at(&self.taps(0, x), &self.taps(1, z))
    }

    fn value(&self, [x, z]: [f64; 2]) -> f32 {
        self.value_at(&self.taps(0, x), &self.taps(1, z))
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        let mut columns = [Taps::default(); COLUMNS];
        for (i, x) in columns.iter_mut().enumerate().take(grid.size[0]) {
            *x = self.taps(0, grid.coordinate(0, i));
        }
        if out.has_gradients() {
            out.write(self.grid(grid, &columns, |x, z| self.sample_at(x, z)));
        } else {
            let gradient = [f32::NAN; 2];
            let sample = |x: &_, z: &_| Sample { value: self.value_at(x, z), gradient };
            out.write(self.grid(grid, &columns, sample));
        }
    }

    /// Exact: the second derivatives of the spline.
    fn jet(&self, [x, z]: [f64; 2]) -> Jet<2> {
        let (x, z) = (self.taps(0, x), self.taps(1, z));
        let sample = self.sample_at(&x, &z);
        if sample.value.is_nan() {
            return Jet::OUTSIDE;
        }
        let [xx, xz, zz] = self.parts.coefficients.second(&x, &z);
        let [dx, dz] = self.spacing;
        let xz = (xz / (dx * dz)) as f32;
        let hessian = [[(xx / (dx * dx)) as f32, xz], [xz, (zz / (dz * dz)) as f32]];
        Jet { sample, hessian }
    }

    fn bounds(&self) -> Bounds {
        self.parts.pyramid.all().bounds()
    }

    /// Of the cells that the ball's square meets, or of blocks of cells where there are many.
    fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
        if radius.is_nan() || radius < 0.0 || self.value(p).is_nan() {
            return Bounds::UNKNOWN;
        }
        let cell = |axis: usize, x: f64| {
            self.index(axis, x).floor().clamp(0.0, (self.size[axis] - 2) as f64) as usize
        };
        let first = [cell(0, p[0] - radius), cell(1, p[1] - radius)];
        let last = [cell(0, p[0] + radius), cell(1, p[1] + radius)];
        let Parts { coefficients, pyramid } = &*self.parts;
        let few = (last[0] - first[0] + 1) * (last[1] - first[1] + 1) <= CELLS;
        let cells = || {
            let cell = |[i, j]: [usize; 2]| coefficients.cell(i, j, self.spacing);
            let mut all = (first[1]..=last[1])
                .flat_map(|j| (first[0]..=last[0]).map(move |i| [i, j]))
                .map(cell);
            all.try_fold(Hull::EMPTY, |all, cell| Some(all.or(cell?))).map(Hull::small)
        };
        // Beside a hole the blocks are used, which know the ground that fills it.
        let hull = few.then(cells).flatten().unwrap_or_else(|| pyramid.of(first, last));
        hull.bounds()
    }
}

impl fmt::Debug for RasterField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, spacing, corners, .. } = self;
        f.debug_struct("RasterField")
            .field("size", size)
            .field("spacing", spacing)
            .field("corners", corners)
            .finish_non_exhaustive()
    }
}
