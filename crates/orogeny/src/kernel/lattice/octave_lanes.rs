//! Octaves of a fractal at a single point: one octave in each lane.
//!
//! A single point leaves a CPU waiting for one operation after another. All octaves of a fractal
//! have the same operations, so a vector of octaves takes little longer than one.

use alloc::vec::Vec;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::MAX_LANES;
use crate::kernel::cells::{CellSplitter, LatticeCells};
use crate::kernel::corners::{CornerLanes, Directions, LaneCorners, premixed_by};
use crate::kernel::lattice::axis_table::fill_weights;
use crate::kernel::lattice::row::{AxisLanes, CellPolynomial, Ramps, RowCoefficients};
use crate::kernel::octave::LatticeOctave;
use crate::lattice::CornerRule;
use crate::lattice::fade::Fade;
use crate::simd::{Level, best, dispatch};

/// The fewest octaves that are faster in lanes than one after another.
const FEWEST: usize = 2;

/// The maximum number of octaves in lanes.
pub(crate) const MAX_OCTAVES: usize = MAX_LANES;

/// The value, the derivative along x and that along z of every octave.
type OctaveSamples = [[f32; MAX_OCTAVES]; 3];

/// Octaves of the default noise in the plane, prepared to be evaluated in lanes. The lanes beyond
/// the last octave are copies of it.
#[derive(Clone, Debug)]
pub(crate) struct OctaveLanes {
    /// Found when the field is built: finding it takes as long as an octave.
    pub level: Level,
    count: usize,
    fade: Fade,
    /// The directions of amplitude 1.
    directions: Directions,
    frequency: Vec<f64>,
    dt: Vec<f32>,
    amplitude: Vec<f32>,
    axes: [AxisParameters; 2],
}

/// What differs between the axes.
#[derive(Clone, Debug)]
struct AxisParameters {
    offset: Vec<f64>,
    /// The two words of each key.
    keys: [Vec<u32>; 2],
}

impl OctaveLanes {
    /// `None` if the octaves differ in more than numbers, are not of the default noise, or are too
    /// few or too many. Their slopes and terms are ignored.
    pub fn new(octaves: &[LatticeOctave]) -> Option<Self> {
        if !(FEWEST..=MAX_OCTAVES).contains(&octaves.len()) {
            return None;
        }
        let (first, last) = (octaves.first()?, octaves.last()?);
        let CornerRule::EvenDirections(pairs) = first.corners else { return None };
        let is_plain = |octave: &LatticeOctave| {
            octave.keys.is_some()
                && octave.rotation.is_none()
                && !octave.has_values
                && octave.fade == first.fade
                && matches!(octave.corners, CornerRule::EvenDirections(_))
        };
        if !octaves.iter().all(is_plain) {
            return None;
        }
        let padded = || octaves.iter().chain(core::iter::repeat(last)).take(MAX_OCTAVES);
        let axis = |k: usize| AxisParameters {
            offset: padded().map(|octave| octave.offset[k]).collect(),
            keys: [0, 1].map(|word| {
                padded().filter_map(|octave| Some(octave.keys.as_ref()?[k].near[word])).collect()
            }),
        };
        Some(Self {
            level: best(),
            count: octaves.len(),
            fade: first.fade,
            directions: Directions::new(pairs, 1.0),
            frequency: padded().map(|octave| octave.frequency).collect(),
            dt: padded().map(|octave| octave.frequency as f32).collect(),
            amplitude: padded().map(|octave| octave.amplitude).collect(),
            axes: [axis(0), axis(1)],
        })
    }

    /// The octaves at a point, each times its amplitude. Gradients are not filtered, and only
    /// written if they are asked for. Bit-identical to evaluating octaves one by one. Returns
    /// false, with nothing usable written, if a cell is farther out than 2^31 or the point is
    /// outside the domain.
    pub fn sample(&self, p: [f64; 2], has_gradient: bool, out: &mut OctaveSamples) -> bool {
        dispatch!(self.level, simd => self.sample_with(simd, p, has_gradient, out))
    }

