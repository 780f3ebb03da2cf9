//! Octaves of every kind.

use core::array;

use super::noise::noise;
use super::{differences, rotate};
use crate::fractal::{Damped, Hybrid, PingPong, Ridged};
use crate::lattice::hash::derive;
use crate::{Fractal, FractalKind};

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
