//! Proofs of the constants for simplex and cellular noise, with the names used in `noise/bounds.rs`
//! and `noise/cellular/metric.rs`.

use core::array;

use super::interval::{Interval, interval, point, prove};
use super::random::{METRICS, OUTPUTS};
use crate::Cellular;
use crate::noise::bounds::SIMPLEX;
use crate::noise::{CellularOutput, Metric};

/// The sum of the kernels of simplex noise over the corners of the simplex, at the skewed position
/// y with y_0 >= y_1 >= ..
fn kernels<const N: usize>(y: &[Interval; N], derivative: usize) -> f64 {
    let unskew = (1.0 - 1.0 / (N as f64 + 1.0).sqrt()) / N as f64;
    let corner = |corner: usize| {
        let rest: [Interval; N] =
            array::from_fn(|k| y[k] - point(if k < corner { 1.0 } else { 0.0 }));
        // d_k = sum over j of (1 if j = k, minus G) rest_j. Each variable occurs once, so the
        // interval is exact.
        let d: [Interval; N] = array::from_fn(|k| {
            let term = |j: usize| rest[j] * (if j == k { 1.0 - unskew } else { -unskew });
            (0..N).map(term).fold(point(0.0), |a, b| a + b)
        });
        let q = d.iter().map(|d| d.square()).fold(point(0.0), |a, b| a + b);
        let q = interval(q.lo.min(0.5), q.hi.min(0.5));
        let r = point(0.5) - q;
        let (r3, r4) = (r * r * r, r * r * r * r);
        match derivative {
            0 => (r4 * q.sqrt()).hi,
            1 => r4.abs().max((r4 - r3 * q * 8.0).abs()).hi,
            _ => {
                // With c the cosine between e and x, and z = c^2,
                // |-16 r^3 d c e + (48 r^2 d^2 c^2 - 8 r^3) x|^2 is
                // 64 r^4 d^2 (z^2 (36 d^4 - 24 r d^2) + z (8 r^2 - 12 d^2 r) + r^2).
                let most = (0..32).map(|i| {
                    let z = interval(f64::from(i) / 32.0, f64::from(i + 1) / 32.0);
                    let square = q * q * 36.0 - r * q * 24.0;
                    (z.square() * square + z * (r * r * 8.0 - q * r * 12.0) + r * r).hi
                });
                8.0 * (r4 * q).sqrt().hi * most.fold(0.0, f64::max).sqrt()
            }
        }
    };
    (0..=N).map(corner).sum()
}

#[test]
fn bounds_of_simplex_noise() {
    fn check<const N: usize>() {
        for (i, bound) in SIMPLEX[N - 2].into_iter().enumerate() {
            let proof = prove([interval(0.0, 1.0); N], bound, &|y: &[Interval; N]| {
                // Other orders are reflections of the same simplex.
                let sorted = y.windows(2).all(|pair| pair[0].hi >= pair[1].lo);
                if sorted { kernels(y, i) } else { 0.0 }
            });
            println!("simplex {N}D, derivative {i} <= {bound}: {proof:?}");
            proof.unwrap();
        }
    }
    check::<2>();
    check::<3>();
}

/// The bounds on F1 and F2, and that cells out of reach are at least as far away. For t in the cell
/// of p, checks the farthest corners of that cell and of the one beyond the nearest border.
#[test]
fn bounds_of_cellular_noise() {
    fn length<const N: usize>(metric: Metric, x: [Interval; N]) -> Interval {
        let sum = |x: [Interval; N]| x.into_iter().fold(point(0.0), |a, b| a + b);
        match metric {
            Metric::Euclidean => sum(x.map(Interval::square)).sqrt(),
            Metric::Manhattan => sum(x),
            Metric::Chebyshev => x.into_iter().fold(point(0.0), Interval::max),
        }
    }
    fn check<const N: usize>() {
        for metric in METRICS {
            // By reflections and the order of the axes, t_0 may be assumed to be nearest to a
            // border, and that to be the lower one.
            let domain = [interval(0.0, 0.5); N];
            let proof = prove(domain, 1.0001, &|t: &[Interval; N]| {
                if t.iter().any(|other| other.hi < t[0].lo) {
                    return 0.0;
                }
                let own = t.map(|t| point(1.0) - t);
                let mut beyond = own;
                beyond[0] = point(1.0) + t[0];
                let first = length(metric, own).hi / metric.first(N);
                first.max(length(metric, beyond).hi.max(length(metric, own).hi) / metric.second(N))
            });
            println!("cellular {N}D {metric:?}: {proof:?}");
            proof.unwrap();
            for output in OUTPUTS {
                let noise = Cellular { output, metric, ramp: 0.5, ..Cellular::<N>::seeded(0) };
                let farthest = match output {
                    CellularOutput::CellValue => metric.first(N) + 0.5,
                    _ => metric.second(N),
                };
                assert!(noise.reach() as f64 >= farthest, "{noise:?}");
            }
        }
    }
    check::<1>();
    check::<2>();
    check::<3>();
    check::<4>();
}
