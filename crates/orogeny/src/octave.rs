//! One octave of gradient noise, and sums of octaves at points and on grids.

use core::array;

use crate::axis::Axis;
use crate::grid::{Grid, Samples};
use crate::hash::derive;
use crate::interpolate::interpolate;
use crate::lattice::{LatticeGradients, UnitDirections};
use crate::sample::Sample;

/// One octave: gradient noise on a lattice of its own.
#[derive(Clone, Copy)]
pub(crate) struct Octave<const N: usize> {
    pub frequency: f64,
    pub amplitude: f32,
    /// The place of the origin within its cell, in [0, 1) along each axis.
    pub offset: [f64; N],
    pub keys: [u64; N],
}

impl<const N: usize> Octave<N> {
    /// The lattice of `seed` at its own scale: frequency and amplitude 1, a lattice point at the origin.
    pub fn new(seed: u64) -> Self {
        Self {
            frequency: 1.0,
            amplitude: 1.0,
            offset: [0.0; N],
            keys: array::from_fn(|k| derive(seed, k as u64)),
        }
    }

    #[inline]
    fn axis(&self, k: usize, position: f64) -> Axis {
        Axis::new(position, self.frequency, self.offset[k], self.keys[k])
    }

    #[inline(always)]
    fn sample_axes(&self, axes: &[&Axis; N]) -> Sample<N>
    where
        UnitDirections: LatticeGradients<N>,
    {
        // The amplitude is folded into the lattice gradients, not into the result: on a grid that is once a
        // corner instead of once a sample.
        interpolate(axes, |hash| UnitDirections::gradient(hash).map(|g| g * self.amplitude))
    }
}

/// The sum of octaves at one point. Outside the domain it is NaN.
#[inline]
pub(crate) fn sum_at<const N: usize>(
    octaves: impl Iterator<Item = Octave<N>>,
    p: [f64; N],
) -> Sample<N>
where
    UnitDirections: LatticeGradients<N>,
{
    // Not a sum that starts at zero: 0 + -0 would lose the sign that a grid keeps.
    octaves
        .map(|octave| {
            let axes: [Axis; N] = array::from_fn(|k| octave.axis(k, p[k]));
            octave.sample_axes(&array::from_fn(|k| &axes[k]))
        })
        .reduce(|sum, sample| sum + sample)
        .unwrap_or_default()
}

/// The sum of octaves on a grid: the bits of [`sum_at`], with the work of each axis done once per column and row.
pub(crate) fn fill<const N: usize>(
    octaves: impl Iterator<Item = Octave<N>>,
    grid: &Grid<N>,
    out: &mut Samples<N>,
) where
    UnitDirections: LatticeGradients<N>,
{
    out.reset(grid.len());
    if grid.is_empty() {
        return;
    }
    let mut axes = core::mem::take(&mut out.axes);
    let start: [usize; N] = array::from_fn(|k| grid.size[..k].iter().sum());
    let columns = grid.size[0];
    for (i, octave) in octaves.enumerate() {
        axes.clear();
        for k in 0..N {
            axes.extend((0..grid.size[k]).map(|i| octave.axis(k, grid.coordinate(k, i))));
        }
        for (row, index) in grid.rows().enumerate() {
            let mut point: [&Axis; N] = array::from_fn(|k| &axes[start[k] + index[k]]);
            for (column, (value, gradient)) in axes.iter().zip(out.row_mut(row, columns)) {
                point[0] = column;
                let sample = octave.sample_axes(&point);
                let sum = Sample { value: *value, gradient: *gradient };
                // As in `sum_at`, the first octave is written, not added to zero.
                let sum = if i == 0 { sample } else { sum + sample };
                (*value, *gradient) = (sum.value, sum.gradient);
            }
        }
    }
    out.axes = axes;
}
