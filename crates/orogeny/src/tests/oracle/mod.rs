//! The oracle: the value of every node in `f64`, computed from the formulas in the documentation,
//! without regard to speed.
//!
//! Only the definition of a lattice comes from the crate: its hashes, tables and seeds. This file
//! has trees, functions of a value and the erosion filter, noise.rs the noises and their octaves.

mod noise;

use core::array;

use crate::lattice::fade::tests::exact;
use crate::lattice::hash::{Key, corner, derive, mix, premix};
use crate::node::{Clamp, Curve, Normalize, Piece, Rotate, Terraces};
use crate::{Band, Erosion, Field, Node, Shape, Transform};

/// The value of a tree at a point.
pub fn value<const N: usize>(node: &Node<N>, p: [f64; N]) -> f64 {
    let all = |of: &[Node<N>]| of.iter().map(|node| value(node, p)).collect::<Vec<_>>();
    match node {
        Node::Constant(value) => f64::from(*value),
        Node::Noise(n) => noise::noise(n, n.seed(), n.period(), p),
        Node::Fractal(f) => noise::fractal(f, p),
        Node::Wave(of) => wave(of.length, p[N - 1]),
        Node::Named(_) | Node::Lands(_) => panic!("of a recipe"),
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
        Node::Blend { of, along } => {
            let along = all(along);
            let opacity = |piece: &Piece<N>| -> f64 {
                let bands = piece.within.iter().zip(&along);
                bands.map(|(own, &x)| band(own, x)).product()
            };
            of.iter().fold(0.0, |below, piece| {
                let a = opacity(piece);
                (1.0 - a) * below + a * value(&piece.field, p)
            })
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
        Node::Erode { field, by } => eroded(by, field, p).0,
        Node::Invalid(problem) => panic!("{problem}"),
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
    let rotated = if N == 2 {
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
    array::from_fn(|k| rotated[k])
}

pub(super) fn smooth_min(a: f64, b: f64, w: f64) -> f64 {
    let h = (w - (a - b).abs()).max(0.0);
    if h > 0.0 { a.min(b) - h * h / (4.0 * w) } else { a.min(b) }
}

/// The opacity of a band: the difference of two edges, which do not overlap.
pub(super) fn band(Band { min, max, soft }: &Band, x: f64) -> f64 {
    let edge = |end: f32| {
        let t = ((x - f64::from(end)) / f64::from(*soft) + 0.5).clamp(0.0, 1.0);
        t.powi(3) * (6.0 * t * t - 15.0 * t + 10.0)
    };
    edge(*min) - edge(*max)
}

/// Smooth steps down to -1 half way, and up to 1 again.
pub(super) fn wave(length: f64, x: f64) -> f64 {
    let u = (x / length).rem_euclid(1.0);
    let t = 2.0 * u.min(1.0 - u);
    1.0 - 2.0 * t.powi(3) * (6.0 * t * t - 15.0 * t + 10.0)
}

pub(super) fn shape<const N: usize>(shape: &Shape, x: f64, field: &Node<N>) -> f64 {
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

/// The eroded field, and the approximate slope that other filters return: the sum of the slopes of
/// plain stripes.
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
    let [ridge, valley] =
        [e.ridge_sharpness, e.valley_sharpness].map(|sharp| width(number(1.0 - sharp)));
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
        let rotated = turn(across);
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
                let turns = offset[0] * rotated[0] + offset[1] * rotated[1];
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
