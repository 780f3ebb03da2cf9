//! The noises.

use core::array;

use crate::fractal::{Damped, Hybrid, PingPong, Ridged};
use crate::lattice::fade::tests::exact;
use crate::lattice::hash::{Key, corner, derive, mix, premix};
use crate::lattice::{Explicit, Gradients, Hashed, Lattice, LatticeValues, Permuted, Points};
use crate::noise::{CellularOutput, Metric, Noise};
use crate::tests::oracle::{differences, rotate};
use crate::{Cellular, Fractal, FractalKind, GradientNoise, Simplex};

pub(super) fn noise<const N: usize>(
    noise: &Noise<N>,
    seed: u64,
    period: [u32; N],
    x: [f64; N],
) -> f64 {
    match noise {
        Noise::Gradient(n) => gradient(n, seed, period, x),
        Noise::Simplex(_) => simplex(seed, x),
        Noise::Cellular(n) => cellular(n, seed, period, x),
    }
}

fn wrapped<const N: usize>(cell: [i64; N], period: [u32; N]) -> [i64; N] {
    array::from_fn(|k| if period[k] == 0 { cell[k] } else { cell[k].rem_euclid(period[k].into()) })
}

fn gradient<const N: usize>(n: &GradientNoise<N>, seed: u64, period: [u32; N], x: [f64; N]) -> f64 {
    let table = n.gradients.table();
    let points: Box<dyn Fn([i64; N]) -> ([f32; N], f32)> = {
        fn corner<const N: usize>(points: &impl Points<N>, cell: [i64; N]) -> ([f32; N], f32) {
            let corner = points.corner(array::from_fn(|k| points.line(k, cell[k])), true);
            (corner.gradient, corner.value)
        }
        match &n.lattice {
            Lattice::Hash => {
                let points = Hashed::new(seed, table);
                Box::new(move |cell| corner(&points, cell))
            }
            Lattice::Permutation(p) => {
                let points = Permuted::new(p, seed, &table);
                Box::new(move |cell| corner(&points, cell))
            }
            Lattice::Grid(grid) => {
                let points = Explicit::new(grid, grid.corners());
                Box::new(move |cell| corner(&points, cell))
            }
        }
    };
    let base = x.map(f64::floor);
    let t: [f64; N] = array::from_fn(|k| x[k] - base[k]);
    let at = |step: [i64; N]| points(wrapped(array::from_fn(|k| base[k] as i64 + step[k]), period));
    if n.values == LatticeValues::FourPoint {
        return four_point(&|step| f64::from(at(step).1), t, N, [0; N]);
    }
    let (gradients, heights) = match n.values {
        LatticeValues::Zero => (1.0, 0.0),
        LatticeValues::Added => (1.0, 1.0),
        _ => (0.0, 1.0),
    };
    (0..1usize << N)
        .map(|bits| {
            let step: [i64; N] = array::from_fn(|k| ((bits >> k) & 1) as i64);
            let (g, h) = at(step);
            let ramp: f64 = (0..N).map(|k| f64::from(g[k]) * (t[k] - step[k] as f64)).sum();
            let weight: f64 = (0..N)
                .map(|k| {
                    let u = exact(n.fade, t[k])[0];
                    if step[k] == 1 { u } else { 1.0 - u }
                })
                .product();
            weight * (gradients * ramp + heights * f64::from(h))
        })
        .sum()
}

/// Interpolates along one axis after another, from the last one to the first.
fn four_point<const N: usize>(
    height: &dyn Fn([i64; N]) -> f64,
    t: [f64; N],
    axes: usize,
    step: [i64; N],
) -> f64 {
    let Some(axis) = axes.checked_sub(1) else { return height(step) };
    let [v0, v1, v2, v3] = [-1, 0, 1, 2].map(|i| {
        let mut step = step;
        step[axis] = i;
        four_point(height, t, axis, step)
    });
    let p = (v3 - v2) - (v0 - v1);
    let (q, r) = ((v0 - v1) - p, v2 - v0);
    ((p * t[axis] + q) * t[axis] + r) * t[axis] + v1
}

/// All nearby lattice points, not only those of the simplex: the kernels of the others must be
/// zero.
fn simplex<const N: usize>(seed: u64, x: [f64; N]) -> f64 {
    let root = (N as f64 + 1.0).sqrt();
    let (skew, unskew) = ((root - 1.0) / N as f64, (1.0 - 1.0 / root) / N as f64);
    let shift = skew * x.iter().sum::<f64>();
    let base = x.map(|x| (x + shift).floor() as i64);
    let table = Gradients::<N>::Even.table();
    let mut sum = 0.0;
    for index in 0..4usize.pow(N as u32) {
        let cell: [i64; N] = array::from_fn(|k| base[k] + ((index >> (2 * k)) & 3) as i64 - 1);
        let back = unskew * cell.iter().sum::<i64>() as f64;
        let d: [f64; N] = array::from_fn(|k| x[k] - (cell[k] as f64 - back));
        let r = 0.5 - d.iter().map(|d| d * d).sum::<f64>();
        let hash =
            corner::<N>(array::from_fn(|k| premix(cell[k], &Key::new(derive(seed, k as u64)))));
        let g = table[((u64::from(hash) * table.len() as u64) >> 32) as usize];
        sum += r.max(0.0).powi(4) * (0..N).map(|k| f64::from(g[k]) * d[k]).sum::<f64>();
    }
    sum * f64::from(Simplex::scale(N))
}

