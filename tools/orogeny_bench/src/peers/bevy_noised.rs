//! bevy_noised: simplex noise, the only noise that it has, with its own gradients.

use bevy_noised::{
    fbm_simplex_2d_seeded, fbm_simplex_2d_seeded_derivative, ridged_fbm_2d_seeded_derivative,
    simplex_noise_2d_seeded, simplex_noise_2d_seeded_derivative,
};
use glam::Vec2;

use crate::contest::Contestant;
use crate::grids::{Sloped, gradients, values};
use crate::workload::{Basis, GAIN, Kind, Noise, Task};

const NAME: &str = "bevy_noised";
const SEED: f32 = 1.0;

pub fn contestant(task: &Task) -> Option<Contestant> {
    let noise = task.noise()?;
    let Noise { basis, octaves, frequency, lacunarity, kind } = noise;
    let [frequency, lacunarity] = [frequency, lacunarity].map(|x| x as f32);
    let octaves = octaves as i32;
    let at = |[x, z]: [f64; 2]| Vec2::new(x as f32, z as f32);
    match (basis, kind, task.has_gradients()) {
        (Basis::Simplex, Kind::Fbm, false) => {
            values(NAME, task, move |p| simplex_noise_2d_seeded(at(p) * frequency, SEED))
        }
        (Basis::Simplex, Kind::Fbm, true) => gradients(NAME, "analytic", task, move |p| {
            let (value, slope) = simplex_noise_2d_seeded_derivative(at(p) * frequency, SEED);
            parts((value, slope * frequency))
        }),
        (Basis::Gradient, Kind::Fbm, false) => values(NAME, task, move |p| {
            fbm_simplex_2d_seeded(at(p), frequency, octaves, lacunarity, GAIN, SEED)
        }),
        (Basis::Gradient, Kind::Fbm, true) => gradients(NAME, "analytic", task, move |p| {
            let at = at(p);
            parts(fbm_simplex_2d_seeded_derivative(at, frequency, octaves, lacunarity, GAIN, SEED))
        }),
        (Basis::Gradient, Kind::Ridged, true) => gradients(NAME, "analytic", task, move |p| {
            let at = at(p);
            parts(ridged_fbm_2d_seeded_derivative(at, frequency, octaves, lacunarity, GAIN, SEED))
        }),
        _ => None,
    }
}

fn parts((value, gradient): (f32, Vec2)) -> Sloped<2> {
    (value, gradient.to_array())
}
