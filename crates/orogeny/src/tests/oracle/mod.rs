//! The oracle: the value of every node in `f64`, computed from the formulas in the documentation,
//! without regard to speed.
//!
//! Only the definition of a lattice comes from the crate: its hashes, tables and seeds. This file
//! has trees, shapes.rs the functions of a value, fractal.rs octaves, noise.rs the noises, and
//! erosion.rs the erosion filter.

mod erosion;
mod fractal;
mod noise;
mod shapes;

use core::array;

pub use erosion::eroded;

use crate::node::{Piece, Rotate};
use crate::{Node, Transform};

/// The value of a tree at a point.
pub fn value<const N: usize>(node: &Node<N>, p: [f64; N]) -> f64 {
    let all = |of: &[Node<N>]| of.iter().map(|node| value(node, p)).collect::<Vec<_>>();
    match node {
        Node::Constant(value) => f64::from(*value),
        Node::Noise(n) => noise::noise(n, n.seed(), n.period(), p),
        Node::Fractal(f) => fractal::fractal(f, p),
        Node::Wave(wave) => shapes::wave(wave.length, p[N - 1]),
        Node::Named(_) | Node::Lands(_) => panic!("of a recipe"),
        Node::Add(of) => all(of).iter().sum(),
        Node::Multiply(of) => all(of).iter().product(),
        Node::Min { of, smooth } => {
            all(of).into_iter().reduce(|a, b| shapes::smooth_min(a, b, f64::from(*smooth))).unwrap()
        }
        Node::Max { of, smooth } => all(of)
            .into_iter()
            .reduce(|a, b| -shapes::smooth_min(-a, -b, f64::from(*smooth)))
            .unwrap(),
        Node::Lerp { from, to, mask } => {
            let m = value(mask, p);
            (1.0 - m) * value(from, p) + m * value(to, p)
        }
        Node::Blend { of, along } => {
            let along = all(along);
            let opacity = |piece: &Piece<N>| -> f64 {
                let bands = piece.within.iter().zip(&along);
                bands.map(|(band, &x)| shapes::band(band, x)).product()
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
                x = shapes::shape(s, x, &so_far);
                so_far = so_far.shape(s.clone());
            }
            x
        }
        Node::Domain { field, by } => value(field, by.iter().fold(p, |p, t| transform(t, p))),
        Node::Erode { field, by } => erosion::eroded(by, field, p).0,
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
