//! Value noise interpolated by a cubic through four lattice points along each axis.

use core::array;

use crate::derivative::jet::symmetric;
use crate::derivative::sample::Sample;
use crate::lattice::Points;
use crate::lattice::axis::wrap;
use crate::lattice::cell::split;
use crate::lattice::mapping::LatticeMapping;

/// The weights of v0 .. v3 in P t^3 + Q t^2 + R t + v1, P = (v3 - v2) - (v0 - v1), Q = (v0 - v1) -
/// P, R = v2 - v0, and their first and second derivatives.
#[inline]
pub(crate) fn weights(t: f32) -> [[f32; 4]; 3] {
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
    let parts: [_; N] = array::from_fn(|k| split(p[k], mapping.frequency, mapping.offset[k]));
    let lines: [_; N] = array::from_fn(|k| {
        let line = |i: i64| points.line(k, wrap(parts[k].0.wrapping_add(i - 1), period[k]));
        [0, 1, 2, 3].map(line)
    });
    let weights = parts.map(|(_, t)| weights(t as f32));
    for index in 0..4usize.pow(N as u32) {
        let digit: [usize; N] = array::from_fn(|k| (index >> (2 * k)) & 3);
        let value = points.corner(array::from_fn(|k| lines[k][digit[k]]), true).value;
        visit(Product { value, weights: &weights, digit });
    }
}

/// The noise and its gradient.
pub(crate) fn sample<const N: usize>(
    points: &impl Points<N>,
    mapping: &LatticeMapping<N>,
    period: [u32; N],
    p: [f64; N],
) -> Sample<N> {
    let mut sum = Sample::default();
    each_point(points, mapping, period, p, |product| {
        let along = |k| array::from_fn(|j| usize::from(j == k));
        let (value, gradient) =
            (product.derived([0; N]), array::from_fn(|k| product.derived(along(k))));
        sum = sum + Sample { value, gradient };
    });
    Sample { gradient: sum.gradient.map(|slope| slope * mapping.frequency as f32), ..sum }
}

/// The Hessian of the noise. Its diagonal jumps at cell borders, where it is that of the upper
/// cell.
pub(crate) fn hessian<const N: usize>(
    points: &impl Points<N>,
    mapping: &LatticeMapping<N>,
    period: [u32; N],
    p: [f64; N],
) -> [[f32; N]; N] {
    let mut sum = [[0.0; N]; N];
    each_point(points, mapping, period, p, |product| {
        let along = |a, b| array::from_fn(|j| usize::from(j == a) + usize::from(j == b));
        sum = symmetric(|a, b| sum[a][b] + product.derived(along(a, b)));
    });
    let frequency = mapping.frequency as f32;
    sum.map(|row| row.map(|bend| bend * (frequency * frequency)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_cubic() {
        for i in 0..=1000 {
            let t = f64::from(i) / 1000.0;
            let [found, slopes, bends] = weights(t as f32);
            for k in 0..4 {
                let [v0, v1, v2, v3] = array::from_fn(|j| if j == k { 1.0 } else { 0.0 });
                let p = (v3 - v2) - (v0 - v1);
                let q = (v0 - v1) - p;
                let r = v2 - v0;
                let value = ((p * t + q) * t + r) * t + v1;
                let slope = (3.0 * p * t + 2.0 * q) * t + r;
                assert!((f64::from(found[k]) - value).abs() < 4e-7, "weight {k} at {t}");
                assert!((f64::from(slopes[k]) - slope).abs() < 1e-6, "slope {k} at {t}");
                let bend = 6.0 * p * t + 2.0 * q;
                assert!((f64::from(bends[k]) - bend).abs() < 2e-6, "second derivative {k} at {t}");
            }
        }
    }
}