/// Every cell that can affect the result, and one more on each side.
fn cellular<const N: usize>(n: &Cellular<N>, seed: u64, period: [u32; N], x: [f64; N]) -> f64 {
    // One more than the noise itself searches.
    let reach = n.reach() as i64 + 1;
    let side = 2 * reach as usize + 1;
    let mut points: Vec<(f64, f64)> = (0..side.pow(N as u32))
        .map(|mut index| {
            let cell: [i64; N] = array::from_fn(|k| {
                let digit = (index % side) as i64 - reach;
                index /= side;
                x[k].floor() as i64 + digit
            });
            let known = wrapped(cell, period);
            let mut hash = corner::<N>(array::from_fn(|k| {
                premix(known[k], &Key::new(derive(seed, k as u64)))
            }));
            let along: [f64; N] = array::from_fn(|k| {
                hash = mix(hash.wrapping_add(0x9e37_79b9));
                let stray = f64::from(hash as i32) / 2f64.powi(32);
                (x[k] - (cell[k] as f64 + 0.5 + f64::from(n.jitter) * stray)).abs()
            });
            let distance = match n.metric {
                Metric::Euclidean => along.iter().map(|x| x * x).sum::<f64>().sqrt(),
                Metric::Manhattan => along.iter().sum(),
                Metric::Chebyshev => along.into_iter().fold(0.0, f64::max),
            };
            (distance, f64::from(mix(hash.wrapping_add(0x9e37_79b9)) as i32) / 2f64.powi(31))
        })
        .collect();
    // The nearest two come first.
    points.select_nth_unstable_by(1, |a, b| a.0.total_cmp(&b.0));
    let [first, second] = [points[0].0, points[1].0];
    match n.output {
        CellularOutput::F1 => first,
        CellularOutput::F2 => second,
        CellularOutput::F2MinusF1 => second - first,
        CellularOutput::CellValue => points
            .iter()
            .map(|(distance, value)| value + 2.0 * (distance - first) / f64::from(n.ramp))
            .fold(f64::INFINITY, f64::min),
    }
}

/// An octave of amplitude 1, at a position that is already rotated.
fn octave<const N: usize>(f: &Fractal<N>, i: u64, q: [f64; N]) -> f64 {
    let seed = f.noise.seed();
    let own = if f.reseed { derive(seed, i) } else { seed };
    let stream = N as u64 * if f.reseed { 1 } else { 1 + i };
    let frequency = f.frequency * f.lacunarity.powi(i as i32);
    let unit = |k: usize| (derive(own, stream + k as u64) >> 11) as f64 / 2f64.powi(53);
    let at = array::from_fn(|k| frequency * q[k] + if f.offset { unit(k) } else { 0.0 });
    let period = f.noise.period().map(|n| (f64::from(n) * f.lacunarity.powi(i as i32)) as u32);
    noise(&f.noise, own, period, at)
}

pub(super) fn fractal<const N: usize>(f: &Fractal<N>, p: [f64; N]) -> f64 {
    let (mut sum, mut weight) = (0.0, 1.0);
    let mut slope = [0.0; N];
    let mut q = p;
    for i in 0..f.octaves.ceil() as u64 {
        let n = octave(f, i, q);
        let fade = (f.octaves - i as f64).min(1.0);
        let a = f64::from(f.amplitude) * f64::from(f.gain).powi(i as i32) * fade;
        sum += a * match f.kind {
            FractalKind::Fbm => n,
            FractalKind::Turbulence => n.abs(),
            FractalKind::Billow => 2.0 * n.abs() - 1.0,
            FractalKind::Damped(Damped { strength }) => {
                let share = f64::from(f.gain).powi(i as i32) * fade / f.frequency;
                let rotated = |p: [f64; N]| {
                    (0..i).fold(p, |p, _| {
                        if f.rotation == 0.0 { p } else { rotate(f.rotation, [1.0; 3], p) }
                    })
                };
                // Differences of the eighth order, since difference quotients of this are taken.
                let step = 0.002 / (f.frequency * f.lacunarity.powi(i as i32));
                let own: [f64; N] = differences(|p| octave(f, i, rotated(p)), p, step);
                slope = array::from_fn(|k| slope[k] + share * own[k]);
                let squared: f64 = slope.iter().map(|s| s * s).sum();
                n / (1.0 + f64::from(strength) * squared)
            }
            FractalKind::PingPong(PingPong { strength }) => {
                let folded = ((n + 1.0) * f64::from(strength)).rem_euclid(2.0);
                2.0 * folded.min(2.0 - folded) - 1.0
            }
            FractalKind::Hybrid(Hybrid { offset, feedback }) => {
                let signal = weight * (n + f64::from(offset));
                let share = f64::from(f.gain).powi(i as i32) * fade;
                weight = (f64::from(feedback) * share * signal).min(1.0);
                signal
            }
            FractalKind::Ridged(Ridged { offset, feedback }) => {
                let signal = weight * (f64::from(offset) - n.abs()).powi(2);
                weight = (f64::from(feedback) * signal).min(1.0);
                signal
            }
        };
        if f.rotation != 0.0 {
            q = rotate(f.rotation, [1.0; 3], q);
        }
    }
    sum
}
