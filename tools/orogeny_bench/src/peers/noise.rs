//! noise: Perlin, simplex and Worley noise with a permutation table, in f64.

use noise::core::worley::ReturnType;
use noise::{Fbm, MultiFractal, NoiseFn, Perlin, RidgedMulti, Simplex, Worley};

use crate::contest::Contestant;
use crate::grids::values;
use crate::workload::{Basis, GAIN, Kind, Noise, Task};

pub fn contestant(task: &Task) -> Option<Contestant> {
    let noise = task.noise()?;
    match (noise.basis, noise.kind) {
        (Basis::Gradient, Kind::Ridged) => {
            sample::<2>(task, octaves(&noise, RidgedMulti::<Perlin>::new(1)), 1.0)
        }
        (Basis::Simplex, Kind::Fbm) => sample::<2>(task, Simplex::new(1), noise.frequency),
        (Basis::Cellular, Kind::Fbm) => {
            let worley = Worley::new(1).set_return_type(ReturnType::Distance);
            sample::<2>(task, worley.set_frequency(noise.frequency), 1.0)
        }
        (Basis::Gradient | Basis::Improved, Kind::Fbm) if task.is_volume() => {
            perlin::<3>(task, &noise)
        }
        (Basis::Gradient | Basis::Improved, Kind::Fbm) => perlin::<2>(task, &noise),
        _ => None,
    }
}

fn perlin<const N: usize>(task: &Task, noise: &Noise) -> Option<Contestant>
where
    Perlin: NoiseFn<f64, N>,
    Fbm<Perlin>: NoiseFn<f64, N>,
{
    if noise.octaves == 1 {
        sample::<N>(task, Perlin::new(1), noise.frequency)
    } else {
        sample::<N>(task, octaves(noise, Fbm::<Perlin>::new(1)), 1.0)
    }
}

fn octaves<F: MultiFractal>(noise: &Noise, fractal: F) -> F {
    fractal
        .set_octaves(noise.octaves as usize)
        .set_frequency(noise.frequency)
        .set_lacunarity(noise.lacunarity)
        .set_persistence(GAIN.into())
}

fn sample<const N: usize>(
    task: &Task,
    noise: impl NoiseFn<f64, N> + 'static,
    frequency: f64,
) -> Option<Contestant> {
    values("noise", task, move |p| noise.get(p.map(|x| x * frequency)) as f32)
}
