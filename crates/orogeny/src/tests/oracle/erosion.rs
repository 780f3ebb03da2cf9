//! The erosion filter.

use super::{differences, value};
use crate::lattice::fade::tests::exact;
use crate::lattice::hash::{Key, corner, derive, mix, premix};
use crate::{Erosion, Node};

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
