//! The values of every node, worked out again in `f64` from the formulas in the documentation,
//! without regard to speed.
//!
//! Only what defines a lattice is taken from the crate: its hashes, tables and seeds.

use core::array;

use crate::fractal::{Damped, Hybrid, PingPong, Ridged};
use crate::lattice::fade::tests::exact;
use crate::lattice::hash::{Key, corner, derive, mix, premix};
use crate::lattice::{Explicit, Gradients, Hashed, Lattice, LatticeValues, Permuted, Points};
use crate::node::{Clamp, Curve, Normalize, Rotate, Terraces};
use crate::noise::{CellularOutput, Metric, Noise};
use crate::{
    Cellular, Erosion, Field, Fractal, FractalKind, GradientNoise, Node, Shape, Simplex, Transform,
};

/// The value of a tree at a point.
pub fn value<const N: usize>(node: &Node<N>, p: [f64; N]) -> f64 {
    let all = |of: &[Node<N>]| of.iter().map(|node| value(node, p)).collect::<Vec<_>>();
    match node {
        Node::Constant(value) => f64::from(*value),
        Node::Noise(n) => noise(n, n.seed(), n.period(), p),
        Node::Fractal(f) => fractal(f, p),
        Node::Add(of) => all(of).iter().sum(),
        Node::Multiply(of) => all(of).iter().product(),
        Node::Min { of, smooth } => {
            all(of).into_iter().reduce(|a, b| smooth_min(a, b, f64::from(*smooth))).unwrap()
        }
        Node::Max { of, smooth } => {
            all(of).into_iter().reduce(|a, b| -smooth_min(-a, -b, f64::from(*smooth))).unwrap()
        }
        Node::Lerp { from, to, mask } => {
            let m = value(mask, p);
            (1.0 - m) * value(from, p) + m * value(to, p)
        }
        Node::Shape { field, by } => {
            let mut so_far = Node::Shape { field: field.clone(), by: Vec::new() };
            let mut x = value(field, p);
            for s in by {
                x = shape(s, x, &so_far);
                so_far = so_far.shape(s.clone());
            }
            x
        }
        Node::Domain { field, by } => value(field, by.iter().fold(p, |p, t| transform(t, p))),
        Node::Erode { field, by } => erosion(by, field, p),
        Node::Warp { field, by } => value(field, array::from_fn(|k| p[k] + value(&by[k], p))),
    }
}

/// The gradient of a function, by difference quotients of the eighth order.
fn differences<const N: usize>(f: impl Fn([f64; N]) -> f64, p: [f64; N], step: f64) -> [f64; N] {
    let along = |k: usize, h: f64| {
        let moved = |h| f(array::from_fn(|j| p[j] + if j == k { h } else { 0.0 }));
        (moved(h) - moved(-h)) / (2.0 * h)
    };
    array::from_fn(|k| {
        let [a, b, c, d] = [1.0, 2.0, 3.0, 4.0].map(|i| along(k, i * step));
        (56.0 * a - 28.0 * b + 8.0 * c - d) / 35.0
    })
}

