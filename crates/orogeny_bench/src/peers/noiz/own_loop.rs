//! noiz without its layers: the user's own loop over octaves, as noiz's book suggests for speed.
//!
//! Unlike the layers, it multiplies the gradient of an octave by its frequency, and can rotate
//! octaves.

use bevy_math::Vec2;
use noiz::prelude::*;
use noiz::rng::NoiseRng;

use super::{Perlin, Vector, parts};
use crate::contestant::Contestant;
use crate::grids::{gradients, values};
use crate::workload::{self, Basis, GAIN, Kind, TURN, Task};

/// The parameters of a loop.
#[derive(Clone, Copy)]
struct Octaves {
    octaves: u32,
    frequency: f32,
    lacunarity: f32,
    /// The rotation and scale from one octave to the next, as a complex number.
    step: Vec2,
    /// The reciprocal of the sum of all amplitudes.
    norm: f32,
}

impl Octaves {
    fn new(noise: &workload::Noise) -> Self {
        let &workload::Noise { octaves, frequency, lacunarity, .. } = noise;
        let turn = if noise.kind == Kind::Rotated { TURN } else { 0.0 };
        let norm = 1.0 / (0..octaves).map(|i| GAIN.powi(i as i32)).sum::<f32>();
        let step = Vec2::from_angle(turn.to_radians() as f32) * lacunarity as f32;
        let [frequency, lacunarity] = [frequency, lacunarity].map(|x| x as f32);
        Self { octaves, frequency, lacunarity, step, norm }
    }

    /// The position in the next octave.
    #[inline(always)]
    fn next<const TURNED: bool>(&self, p: Vec2) -> Vec2 {
        if TURNED { self.step.rotate(p) } else { p * self.lacunarity }
    }
}

/// Values of rotated octaves, with central differences.
pub fn value(task: &Task, noise: &workload::Noise) -> Option<Contestant> {
    let (perlin, all) = (Perlin::<false>::default(), Octaves::new(noise));
    values("noiz", task, move |p| {
        let (mut p, mut seed) = (Vec2::of(p) * all.frequency, NoiseRng(0));
        let (mut sum, mut amplitude) = (0.0, all.norm);
        for _ in 0..all.octaves {
            sum += amplitude * perlin.evaluate(p, &mut seed);
            seed.re_seed();
            p = all.next::<true>(p);
            amplitude *= GAIN;
        }
        sum
    })
}

/// Values and gradients of several octaves.
pub fn gradient(task: &Task, noise: &workload::Noise) -> Option<Contestant> {
    let is_perlin = matches!(noise.basis, Basis::Gradient | Basis::Improved);
    if noise.octaves == 1 || !is_perlin || task.is_volume() {
        return None;
    }
    match noise.kind {
        Kind::Fbm => gradient_of::<false>(task, noise),
        Kind::Rotated => gradient_of::<true>(task, noise),
        _ => None,
    }
}

fn gradient_of<const TURNED: bool>(task: &Task, noise: &workload::Noise) -> Option<Contestant> {
    let (perlin, all) = (Perlin::<true>::default(), Octaves::new(noise));
    gradients("noiz", "own loop", task, move |p| {
        let (mut p, mut seed) = (Vec2::of(p) * all.frequency, NoiseRng(0));
        let (mut sum, mut slope, mut amplitude) = (0.0, Vec2::ZERO, all.norm);
        // The derivative of the octave's position by the first coordinate, a complex number.
        let mut scale = Vec2::X * all.frequency;
        for _ in 0..all.octaves {
            let WithGradient { value, gradient } = perlin.evaluate(p, &mut seed);
            seed.re_seed();
            sum += amplitude * value;
            // The transposed Jacobian matrix is the conjugate.
            let gradient = if TURNED {
                Vec2::new(scale.x, -scale.y).rotate(gradient)
            } else {
                gradient * scale.x
            };
            slope += amplitude * gradient;
            p = all.next::<TURNED>(p);
            scale = all.next::<TURNED>(scale);
            amplitude *= GAIN;
        }
        parts(sum, slope)
    })
}
