//! Noise that shares nothing between points: a vector of points at a time, wherever they are.

use core::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch};
use fearless_simd_macros::simd;

use crate::derivative::sample::Sample;
use crate::kernel::cellular::Cellular;
use crate::kernel::position::Positions;
use crate::kernel::simplex::Simplex;
use crate::kernel::terms::SampleLanes;
use crate::kernel::vectors::{Visit, each_vector};
use crate::kernel::{Target, Where};
use crate::simd::Level;

/// A noise of points alone, with the place of its octave.
pub(crate) enum Pointwise {
    Simplex(Simplex),
    Cellular(Cellular),
}

/// Fills a grid, or scattered points. What is too far out for vectors, or outside the domain, is
/// asked of `far`, by its index.
pub(crate) fn fill(
    noise: &Pointwise,
    places: Where,
    level: Level,
    target: &mut Target,
    far: &dyn Fn(usize) -> Sample<2>,
) {
    dispatch!(level, simd => fill_with(simd, noise, places, target, far));
}

#[simd]
fn fill_with<S: Simd>(
    simd: S,
    noise: &Pointwise,
    places: Where,
    target: &mut Target,
    far: &dyn Fn(usize) -> Sample<2>,
) {
    each_vector(simd, places, &mut Fill { noise, target, far });
}

struct Fill<'a, 'b> {
    noise: &'a Pointwise,
    target: &'a mut Target<'b>,
    far: &'a dyn Fn(usize) -> Sample<2>,
}

impl<S: Simd> Visit<S> for Fill<'_, '_> {
    #[inline(always)]
    fn visit(&mut self, simd: S, x: Positions<S>, z: Positions<S>, range: Range<usize>) {
        put(self.target, range, self.noise.at(simd, x, z), self.far);
    }
}

impl Pointwise {
    /// A vector of samples, unless one of the points is too far out.
    #[inline(always)]
    fn at<S: Simd>(&self, simd: S, x: Positions<S>, z: Positions<S>) -> Option<SampleLanes<S>> {
        match self {
            Pointwise::Simplex(simplex) => simplex.at(simd, x, z),
            Pointwise::Cellular(cellular) => cellular.at(simd, x, z),
        }
    }
}

/// Writes a vector of samples, or the first ones of it.
#[inline(always)]
fn put<S: Simd>(
    target: &mut Target,
    range: Range<usize>,
    sample: Option<SampleLanes<S>>,
    far: &dyn Fn(usize) -> Sample<2>,
) {
    let count = range.len();
    let Target { value, slopes, .. } = target;
    if let Some(sample) = sample {
        value[range.clone()].copy_from_slice(&sample.value.as_slice()[..count]);
        if let Some([dx, dz]) = slopes {
            dx[range.clone()].copy_from_slice(&sample.dx.as_slice()[..count]);
            dz[range].copy_from_slice(&sample.dz.as_slice()[..count]);
        }
    } else {
        for i in range {
            let sample = far(i);
            value[i] = sample.value;
            if let Some([dx, dz]) = slopes {
                [dx[i], dz[i]] = sample.gradient;
            }
        }
    }
}
