//! noise-functions: Perlin noise with hashed lattice points.

use noise_functions::{Noise, Perlin};

use crate::contestant::Contestant;
use crate::grids::values;
use crate::workload::{GAIN, Task};

pub fn contestants(task: &Task) -> Vec<Contestant> {
    let Some(fractal) = super::fbm(task) else { return Vec::new() };
    let frequency = fractal.frequency as f32;
    let contestant = if fractal.octaves == 1 {
        let noise = Perlin.seed(1).frequency(frequency);
        values("noise-functions", task, move |x, z| noise.sample2([x as f32, z as f32]))
    } else {
        let noise = Perlin
            .fbm(fractal.octaves, GAIN, fractal.lacunarity as f32)
            .seed(1)
            .frequency(frequency);
        values("noise-functions", task, move |x, z| noise.sample2([x as f32, z as f32]))
    };
    contestant.into_iter().collect()
}
