//! bevy_noised: simplex noise, the only noise that it has, with its own gradients.

use bevy_noised::{
    fbm_simplex_2d_seeded, fbm_simplex_2d_seeded_derivative, ridged_fbm_2d_seeded_derivative,
};
use glam::Vec2;

use crate::contestant::Contestant;
use crate::grids::{gradients, values};
use crate::workload::{GAIN, Kind, Task};

const SEED: f32 = 1.0;

pub fn contestants(task: &Task) -> Vec<Contestant> {
    let Some(fractal) = super::fractal(task) else { return Vec::new() };
    let (frequency, lacunarity) = (fractal.frequency as f32, fractal.lacunarity as f32);
    let octaves = fractal.octaves as i32;
    let at = |x: f64, z: f64| Vec2::new(x as f32, z as f32);
    let both = match fractal.kind {
        Kind::Fbm => [
            values("bevy_noised", task, move |x, z| {
                fbm_simplex_2d_seeded(at(x, z), frequency, octaves, lacunarity, GAIN, SEED)
            })
            .filter(|contestant| contestant.method == "value"),
            gradients("bevy_noised", task, move |x, z| {
                let at = at(x, z);
                parts(fbm_simplex_2d_seeded_derivative(
                    at, frequency, octaves, lacunarity, GAIN, SEED,
                ))
            }),
        ],
        Kind::Ridged => [
            gradients("bevy_noised", task, move |x, z| {
                let at = at(x, z);
                parts(ridged_fbm_2d_seeded_derivative(
                    at, frequency, octaves, lacunarity, GAIN, SEED,
                ))
            }),
            None,
        ],
        Kind::Warped | Kind::Damped | Kind::Eroded => [None, None],
    };
    both.into_iter().flatten().collect()
}

fn parts((value, gradient): (f32, Vec2)) -> [f32; 3] {
    [value, gradient.x, gradient.y]
}