    fn sample_with<S: Simd>(
        &self,
        simd: S,
        p: [f64; 2],
        has_gradient: bool,
        out: &mut OctaveSamples,
    ) -> bool {
        simd.vectorize(
            #[inline(always)]
            || {
                for start in (0..self.count).step_by(S::f32s::LEN) {
                    let x = self.axis(simd, 0, p[0], start);
                    let z = self.axis(simd, 1, p[1], start);
                    let (Some(x), Some(z)) = (x, z) else { return false };
                    let corners = &ScaledDirections {
                        directions: &self.directions,
                        amplitude: &self.amplitude[start..],
                    };
                    let (below, above) = (z.below, z.above);
                    let (x, offset) = (Ramps::new(x), z.offsets());
                    let lower = RowCoefficients::new::<_, 1>(simd, corners, &x, below);
                    let upper = RowCoefficients::new::<_, 1>(simd, corners, &x, above);
                    let cell = CellPolynomial::new(&lower, &upper);
                    let [value, dx, dz] = out;
                    let lanes = start..start + S::f32s::LEN;
                    cell.value(&offset).store_slice(&mut value[lanes.clone()]);
                    if has_gradient {
                        cell.dx(&offset).store_slice(&mut dx[lanes.clone()]);
                        cell.dz(&offset).store_slice(&mut dz[lanes]);
                    }
                }
                true
            },
        )
    }

    /// One coordinate in the octaves from `start` on; `None` if a cell is too far out.
    #[inline(always)]
    fn axis<S: Simd>(
        &self,
        simd: S,
        axis: usize,
        position: f64,
        start: usize,
    ) -> Option<AxisLanes<S>> {
        let AxisParameters { offset, keys } = &self.axes[axis];
        let (half, end) = (S::f64s::LEN, start + S::f32s::LEN);
        let position = S::f64s::splat(simd, position);
        let low = CellSplitter::<S>::of_lanes(
            S::f64s::from_slice(simd, &self.frequency[start..start + half]),
            S::f64s::from_slice(simd, &offset[start..start + half]),
        );
        let high = CellSplitter::<S>::of_lanes(
            S::f64s::from_slice(simd, &self.frequency[start + half..end]),
            S::f64s::from_slice(simd, &offset[start + half..end]),
        );
        let LatticeCells { cells, t, near } =
            LatticeCells::<S>::of_halves(&[low.split_half(position), high.split_half(position)]);
        if !near {
            return None;
        }
        let words = [
            S::u32s::from_slice(simd, &keys[0][start..end]),
            S::u32s::from_slice(simd, &keys[1][start..end]),
        ];
        let mut weights = [[0.0; MAX_LANES]; 3];
        let [w0, w1, slope] = &mut weights;
        // A frequency of 1 leaves the slope as it is.
        fill_weights(self.fade, 1.0, t.as_slice(), w0, w1, slope);
        let dt = S::f32s::from_slice(simd, &self.dt[start..end]);
        let lanes = S::f32s::LEN;
        Some(AxisLanes {
            below: premixed_by::<S>(cells, words),
            above: premixed_by::<S>(cells + 1, words),
            t,
            w0: S::f32s::from_slice(simd, &w0[..lanes]),
            w1: S::f32s::from_slice(simd, &w1[..lanes]),
            dw: dt * S::f32s::from_slice(simd, &slope[..lanes]),
            ddw: S::f32s::splat(simd, 0.0),
            dt,
        })
    }
}

/// The even directions, with an amplitude for each lane.
struct ScaledDirections<'a> {
    directions: &'a Directions,
    amplitude: &'a [f32],
}

impl LaneCorners for ScaledDirections<'_> {
    #[inline(always)]
    fn have_values(&self) -> bool {
        false
    }

    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, x: S::u32s, z: S::u32s) -> CornerLanes<S> {
        let CornerLanes { gx, gz, value } = self.directions.lanes::<S>(simd, x, z);
        let amplitude = S::f32s::from_slice(simd, &self.amplitude[..S::f32s::LEN]);
        CornerLanes { gx: gx * amplitude, gz: gz * amplitude, value }
    }
}
