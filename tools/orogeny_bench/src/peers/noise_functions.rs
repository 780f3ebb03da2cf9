//! noise-functions: noise on hashed lattice points.

use noise_functions::{CellDistance, Noise as _, Perlin, Sample, Simplex};

use crate::contest::Contestant;
use crate::grids::values;
use crate::workload::{Basis, GAIN, Noise, Task};

pub fn contestant(task: &Task) -> Option<Contestant> {
    let noise = super::fbm(task)?;
    let frequency = noise.frequency as f32;
    match noise.basis {
        Basis::Gradient if task.is_volume() => perlin::<3>(task, &noise),
        Basis::Gradient => perlin::<2>(task, &noise),
        Basis::Simplex => sample::<2>(task, Simplex.seed(1).frequency(frequency)),
        Basis::Cellular => sample::<2>(task, CellDistance::default().seed(1).frequency(frequency)),
        // Its lattice has no permutation table.
        Basis::Improved => None,
    }
}

fn perlin<const N: usize>(task: &Task, noise: &Noise) -> Option<Contestant>
where
    Perlin: Sample<N>,
{
    let [frequency, lacunarity] = [noise.frequency, noise.lacunarity].map(|x| x as f32);
    if noise.octaves == 1 {
        sample::<N>(task, Perlin.seed(1).frequency(frequency))
    } else {
        let fractal = Perlin.fbm(noise.octaves, GAIN, lacunarity);
        sample::<N>(task, fractal.seed(1).frequency(frequency))
    }
}

fn sample<const N: usize>(task: &Task, noise: impl Sample<N> + 'static) -> Option<Contestant> {
    values("noise-functions", task, move |p| noise.sample_with_seed(p.map(|x| x as f32), 0))
}
