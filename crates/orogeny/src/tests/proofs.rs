//! Proofs of the constants for gradient, value, simplex and cellular noise, with the names used in
//! `noise/bounds.rs` and `noise/cellular.rs`.
//!
//! They are by interval arithmetic: a function is below a bound on a box if its interval is, or if
//! the function is below the bound on both halves of the box.

use core::array;
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::Cellular;
use crate::lattice::Fade;
use crate::lattice::fade::tests::{ALL, exact};
use crate::noise::bounds::{CURVATURE, SIMPLEX, SLOPE, VALUE_CURVATURE, row};
use crate::noise::{CellularOutput, Metric};
use crate::tests::random::{METRICS, OUTPUTS};

/// u, u' and u'' over an interval within 0 and 1.
fn fade(fade: Fade, t: Interval) -> [Interval; 3] {
    let third = 3f64.sqrt() / 6.0;
    // The extrema of the quintic's u''.
    let turns = [0.5 - third, 0.5 + third];
    [
        t.rising(|t| exact(fade, t)[0]),
        t.turning(&[0.5], |t| exact(fade, t)[1]),
        t.turning(&turns, |t| exact(fade, t)[2]),
    ]
}

/// Weight, its derivatives and the offset of side s along one axis.
fn side([u, du, ddu]: [Interval; 3], t: Interval, s: usize) -> [Interval; 4] {
    if s == 1 { [u, du, ddu, t - point(1.0)] } else { [point(1.0) - u, -du, -ddu, t] }
}

/// The terms of the sum over the corners, at t and along e, a unit vector.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sum {
    Slope,
    Curvature,
    ValueCurvature,
}

/// An upper bound of the sum on a box of t_0 .. t_(N-1) and e_1 .. e_(N-1), with e_0 = 1, the
/// largest component, which may be assumed to be the first; or any number above `bound`, if that
/// is. By the reflections t -> 1 - t, every t may be assumed below 1/2, and by exchanges of axes,
/// t_1 .. t_(N-1) in ascending order.
fn upper<const N: usize>(
    kind: Fade,
    sum: Sum,
    bound: f64,
    t: &[Interval; N],
    e: &[Interval; N],
) -> f64 {
    let fades = t.map(|t| fade(kind, t));
    let squared = e.iter().map(|e| e.square()).fold(point(0.0), |a, b| a + b);
    let homogeneous = if sum == Sum::Slope { squared.sqrt() } else { squared };
    let terms = (0..1usize << N).map(|bits| {
        let s: [[Interval; 4]; N] = array::from_fn(|k| side(fades[k], t[k], (bits >> k) & 1));
        // The product of all weights, with some of them replaced by derivatives.
        let product = |pick: &dyn Fn(usize) -> usize| {
            (0..N).map(|k| s[k][pick(k)]).fold(point(1.0), |a, b| a * b)
        };
        let along =
            (0..N).map(|j| e[j] * product(&|k| usize::from(k == j))).fold(point(0.0), |a, b| a + b);
        let second = || {
            let mut q = point(0.0);
            for i in 0..N {
                q = q + e[i].square() * product(&|k| if k == i { 2 } else { 0 });
                for j in 0..i {
                    q = q + e[i] * e[j] * product(&|k| usize::from(k == i || k == j)) * 2.0;
                }
            }
            q
        };
        let (along, across) = match sum {
            Sum::Slope => (product(&|_| 0), along),
            Sum::Curvature => (along * 2.0, second()),
            Sum::ValueCurvature => return second().abs(),
        };
        let squares = (0..N).map(|k| (along * e[k] + across * s[k][3]).square());
        squares.fold(point(0.0), |a, b| a + b).sqrt()
    });
    let mut total = point(0.0);
    for term in terms {
        total = total + term;
        // No term is below 0, so that it cannot come down again.
        if total.hi > bound * homogeneous.lo {
            return f64::INFINITY;
        }
    }
    total.hi / homogeneous.lo
}

fn check<const N: usize, const D: usize>(kind: Fade, sum: Sum, bound: f64) {
    let half = interval(0.0, 0.5);
    let whole = interval(-1.0, 1.0);
    let domain: [Interval; D] = array::from_fn(|k| if k < N { half } else { whole });
    let proof = prove(domain, bound, &|b: &[Interval; D]| {
        if (2..N).any(|k| b[k - 1].lo > b[k].hi) {
            return f64::NEG_INFINITY;
        }
        let e = array::from_fn(|k| if k == 0 { point(1.0) } else { b[N + k - 1] });
        upper::<N>(kind, sum, bound, &array::from_fn(|k| b[k]), &e)
    });
    println!("{N}D {kind:?} {sum:?} <= {bound}: {proof:?}");
    proof.unwrap();
}

