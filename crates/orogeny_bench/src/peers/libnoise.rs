//! libnoise: Perlin's improved noise with a permutation table, in f64.

use libnoise::prelude::*;

use crate::contestant::Contestant;
use crate::grids::values;
use crate::workload::{GAIN, Task};

pub fn contestants(task: &Task) -> Vec<Contestant> {
    let Some(fractal) = super::fbm(task) else { return Vec::new() };
    let contestant = if fractal.octaves == 1 {
        let noise = Source::<2>::improved_perlin(1).scale([fractal.frequency; 2]);
        values("libnoise", task, move |x, z| noise.sample([x, z]) as f32)
    } else {
        let (octaves, gain) = (fractal.octaves, f64::from(GAIN));
        let noise = Source::<2>::improved_perlin(1).fbm(
            octaves,
            fractal.frequency,
            fractal.lacunarity,
            gain,
        );
        values("libnoise", task, move |x, z| noise.sample([x, z]) as f32)
    };
    contestant.into_iter().collect()
}
