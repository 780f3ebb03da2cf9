//! Rotated octaves: noiz's layers have none, so this is a loop of the user's own over octaves.

use bevy_math::Vec2;
use noiz::prelude::*;
use noiz::rng::NoiseRng;

use super::{Perlin, Vector, parts};
use crate::contestant::Contestant;
use crate::grids::{gradients, values};
use crate::workload::{self, GAIN, TURN, Task};

/// The parameters of a loop.
#[derive(Clone, Copy)]
struct Octaves {
    count: u32,
    frequency: f32,
    /// The rotation and scale from one octave to the next, as a complex number.
    step: Vec2,
    /// The amplitude of the first octave: the sum of all is 1.
    amplitude: f32,
}

/// Values, or values and central differences; and values and gradients.
pub fn contestants(task: &Task, noise: &workload::Noise) -> [Option<Contestant>; 2] {
    let count = noise.octaves;
    let octaves = Octaves {
        count,
        frequency: noise.frequency as f32,
        step: Vec2::from_angle(TURN.to_radians() as f32) * noise.lacunarity as f32,
        amplitude: 1.0 / (0..count).map(|i| GAIN.powi(i as i32)).sum::<f32>(),
    };
    [value(task, octaves), gradient(task, octaves)]
}

fn value(
    task: &Task,
    Octaves { count, frequency, step, amplitude }: Octaves,
) -> Option<Contestant> {
    let perlin = Perlin::<false>::default();
    values("noiz", task, move |p| {
        let (mut p, mut seed) = (Vec2::of(p) * frequency, NoiseRng(0));
        let (mut sum, mut amplitude) = (0.0, amplitude);
        for _ in 0..count {
            sum += amplitude * perlin.evaluate(p, &mut seed);
            seed.re_seed();
            p = step.rotate(p);
            amplitude *= GAIN;
        }
        sum
    })
}

fn gradient(task: &Task, octaves: Octaves) -> Option<Contestant> {
    let Octaves { count, frequency, step, amplitude } = octaves;
    let perlin = Perlin::<true>::default();
    gradients("noiz", "analytic", task, move |p| {
        let (mut p, mut seed) = (Vec2::of(p) * frequency, NoiseRng(0));
        let (mut sum, mut slope, mut amplitude) = (0.0, Vec2::ZERO, amplitude);
        // The product of all steps, conjugated: the transposed Jacobian matrix of the position.
        let mut back = Vec2::X * frequency;
        for _ in 0..count {
            let WithGradient { value, gradient } = perlin.evaluate(p, &mut seed);
            seed.re_seed();
            sum += amplitude * value;
            slope += amplitude * back.rotate(gradient);
            p = step.rotate(p);
            back = Vec2::new(step.x, -step.y).rotate(back);
            amplitude *= GAIN;
        }
        parts(sum, slope)
    })
}