/// The eroded field, and the slope that is usually returned for it: that of plain stripes, added
/// up.
pub fn eroded<const N: usize>(e: &Erosion, field: &Node<N>, p: [f64; N]) -> (f64, [f64; 2]) {
    let tau = core::f64::consts::TAU;
    let number = |x: f32| f64::from(x);
    let height = if e.height == 0.0 { 1.0 } else { number(e.height) };
    let threshold = number(e.threshold);
    let base = value(field, p) * height;
    let own = differences(|p| value(field, p), p, 0.1);
    let mut s = [own[0] * height, own[1] * height];
    let mut usual = s;
    let above = base - number(e.middle);
    let mut g = above / above.hypot(number(e.relief));
    let mut mask = 1.0;
    let mut sum = base;
    let width = |x: f64| 0.03 + x / (1.0 - x).max(0.25);
    let crest = |b: f64, x: f64| {
        1.0 - 2.0 * (((1.0 - x) / 2.0 + b * b).sqrt() - b) / ((1.0 + b * b).sqrt() - b)
    };
    let slope =
        |b: f64, x: f64| 0.5 / (((1.0 - x) / 2.0 + b * b).sqrt() * ((1.0 + b * b).sqrt() - b));
    let [ridge, valley] = [width(1.0 - number(e.ridges)), width(number(e.valleys))];
    for i in 0..e.octaves.ceil() as u64 {
        let w = e.scale / 2f64.powi(i as i32);
        let part = (e.octaves - i as f64).min(1.0);
        let a = number(e.strength) * e.scale / 4.0 * number(e.gain).powi(i as i32) * part;
        let length = (s[0] * s[0] + s[1] * s[1] + threshold * threshold).sqrt();
        let across = [-s[1] / length, s[0] / length];
        if i == 0 {
            mask = across[0] * across[0] + across[1] * across[1];
        }
        let seed = derive(e.seed, i);
        let (sin, cos) = (0.2 + 0.8236 * i as f64).sin_cos();
        let turn = |v: [f64; 2]| [v[0] * cos - v[1] * sin, v[0] * sin + v[1] * cos];
        let unit = |k: u64| (derive(seed, k) >> 11) as f64 / 2f64.powi(53);
        let [x, y] = turn([p[0], p[1]]);
        let q = [x / w + unit(2), y / w + unit(3)];
        let turned = turn(across);
        let keys = [0, 1].map(|k| Key::new(derive(seed, k)));
        let (mut real, mut imaginary) = (0.0, 0.0);
        for corner_z in 0..2 {
            for corner_x in 0..2 {
                let cell = [q[0].floor() as i64 + corner_x, q[1].floor() as i64 + corner_z];
                let mut hash = corner([premix(cell[0], &keys[0]), premix(cell[1], &keys[1])]);
                let offset = [0, 1].map(|k: usize| {
                    hash = mix(hash.wrapping_add(0x9e37_79b9));
                    q[k] - cell[k] as f64 - 0.7 * f64::from(hash as i32) / 2f64.powi(32)
                });
                let weight: f64 = [0, 1]
                    .map(|k: usize| {
                        exact(crate::lattice::Fade::Quintic, 1.0 - (q[k] - cell[k] as f64).abs())[0]
                    })
                    .iter()
                    .product();
                let turns = offset[0] * turned[0] + offset[1] * turned[1];
                real += weight * (tau * turns).cos();
                imaginary += weight * (tau * turns).sin();
            }
        }
        let squared = real * real + imaginary * imaginary;
        let stretch = squared.sqrt() / (squared * squared + 0.3f64.powi(4)).sqrt();
        let (cos, sin) = (real * stretch, imaginary * stretch);
        let m = -crest(valley, -crest(ridge, cos));
        let steeper = slope(valley, -crest(ridge, cos)) * slope(ridge, cos);
        g += mask * (m - g);
        sum += a * g;
        let plain = -tau / w * a * mask * sin;
        usual = [0, 1].map(|k| usual[k] + steeper * plain * across[k]);
        s = [0, 1].map(|k| s[k] + number(e.branching) * plain * across[k]);
        mask *= 1.0 - cos.powi(4);
    }
    (sum / height, usual.map(|x| x / height))
}

fn erosion<const N: usize>(e: &Erosion, field: &Node<N>, p: [f64; N]) -> f64 {
    eroded(e, field, p).0
}

fn smooth_min(a: f64, b: f64, w: f64) -> f64 {
    let h = (w - (a - b).abs()).max(0.0);
    if h > 0.0 { a.min(b) - h * h / (4.0 * w) } else { a.min(b) }
}

fn shape<const N: usize>(shape: &Shape, x: f64, field: &Node<N>) -> f64 {
    match shape {
        Shape::Abs => x.abs(),
        Shape::Square => x * x,
        Shape::Clamp(Clamp { min, max, smooth }) => {
            let [min, max, s] = [min, max, smooth].map(|&x| f64::from(x));
            if s == 0.0 {
                x.clamp(min, max)
            } else if x < min + s {
                min + (x - min + s).max(0.0).powi(2) / (4.0 * s)
            } else if x > max - s {
                max - (max - x + s).max(0.0).powi(2) / (4.0 * s)
            } else {
                x
            }
        }
        Shape::Terraces(Terraces { step, cliff, strength }) => {
            let [step, cliff, strength] = [step, cliff, strength].map(|&x| f64::from(x));
            let n = (x / step).floor();
            let q = (1.0 - (n + 1.0 - x / step) / cliff).max(0.0);
            let stairs = step * (n + exact(crate::lattice::Fade::Quintic, q)[0]);
            (1.0 - strength) * x + strength * stairs
        }
        Shape::Curve(Curve(points)) => {
            curve(&points.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).collect::<Vec<_>>(), x)
        }
        Shape::Normalize(Normalize { min, max }) => {
            let range = field.build().unwrap().bounds();
            let [min, max] = [f64::from(*min), f64::from(*max)];
            min + (max - min) * (x - range.min) / (range.max - range.min)
        }
    }
}

