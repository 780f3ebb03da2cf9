//! Value noise interpolated through four points along each axis.

use core::array;

use crate::axis::wrap;
use crate::lattice::Points;
use crate::place::Place;
use crate::sample::Sample;
use crate::split::split;

/// The weights of v0 .. v3 in P t^3 + Q t^2 + R t + v1, P = (v3 - v2) - (v0 - v1), Q = (v0 - v1) - P, R = v2 - v0, and their
/// derivatives: the cubic, its terms collected by value.
#[inline]
pub(crate) fn weights(t: f32) -> ([f32; 4], [f32; 4]) {
    let rest = 1.0 - t;
    let bump = t * rest;
    let weights = [-bump * rest, 1.0 - t * t * (2.0 - t), t * (1.0 + bump), -t * bump];
    let slopes = [
        -rest * (1.0 - 3.0 * t),
        -t * (4.0 - 3.0 * t),
        1.0 + t * (2.0 - 3.0 * t),
        -t * (2.0 - 3.0 * t),
    ];
    (weights, slopes)
}

/// The tensor product of the cubics: the sum over 4^N points of height times weights.
pub(crate) fn sample<const N: usize>(
    points: &impl Points<N>,
    place: &Place<N>,
    period: [u32; N],
    p: [f64; N],
) -> Sample<N> {
    let axes: [_; N] = array::from_fn(|k| {
        let (cell, t) = split(p[k], place.frequency, place.offset[k]);
        let line = |i: i64| points.line(k, wrap(cell.wrapping_add(i - 1), period[k]));
        ([0, 1, 2, 3].map(line), weights(t as f32))
    });
    let mut sum = Sample::default();
    for index in 0..4usize.pow(N as u32) {
        let digit: [usize; N] = array::from_fn(|k| (index >> (2 * k)) & 3);
        let height = points.corner(array::from_fn(|k| axes[k].0[digit[k]]), true).height;
        let product = |slope_along: Option<usize>| {
            (0..N).fold(height, |product, k| {
                let (_, (weights, slopes)) = &axes[k];
                product * if slope_along == Some(k) { slopes[digit[k]] } else { weights[digit[k]] }
            })
        };
        sum = sum + Sample { value: product(None), gradient: array::from_fn(|k| product(Some(k))) };
    }
    Sample { gradient: sum.gradient.map(|slope| slope * place.frequency as f32), ..sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_cubic() {
        for i in 0..=1000 {
            let t = f64::from(i) / 1000.0;
            let (found, slopes) = weights(t as f32);
            for k in 0..4 {
                let [v0, v1, v2, v3] = array::from_fn(|j| if j == k { 1.0 } else { 0.0 });
                let p = (v3 - v2) - (v0 - v1);
                let q = (v0 - v1) - p;
                let r = v2 - v0;
                let value = ((p * t + q) * t + r) * t + v1;
                let slope = (3.0 * p * t + 2.0 * q) * t + r;
                assert!((f64::from(found[k]) - value).abs() < 4e-7, "weight {k} at {t}");
                assert!((f64::from(slopes[k]) - slope).abs() < 1e-6, "slope {k} at {t}");
            }
        }
    }
}
