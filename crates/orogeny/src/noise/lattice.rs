//! Gradient and value noise, evaluated at points and prepared for the SIMD kernel. Four-point noise
//! is interpolated by a cubic along each axis, the others by the fade.

use alloc::sync::Arc;

use crate::arrays::{self, Each};
use crate::derivative::jet::symmetric;
use crate::derivative::sample::Sample;
use crate::kernel::LatticeOctave;
use crate::lattice::cell::{Axis, split, wrap};
use crate::lattice::fade::Fade;
use crate::lattice::interpolate::{hessian, interpolate};
use crate::lattice::{
    AnyLattice, AnyPoints, Corner, Explicit, Hashed, Lattice, LatticeMapping, LatticeValues,
    Permuted, Points, Tables, with_points,
};
use crate::noise::GradientNoise;

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
                return four_point_sample(points, mapping, self.lattice.period, p) * amplitude;
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
                let rows = four_point_hessian(points, mapping, period, p);
                return rows.each(|row| row.each(|h| h * amplitude));
            }
            let axes: [Axis; N] = arrays::from_fn(|k| self.axis(points, mapping, k, p[k]));
            let second = axes.each(|axis| axis.dt * axis.dt * self.fade.second(axis.t));
            let has_values = self.values != LatticeValues::Zero;
            hessian(&axes.each_ref(), second, has_values, scaled(points, amplitude, has_values))
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
                Some(arrays::from_fn(|k| points.keys[k.min(N - 1)]))
            }
            _ => None,
        };
        Some(LatticeOctave {
            frequency: mapping.frequency,
            offset: arrays::from_fn(|k| mapping.offset.get(k).copied().unwrap_or(0.0)),
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
        Corner { gradient: gradient.each(|g| g * amplitude), value: value * amplitude }
    }
}

/// The weights of v0 .. v3 in P t^3 + Q t^2 + R t + v1, P = (v3 - v2) - (v0 - v1), Q = (v0 - v1) -
/// P, R = v2 - v0, and their first and second derivatives.
#[inline]
fn weights(t: f32) -> [[f32; 4]; 3] {
    let rest = 1.0 - t;
    let bump = t * rest;
    [
        [-bump * rest, 1.0 - t * t * (2.0 - t), t * (1.0 + bump), -t * bump],
        [
            -rest * (1.0 - 3.0 * t),
            -t * (4.0 - 3.0 * t),
            1.0 + t * (2.0 - 3.0 * t),
            -t * (2.0 - 3.0 * t),
        ],
        [4.0 - 6.0 * t, 6.0 * t - 4.0, 2.0 - 6.0 * t, 6.0 * t - 2.0],
    ]
}

/// The term of a lattice point: its value times a weight along each axis.
struct Product<'a, const N: usize> {
    value: f32,
    /// The weights of the four points along each axis, with their derivatives.
    weights: &'a [[[f32; 4]; 3]; N],
    /// The index of the lattice point along each axis, 0 to 3.
    digit: [usize; N],
}

impl<const N: usize> Product<'_, N> {
    /// The term, differentiated the given number of times along each axis.
    #[inline]
    fn derived(&self, times: [usize; N]) -> f32 {
        let weights = self.weights.iter().zip(times).zip(self.digit);
        weights
            .fold(self.value, |product, ((weights, times), digit)| product * weights[times][digit])
    }
}

/// Visits the 4^N terms of the tensor product of cubics.
#[inline]
fn each_point<const N: usize>(
    points: &impl Points<N>,
    mapping: &LatticeMapping<N>,
    period: [u32; N],
    p: [f64; N],
    mut visit: impl FnMut(Product<N>),
) {
    let parts: [_; N] = arrays::from_fn(|k| split(p[k], mapping.frequency, mapping.offset[k]));
    let lines: [_; N] = arrays::from_fn(|k| {
        let line = |i: i64| points.line(k, wrap(parts[k].0.wrapping_add(i - 1), period[k]));
        [0, 1, 2, 3].each(line)
    });
    let weights = parts.each(|(_, t)| weights(t as f32));
    for index in 0..4usize.pow(N as u32) {
        let digit: [usize; N] = arrays::from_fn(|k| (index >> (2 * k)) & 3);
        let value = points.corner(arrays::from_fn(|k| lines[k][digit[k]]), true).value;
        visit(Product { value, weights: &weights, digit });
    }
}

/// Four-point noise and its gradient.
fn four_point_sample<const N: usize>(
    points: &impl Points<N>,
    mapping: &LatticeMapping<N>,
    period: [u32; N],
    p: [f64; N],
) -> Sample<N> {
    let mut sum = Sample::default();
    each_point(points, mapping, period, p, |product| {
        let along = |k| arrays::from_fn(|j| usize::from(j == k));
        let (value, gradient) =
            (product.derived([0; N]), arrays::from_fn(|k| product.derived(along(k))));
        sum = sum + Sample { value, gradient };
    });
    Sample { gradient: sum.gradient.each(|slope| slope * mapping.frequency as f32), ..sum }
}

/// The Hessian of four-point noise. Its diagonal jumps at cell borders, where it is that of the
/// upper cell.
fn four_point_hessian<const N: usize>(
    points: &impl Points<N>,
    mapping: &LatticeMapping<N>,
    period: [u32; N],
    p: [f64; N],
) -> [[f32; N]; N] {
    let mut sum = [[0.0; N]; N];
    each_point(points, mapping, period, p, |product| {
        let along = |a, b| arrays::from_fn(|j| usize::from(j == a) + usize::from(j == b));
        sum = symmetric(|a, b| sum[a][b] + product.derived(along(a, b)));
    });
    let frequency = mapping.frequency as f32;
    sum.each(|row| row.each(|h| h * (frequency * frequency)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_cubic() {
        for i in 0..=1000 {
            let t = f64::from(i) / 1000.0;
            let [found, slopes, second] = weights(t as f32);
            for k in 0..4 {
                let [v0, v1, v2, v3] = arrays::from_fn(|j| if j == k { 1.0 } else { 0.0 });
                let p = (v3 - v2) - (v0 - v1);
                let q = (v0 - v1) - p;
                let r = v2 - v0;
                let value = ((p * t + q) * t + r) * t + v1;
                let slope = (3.0 * p * t + 2.0 * q) * t + r;
                assert!((f64::from(found[k]) - value).abs() < 4e-7, "weight {k} at {t}");
                assert!((f64::from(slopes[k]) - slope).abs() < 1e-6, "slope {k} at {t}");
                let exact = 6.0 * p * t + 2.0 * q;
                assert!(
                    (f64::from(second[k]) - exact).abs() < 2e-6,
                    "second derivative {k} at {t}"
                );
            }
        }
    }
}