/// The Hermite basis with the slopes of Fritsch and Butland.
fn curve(points: &[(f64, f64)], x: f64) -> f64 {
    let chord = |i: usize| (points[i + 1].1 - points[i].1) / (points[i + 1].0 - points[i].0);
    let last = points.len() - 1;
    let slope = |i: usize| {
        if i == 0 || i == last {
            return chord(i.min(last - 1));
        }
        let (d0, d1) = (chord(i - 1), chord(i));
        let (h0, h1) = (points[i].0 - points[i - 1].0, points[i + 1].0 - points[i].0);
        if d0 * d1 <= 0.0 {
            return 0.0;
        }
        3.0 * (h0 + h1) / ((2.0 * h1 + h0) / d0 + (h1 + 2.0 * h0) / d1)
    };
    for end in [0, last] {
        if (x < points[0].0 && end == 0) || (x >= points[last].0 && end == last) {
            return points[end].1 + slope(end) * (x - points[end].0);
        }
    }
    let i = points.windows(2).position(|pair| x < pair[1].0).unwrap();
    let h = points[i + 1].0 - points[i].0;
    let s = (x - points[i].0) / h;
    (1.0 + 2.0 * s) * (1.0 - s).powi(2) * points[i].1
        + s * (1.0 - s).powi(2) * h * slope(i)
        + s * s * (3.0 - 2.0 * s) * points[i + 1].1
        + s * s * (s - 1.0) * h * slope(i + 1)
}

fn transform<const N: usize>(transform: &Transform<N>, p: [f64; N]) -> [f64; N] {
    match *transform {
        Transform::Scale(factors) => array::from_fn(|k| factors[k] * p[k]),
        Transform::Translate(offset) => array::from_fn(|k| offset[k] + p[k]),
        Transform::Rotate(Rotate { degrees, axis }) => rotate(degrees, axis, p),
    }
}

/// In three dimensions by Rodrigues' formula: p cos + (a x p) sin + a (a . p) (1 - cos).
fn rotate<const N: usize>(degrees: f64, axis: [f64; 3], p: [f64; N]) -> [f64; N] {
    let (s, c) = degrees.to_radians().sin_cos();
    let turned = if N == 2 {
        [p[0] * c - p[1] * s, p[0] * s + p[1] * c, 0.0]
    } else {
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        let a = axis.map(|x| x / length);
        let dot = a[0] * p[0] + a[1] * p[1] + a[2] * p[2];
        array::from_fn(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            p[k] * c + (a[i] * p[j] - a[j] * p[i]) * s + a[k] * dot * (1.0 - c)
        })
    };
    array::from_fn(|k| turned[k])
}

/// An octave without its amplitude, at a position that is turned already.
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

fn fractal<const N: usize>(f: &Fractal<N>, p: [f64; N]) -> f64 {
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
                let turned = |p: [f64; N]| {
                    (0..i).fold(p, |p, _| {
                        if f.rotation == 0.0 { p } else { rotate(f.rotation, [1.0; 3], p) }
                    })
                };
                // The eighth order, as the quotients of this will be taken.
                let step = 0.002 / (f.frequency * f.lacunarity.powi(i as i32));
                let own: [f64; N] = differences(|p| octave(f, i, turned(p)), p, step);
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

fn noise<const N: usize>(noise: &Noise<N>, seed: u64, period: [u32; N], x: [f64; N]) -> f64 {
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
            (corner.gradient, corner.height)
        }
        match &n.lattice {
            Lattice::Hash => {
                let points = Hashed::new(seed, table);
                Box::new(move |cell| corner(&points, cell))
            }
            Lattice::Permutation(p) => {
                let points = Permuted::new(p, seed, table);
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

/// One axis after another, from the last one to the first.
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

/// All lattice points near, not only those of the simplex: the others' kernels must be zero.
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

/// Every cell that can count, and one more to either side.
fn cellular<const N: usize>(n: &Cellular<N>, seed: u64, period: [u32; N], x: [f64; N]) -> f64 {
    // One more than the noise itself.
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
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
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
