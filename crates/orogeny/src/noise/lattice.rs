//! Gradient and value noise, evaluated at points and prepared for the SIMD kernel.

use alloc::sync::Arc;
use core::array;

use crate::derivative::sample::Sample;
use crate::kernel::LatticeOctave;
use crate::lattice::axis::{Axis, wrap};
use crate::lattice::fade::Fade;
use crate::lattice::interpolate::{hessian, interpolate};
use crate::lattice::mapping::LatticeMapping;
use crate::lattice::{
    AnyLattice, AnyPoints, Corner, Explicit, Hashed, Lattice, LatticeValues, Permuted, Points,
    Tables, with_points,
};
use crate::noise::{GradientNoise, four_point};

/// Gradient or value noise, prepared for evaluation.
#[derive(Clone, Debug)]
pub(crate) struct LatticeNoise<const N: usize> {
    lattice: AnyLattice<N>,
    fade: Fade,
    values: LatticeValues,
}

impl<const N: usize> LatticeNoise<N> {
    pub fn new(noise: &GradientNoise<N>, tables: &Tables<N>, seed: u64, period: [u32; N]) -> Self {
        let gradients = tables.gradients.clone();
        let points = match &noise.lattice {
            Lattice::Hash => AnyPoints::Hashed(Hashed::new(seed, gradients)),
            Lattice::Permutation(p) => AnyPoints::Permuted(Permuted::new(p, seed, &gradients)),
            Lattice::Grid(grid) => AnyPoints::Explicit(Explicit::new(grid, tables.corners.clone())),
        };
        let lattice = AnyLattice { points, period };
        Self { lattice, fade: noise.fade, values: noise.values }
    }

    /// `amplitude` times the noise at p, with its gradient.
    #[inline]
    pub fn sample(&self, mapping: &LatticeMapping<N>, amplitude: f32, p: [f64; N]) -> Sample<N> {
        with_points!(&self.lattice.points, points => {
            if self.values == LatticeValues::FourPoint {
                return four_point::sample(points, mapping, self.lattice.period, p) * amplitude;
            }
            // Not `from_fn`, which is not inlined.
            let mut axes = [Axis::default(); N];
            for (k, axis) in axes.iter_mut().enumerate() {
                *axis = self.axis(points, mapping, k, p[k]);
            }
            self.blend(points, amplitude, &axes.each_ref())
        })
    }

    /// The second derivatives of [`sample`](Self::sample), for a point inside the domain.
    pub fn hessian(
        &self,
        mapping: &LatticeMapping<N>,
        amplitude: f32,
        p: [f64; N],
    ) -> [[f32; N]; N] {
        with_points!(&self.lattice.points, points => {
            if self.values == LatticeValues::FourPoint {
                let period = self.lattice.period;
                let rows = four_point::hessian(points, mapping, period, p);
                return rows.map(|row| row.map(|h| h * amplitude));
            }
            let axes: [Axis; N] = array::from_fn(|k| self.axis(points, mapping, k, p[k]));
            let bends = axes.map(|axis| axis.dt * axis.dt * self.fade.bend(axis.t));
            let has_values = self.values != LatticeValues::Zero;
            hessian(&axes.each_ref(), bends, has_values, scaled(points, amplitude, has_values))
        })
    }

    /// An octave of amplitude 1 for the kernel, bit-identical to [`sample`](Self::sample). `None`
    /// in one dimension, and for cubic interpolation through four points.
    pub fn prepared(&self, mapping: &LatticeMapping<N>) -> Option<LatticeOctave> {
        if N == 1 || self.values == LatticeValues::FourPoint {
            return None;
        }
        let keys = match &self.lattice.points {
            AnyPoints::Hashed(points) if self.lattice.period == [0; N] => {
                Some(array::from_fn(|k| points.keys[k.min(N - 1)]))
            }
            _ => None,
        };
        Some(LatticeOctave {
            frequency: mapping.frequency,
            offset: array::from_fn(|k| mapping.offset.get(k).copied().unwrap_or(0.0)),
            fade: self.fade,
            lattice: Arc::new(self.lattice.clone()),
            keys,
            corners: self.lattice.rule(),
            has_values: self.values != LatticeValues::Zero,
            amplitude: 1.0,
            slope: 1.0,
            term: None,
            rotation: None,
        })
    }

    #[inline(always)]
    fn axis(
        &self,
        points: &impl Points<N>,
        mapping: &LatticeMapping<N>,
        k: usize,
        position: f64,
    ) -> Axis {
        Axis::new(position, mapping.frequency, mapping.offset[k], self.fade, |cell| {
            points.line(k, wrap(cell, self.lattice.period[k]))
        })
    }

    #[inline(always)]
    fn blend(&self, points: &impl Points<N>, amplitude: f32, axes: &[&Axis; N]) -> Sample<N> {
        // The amplitude is folded into the corners rather than the result: on a grid that is one
        // multiplication for each corner instead of each sample. There are two copies of the
        // kernel, so that gradient noise does not pay for values.
        match self.values {
            LatticeValues::Zero => interpolate(axes, false, scaled(points, amplitude, false)),
            _ => interpolate(axes, true, scaled(points, amplitude, true)),
        }
    }
}

/// The corners of a lattice, times the amplitude.
#[inline(always)]
fn scaled<const N: usize>(
    points: &impl Points<N>,
    amplitude: f32,
    has_values: bool,
) -> impl Fn([u32; N]) -> Corner<N> {
    move |lines| {
        let Corner { gradient, value } = points.corner(lines, has_values);
        Corner { gradient: gradient.map(|g| g * amplitude), value: value * amplitude }
    }
}
