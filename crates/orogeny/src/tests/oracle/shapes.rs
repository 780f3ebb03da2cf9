//! Functions of a value, and the smooth minimum.

use crate::lattice::fade::tests::exact;
use crate::node::{Band, Clamp, Curve, Normalize, Terraces};
use crate::{Field, Node, Shape};

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