fn check_all<const N: usize, const D: usize>() {
    for kind in ALL {
        let [slope, curvature, value] =
            [SLOPE, CURVATURE, VALUE_CURVATURE].map(|table| table[row(kind)][N - 1]);
        check::<N, D>(kind, Sum::Slope, slope);
        if kind != Fade::Linear {
            check::<N, D>(kind, Sum::Curvature, curvature);
            check::<N, D>(kind, Sum::ValueCurvature, value);
        }
    }
}

#[test]
fn bounds_in_one_and_two_dimensions() {
    check_all::<1, 1>();
    check_all::<2, 3>();
}

#[test]
fn bounds_in_three_dimensions() {
    check_all::<3, 5>();
}

/// r = u'^2 / u, with common factors cancelled.
fn r(kind: Fade, t: Interval) -> Interval {
    let rest = point(1.0) - t;
    match kind {
        Fade::Linear => panic!("u'^2 / u is not bounded"),
        Fade::Cosine => {
            let pi = core::f64::consts::PI;
            t.turning(&[], |t| (pi * (pi * t / 2.0).cos()).powi(2))
        }
        Fade::Cubic => rest.square() * 36.0 / (point(3.0) - t * 2.0),
        Fade::Quintic => {
            // u = t^3 (6 t^2 - 15 t + 10), whose second factor decreases from 10 to 1.
            let factor = t.turning(&[], |t| 6.0 * t * t - 15.0 * t + 10.0);
            t * rest.square().square() * 900.0 / factor
        }
    }
}

/// The mean of A^2, u' and the mean of A^2 X^2 along one axis.
fn means(kind: Fade, t: Interval) -> [Interval; 3] {
    let rest = point(1.0) - t;
    let (lower, upper) = (r(kind, t), r(kind, rest));
    [lower + upper, fade(kind, t)[1], lower * rest.square() + upper * t.square()]
}

const N: f64 = 4.0;

/// D(t), and D(t) + (N - 1) O(t, s).
fn rows(kind: Fade, t: Interval, s: Interval) -> [f64; 2] {
    let (a, b) = (fade(kind, t), fade(kind, s));
    let mut diagonal = point(0.0);
    let mut mixed = point(0.0);
    for i in 0..2 {
        let [w, dw, ddw, x] = side(a, t, i);
        let along = (dw * 2.0 + ddw * x).square();
        diagonal = diagonal + (along + ddw.square() * ((N - 1.0) / 4.0)).sqrt();
        for j in 0..2 {
            let [v, dv, _, y] = side(b, s, j);
            let both = dw * dv;
            let first = (w * dv + both * x).square() + (dw * v + both * y).square();
            mixed = mixed + (first + both.square() * ((N - 2.0) / 4.0)).sqrt();
        }
    }
    [diagonal.hi, (diagonal + mixed * (N - 1.0)).hi]
}

/// Four dimensions would need too many boxes; the estimates have fewer variables.
#[test]
fn bounds_in_four_dimensions() {
    fn sup<const D: usize>(bound: f64, f: impl Fn(&[Interval; D]) -> f64) {
        let domain = [interval(0.0, 1.0); D];
        prove(domain, bound, &f).unwrap_or_else(|at| panic!("{bound} at {at:?}"));
    }
    for kind in ALL {
        let [slope, curvature, value] =
            [SLOPE, CURVATURE, VALUE_CURVATURE].map(|table| table[row(kind)][3]);
        if kind == Fade::Linear {
            // B at t = 0 or 1, its maximum: sqrt(N) 2 sqrt(1 + (N - 1) / 4).
            assert!(slope >= N.sqrt() * 2.0 * (1.0 + (N - 1.0) / 4.0).sqrt());
            continue;
        }
        sup(slope * slope, |&[t]| {
            let [a, du, ax] = means(kind, t);
            (point(1.0) - du * 2.0 + ax + a * ((N - 1.0) / 4.0)).hi
        });
        let spread = (2.0 - 2.0 / N).sqrt();
        let [mean, second] = match kind {
            Fade::Quintic => [14.1, 11.55],
            Fade::Cubic => [12.05, 12.01],
            _ => [9.9, 9.9],
        };
        sup(mean, |&[t]| means(kind, t)[0].hi);
        sup(second, |&[t]| (fade(kind, t)[2].abs() * 2.0).hi);
        assert!(value >= second + spread * mean, "{}", second + spread * mean);
        if kind == Fade::Quintic {
            let [diagonal, mixed] = [11.6, 14.1];
            sup(diagonal, |&[t]| rows(kind, t, t)[0]);
            sup(mixed * mixed, |&[t, s]| {
                let ([a, da, ax], [b, db, bx]) = (means(kind, t), means(kind, s));
                let cross = (a * db + b * da) * 2.0;
                (a + b - cross + b * ax + a * bx + a * b * ((N - 2.0) / 4.0)).hi
            });
            assert!(curvature >= diagonal + spread * mixed, "{}", diagonal + spread * mixed);
        } else {
            sup(curvature, |&[t, s]| rows(kind, t, s)[1]);
        }
    }
}

