//! Fills with simplex and cellular noise, one vector of points at a time: points share no work.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::derivative::sample::Sample;
use crate::kernel::cellular::CellularKernel;
use crate::kernel::positions::CoordinateLanes;
use crate::kernel::sample_lanes::SampleLanes;
use crate::kernel::simplex::SimplexKernel;
use crate::kernel::traversal::{Visit, each_vector};
use crate::kernel::{KernelPositions, OutputSlices};
use crate::simd::{Level, dispatch};

/// One octave of a noise whose points share no work.
pub(crate) enum PointwiseNoise {
    Simplex(SimplexKernel),
    Cellular(CellularKernel),
}

/// Writes the noise to `out`. `far` samples a position by its index if a nearby cell is too far
/// from the origin for SIMD, or outside the domain.
pub(crate) fn fill(
    noise: &PointwiseNoise,
    positions: KernelPositions,
    level: Level,
    out: &mut OutputSlices,
    far: &dyn Fn(usize) -> Sample<2>,
) {
    dispatch!(level, simd => fill_with(simd, noise, positions, out, far));
}

fn fill_with<S: Simd>(
    simd: S,
    noise: &PointwiseNoise,
    positions: KernelPositions,
    out: &mut OutputSlices,
    far: &dyn Fn(usize) -> Sample<2>,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            each_vector(simd, positions, &mut Fill { noise, out, far });
        },
    );
}

struct Fill<'a, 'b> {
    noise: &'a PointwiseNoise,
    out: &'a mut OutputSlices<'b>,
    far: &'a dyn Fn(usize) -> Sample<2>,
}

impl<S: Simd> Visit<S> for Fill<'_, '_> {
    #[inline(always)]
    fn visit(
        &mut self,
        simd: S,
        x: CoordinateLanes<S>,
        z: CoordinateLanes<S>,
        range: Range<usize>,
    ) {
        put(self.out, range, self.noise.at(simd, x, z), self.far);
    }
}

impl PointwiseNoise {
    /// A vector of samples. `None` if a point is too far from the origin.
    #[inline(always)]
    fn at<S: Simd>(
        &self,
        simd: S,
        x: CoordinateLanes<S>,
        z: CoordinateLanes<S>,
    ) -> Option<SampleLanes<S>> {
        match self {
            PointwiseNoise::Simplex(simplex) => simplex.at(simd, x, z),
            PointwiseNoise::Cellular(cellular) => cellular.at(simd, x, z),
        }
    }
}

/// Writes a vector of samples, or its first lanes.
#[inline(always)]
fn put<S: Simd>(
    out: &mut OutputSlices,
    range: Range<usize>,
    sample: Option<SampleLanes<S>>,
    far: &dyn Fn(usize) -> Sample<2>,
) {
    let count = range.len();
    let OutputSlices { value, slopes, .. } = out;
    if let Some(sample) = sample {
        value[range.clone()].copy_from_slice(&sample.value.as_slice()[..count]);
        if let Some([dx, dz, ..]) = slopes {
            dx[range.clone()].copy_from_slice(&sample.dx.as_slice()[..count]);
            dz[range].copy_from_slice(&sample.dz.as_slice()[..count]);
        }
    } else {
        for i in range {
            let sample = far(i);
            value[i] = sample.value;
            if let Some([dx, dz, ..]) = slopes {
                [dx[i], dz[i]] = sample.gradient;
            }
        }
    }
}
