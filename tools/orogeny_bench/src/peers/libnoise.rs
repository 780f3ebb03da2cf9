//! libnoise: Perlin's improved noise with a permutation table, simplex and Worley noise, in f64.

use libnoise::prelude::*;

use crate::contest::Contestant;
use crate::grids::values;
use crate::workload::{Basis, GAIN, Noise, Task};

pub fn contestant(task: &Task) -> Option<Contestant> {
    let noise = super::fbm(task)?;
    match noise.basis {
        Basis::Gradient | Basis::Improved if task.is_volume() => {
            octaves(task, &noise, Source::<3>::improved_perlin(1))
        }
        Basis::Gradient | Basis::Improved => octaves(task, &noise, Source::<2>::improved_perlin(1)),
        Basis::Simplex => octaves(task, &noise, Source::<2>::simplex(1)),
        Basis::Cellular => octaves(task, &noise, Source::<2>::worley(1)),
    }
}

fn octaves<const N: usize, G: Generator<N> + 'static>(
    task: &Task,
    noise: &Noise,
    source: G,
) -> Option<Contestant>
where
    libnoise::Fbm<N, G>: Generator<N>,
{
    let &Noise { octaves, frequency, lacunarity, .. } = noise;
    if octaves == 1 {
        let noise = source.scale([frequency; N]);
        values("libnoise", task, move |p| noise.sample(p) as f32)
    } else {
        let noise = source.fbm(octaves, frequency, lacunarity, GAIN.into());
        values("libnoise", task, move |p| noise.sample(p) as f32)
    }
}