/// Bounds with one variable each: the slope of value noise, the sums of the four-point weights, and
/// the mean of X^2 along an axis.
#[test]
fn bounds_of_one_variable() {
    let unit = [interval(0.0, 1.0)];
    let sup = |bound: f64, f: &dyn Fn(Interval) -> f64| {
        prove(unit, bound, &|&[t]: &[Interval; 1]| f(t))
            .unwrap_or_else(|at| panic!("{bound} at {at:?}"));
    };
    for (kind, slope) in
        [(Fade::Cosine, core::f64::consts::PI), (Fade::Cubic, 12f64.sqrt()), (Fade::Quintic, 3.75)]
    {
        // The bound is reached, so it needs a small margin for the intervals.
        sup(slope * slope * 1.0001, &|t| means(kind, t)[0].hi);
    }
    for kind in ALL {
        sup(0.2501, &|t| {
            let [u, ..] = fade(kind, t);
            let rest = point(1.0) - t;
            ((point(1.0) - u) * t.square() + u * rest.square()).hi
        });
    }
    let rest = |t| point(1.0) - t;
    let bump = |t: Interval| t * rest(t);
    sup(1.501, &|t| {
        let weights = [
            bump(t) * rest(t),
            point(1.0) - t.square() * (point(2.0) - t),
            t * (point(1.0) + bump(t)),
            t * bump(t),
        ];
        weights.into_iter().map(|w| w.abs().hi).sum()
    });
    sup(3.001, &|t| {
        let slope = |a: f64| point(a) - t * 3.0;
        let slopes = [
            rest(t) * slope(1.0),
            t * slope(4.0),
            rest(t) * (point(1.0) + t * 3.0),
            t * slope(2.0),
        ];
        slopes.into_iter().map(|w| w.abs().hi).sum()
    });
}

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

/// The numbers from `lo` to `hi`. The slack of the proofs is millions of times larger than rounding
/// errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub lo: f64,
    pub hi: f64,
}

pub fn interval(lo: f64, hi: f64) -> Interval {
    Interval { lo, hi }
}

pub fn point(x: f64) -> Interval {
    interval(x, x)
}

impl Interval {
    /// The range of an increasing function.
    pub fn rising(self, f: impl Fn(f64) -> f64) -> Self {
        interval(f(self.lo), f(self.hi))
    }

    /// The range of a function that is monotone except for extrema at `turns`.
    pub fn turning(self, turns: &[f64], f: impl Fn(f64) -> f64) -> Self {
        let inside = turns.iter().copied().filter(|t| (self.lo..=self.hi).contains(t));
        let values = inside.chain([self.lo, self.hi]).map(f);
        values.fold(interval(f64::INFINITY, f64::NEG_INFINITY), |range, x| {
            interval(range.lo.min(x), range.hi.max(x))
        })
    }

    pub fn square(self) -> Self {
        self.turning(&[0.0], |x| x * x)
    }

    pub fn abs(self) -> Self {
        self.turning(&[0.0], f64::abs)
    }

    pub fn sqrt(self) -> Self {
        self.rising(|x| x.max(0.0).sqrt())
    }

    pub fn max(self, other: Self) -> Self {
        interval(self.lo.max(other.lo), self.hi.max(other.hi))
    }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        interval(self.lo + other.lo, self.hi + other.hi)
    }
}

impl Neg for Interval {
    type Output = Self;
    fn neg(self) -> Self {
        interval(-self.hi, -self.lo)
    }
}

impl Sub for Interval {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let products =
            [self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi];
        interval(
            products.into_iter().fold(f64::INFINITY, f64::min),
            products.into_iter().fold(f64::NEG_INFINITY, f64::max),
        )
    }
}

impl Mul<f64> for Interval {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        self * point(factor)
    }
}

impl Div for Interval {
    type Output = Self;
    /// Divides by an interval above zero.
    fn div(self, other: Self) -> Self {
        assert!(other.lo > 0.0);
        self * interval(1.0 / other.hi, 1.0 / other.lo)
    }
}

/// Proves that `f` is at most `bound` on a box. Returns the number of boxes needed, or a box that
/// is too small to split and still above the bound.
pub fn prove<const D: usize>(
    domain: [Interval; D],
    bound: f64,
    f: &impl Fn(&[Interval; D]) -> f64,
) -> Result<u64, [Interval; D]> {
    let mut boxes = vec![domain];
    let mut count = 0;
    while let Some(domain) = boxes.pop() {
        count += 1;
        if f(&domain) <= bound {
            continue;
        }
        let width = |k: &usize| domain[*k].hi - domain[*k].lo;
        let k = (0..D).max_by(|a, b| width(a).total_cmp(&width(b))).expect("a dimension");
        if width(&k) < 1e-5 {
            return Err(domain);
        }
        let middle = (domain[k].lo + domain[k].hi) / 2.0;
        for half in [interval(domain[k].lo, middle), interval(middle, domain[k].hi)] {
            let mut part = domain;
            part[k] = half;
            boxes.push(part);
        }
    }
    Ok(count)
}
