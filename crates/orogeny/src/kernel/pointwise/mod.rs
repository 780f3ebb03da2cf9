//! Fills with simplex and cellular noise.
//!
//! A grid splits its coordinates once for each axis, and is worked through in strips one vector
//! wide. Scattered points share no work.

mod cellular;
mod simplex;

pub(super) use crate::kernel::cells::AxisCells;
pub(crate) use cellular::{CellularKernel, CellularMeasure};
pub(crate) use simplex::SimplexKernel;

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::derivative::elementary::Shaped;
use crate::derivative::sample::Sample;
use crate::kernel::cells::{CellSplitter, split};
use crate::kernel::positions::{CoordinateLanes, Visit, each_vector};
use crate::kernel::sample_lanes::{SampleLanes, store};
use crate::kernel::{KernelPositions, KernelTables, OutputSlices};
use crate::simd::dispatch;

/// One octave of simplex or cellular noise.
pub(crate) struct PointwiseNoise {
    pub frequency: f64,
    pub offset: [f64; 2],
    pub kind: PointwiseKind,
    pub amplitude: f32,
    /// The factor of the gradient: the fraction that a grid resolves.
    pub slope: f32,
}

pub(crate) enum PointwiseKind {
    Simplex(SimplexKernel),
    Cellular(CellularKernel),
}

/// Writes the noise to `out`. `far` samples a position by its index if a nearby cell is too far
/// from the origin for SIMD, or outside the domain.
pub(crate) fn fill(
    noise: &PointwiseNoise,
    positions: KernelPositions,
    tables: &mut KernelTables,
    out: &mut OutputSlices,
    far: &dyn Fn(usize) -> Sample<2>,
) {
    let axes = &mut tables.axes;
    dispatch!(tables.level, simd => fill_with(simd, noise, positions, axes, out, far));
}

fn fill_with<S: Simd>(
    simd: S,
    noise: &PointwiseNoise,
    positions: KernelPositions,
    [columns, rows]: &mut [AxisCells; 2],
    out: &mut OutputSlices,
    far: &dyn Fn(usize) -> Sample<2>,
) {
    if let KernelPositions::Grid([x, z]) = positions {
        let near = simd.vectorize(
            #[inline(always)]
            || {
                let [along_x, along_z] = noise.splitters(simd);
                columns.fill(simd, &along_x, x) && rows.fill(simd, &along_z, z)
            },
        );
        if near {
            for start in (0..columns.len()).step_by(S::f32s::LEN) {
                noise.fill_strip(simd, columns, start, rows, out);
            }
            return;
        }
    }
    simd.vectorize(
        #[inline(always)]
        || {
            let splitters = noise.splitters(simd);
            each_vector(simd, positions, &mut Fill { noise, splitters, out, far });
        },
    );
}

impl PointwiseNoise {
    #[inline(always)]
    fn splitters<S: Simd>(&self, simd: S) -> [CellSplitter<S>; 2] {
        let [x, z] = self.offset;
        [CellSplitter::new(simd, self.frequency, x), CellSplitter::new(simd, self.frequency, z)]
    }

    /// Fills a strip of a grid from the column `start` on.
    fn fill_strip<S: Simd>(
        &self,
        simd: S,
        columns: &AxisCells,
        start: usize,
        rows: &AxisCells,
        out: &mut OutputSlices,
    ) {
        let width = columns.len();
        let count = S::f32s::LEN.min(width - start);
        let range = |row| row * width + start..row * width + start + count;
        match &self.kind {
            PointwiseKind::Simplex(simplex) => simd.vectorize(
                #[inline(always)]
                || {
                    let x = columns.lanes(simd, start);
                    for row in 0..rows.len() {
                        let sample = simplex.of_cells(simd, &x, &rows.splat(simd, row));
                        self.put(out, &range(row), sample);
                    }
                },
            ),
            PointwiseKind::Cellular(cellular) => cellular.strip(
                simd,
                columns,
                start,
                rows,
                #[inline(always)]
                |row, sample| self.put(out, &range(row), sample),
            ),
        }
    }

    /// Writes a vector of samples, or its first lanes.
    #[inline(always)]
    fn put<S: Simd>(&self, out: &mut OutputSlices, range: &Range<usize>, sample: SampleLanes<S>) {
        let OutputSlices { value, slopes, .. } = out;
        let sample = sample.times(self.amplitude).weighted(self.slope);
        store::<S>(sample.value, value, range);
        if let Some([dx, dz, ..]) = slopes {
            store::<S>(sample.dx, dx, range);
            store::<S>(sample.dz, dz, range);
        }
    }
}

/// Visits the vectors of scattered points, or of a grid too far out.
struct Fill<'a, 'b, S: Simd> {
    noise: &'a PointwiseNoise,
    splitters: [CellSplitter<S>; 2],
    out: &'a mut OutputSlices<'b>,
    far: &'a dyn Fn(usize) -> Sample<2>,
}

impl<S: Simd> Visit<S> for Fill<'_, '_, S> {
    #[inline(always)]
    fn visit(
        &mut self,
        simd: S,
        x: CoordinateLanes<S>,
        z: CoordinateLanes<S>,
        range: Range<usize>,
    ) {
        let [along_x, along_z] = &self.splitters;
        let (Some(x), Some(z)) = (split(simd, along_x, x), split(simd, along_z, z)) else {
            return self.sample_far(range);
        };
        let sample = match &self.noise.kind {
            PointwiseKind::Simplex(simplex) => simplex.of_cells(simd, &x, &z),
            PointwiseKind::Cellular(cellular) => cellular.of_cells(simd, &x, &z),
        };
        self.noise.put(self.out, &range, sample);
    }
}

impl<S: Simd> Fill<'_, '_, S> {
    #[inline(never)]
    fn sample_far(&mut self, range: Range<usize>) {
        let OutputSlices { value, slopes, .. } = &mut *self.out;
        for i in range {
            let sample = (self.far)(i);
            value[i] = sample.value;
            if let Some([dx, dz, ..]) = slopes {
                [dx[i], dz[i]] = sample.gradient;
            }
        }
    }
}
