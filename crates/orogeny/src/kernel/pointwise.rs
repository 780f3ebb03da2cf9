//! Noise that shares nothing between points: a vector of points at a time, wherever they are.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch};
use fearless_simd_macros::simd;

use crate::kernel::cellular::Cellular;
use crate::kernel::position::{Coordinates, OnGrid, Positions, Scattered};
use crate::kernel::simplex::Simplex;
use crate::kernel::terms::SampleLanes;
use crate::kernel::{Target, Where};
use crate::sample::Sample;
use crate::simd::Level;

/// A noise of points alone, with the place of its octave.
pub(crate) enum Pointwise {
    Simplex(Simplex),
    Cellular(Cellular),
}

/// Fills a grid, or scattered points. What is too far out for vectors, or outside the domain, is asked of `far`, by its index.
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
    match places {
        Where::Grid(grid) => {
            let [width, height] = grid.size;
            let columns = OnGrid { grid, axis: 0 };
            for row in 0..height {
                let z = [S::f64s::splat(simd, grid.coordinate(1, row)); 2];
                for column in (0..width).step_by(S::f32s::LEN) {
                    let start = row * width + column;
                    let count = S::f32s::LEN.min(width - column);
                    let x = columns.lanes(simd, column);
                    put(target, start, count, noise.at(simd, x, z), far);
                }
            }
        }
        Where::Points(points) => {
            let count = points.len() / 2;
            let [x, z] = [0, 1].map(|axis| Scattered { points, axis });
            for start in (0..count).step_by(S::f32s::LEN) {
                let sample = noise.at(simd, x.lanes(simd, start), z.lanes(simd, start));
                put(target, start, S::f32s::LEN.min(count - start), sample, far);
            }
        }
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

/// Writes the first `count` of a vector of samples.
#[inline(always)]
fn put<S: Simd>(
    target: &mut Target,
    start: usize,
    count: usize,
    sample: Option<SampleLanes<S>>,
    far: &dyn Fn(usize) -> Sample<2>,
) {
    let range = start..start + count;
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
