//! noise: Perlin noise with a permutation table, in f64.

use noise::{Fbm, MultiFractal, NoiseFn, Perlin, RidgedMulti};

use crate::contestant::Contestant;
use crate::grids::values;
use crate::workload::{GAIN, Kind, Task};

pub fn contestants(task: &Task) -> Vec<Contestant> {
    let Some(fractal) = super::fractal(task) else { return Vec::new() };
    let octaves = fractal.octaves as usize;
    let contestant = match fractal.kind {
        Kind::Fbm if fractal.octaves == 1 => {
            let (noise, frequency) = (Perlin::new(1), fractal.frequency);
            values("noise", task, move |x, z| noise.get([x * frequency, z * frequency]) as f32)
        }
        Kind::Fbm => {
            let noise = Fbm::<Perlin>::new(1)
                .set_octaves(octaves)
                .set_frequency(fractal.frequency)
                .set_lacunarity(fractal.lacunarity)
                .set_persistence(GAIN.into());
            values("noise", task, move |x, z| noise.get([x, z]) as f32)
        }
        Kind::Ridged => {
            let noise = RidgedMulti::<Perlin>::new(1)
                .set_octaves(octaves)
                .set_frequency(fractal.frequency)
                .set_lacunarity(fractal.lacunarity)
                .set_persistence(GAIN.into());
            values("noise", task, move |x, z| noise.get([x, z]) as f32)
        }
        Kind::Warped | Kind::Damped | Kind::Eroded => None,
    };
    contestant.into_iter().collect()
}
