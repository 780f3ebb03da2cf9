//! fastnoise-lite: Perlin noise with hashed lattice points.

use fastnoise_lite::{DomainWarpType, FastNoiseLite, FractalType, NoiseType};

use crate::contestant::Contestant;
use crate::grids::values;
use crate::workload::{GAIN, Kind, Task, WARP};

pub fn contestants(task: &Task) -> Vec<Contestant> {
    let Some(fractal) = super::fractal(task) else { return Vec::new() };
    let mut noise = FastNoiseLite::with_seed(1);
    noise.set_noise_type(Some(NoiseType::Perlin));
    noise.set_frequency(Some(fractal.frequency as f32));
    if fractal.octaves > 1 {
        let kind =
            if fractal.kind == Kind::Ridged { FractalType::Ridged } else { FractalType::FBm };
        noise.set_fractal_type(Some(kind));
        noise.set_fractal_octaves(Some(fractal.octaves as i32));
        noise.set_fractal_lacunarity(Some(fractal.lacunarity as f32));
        noise.set_fractal_gain(Some(GAIN));
    }
    let contestant = if fractal.kind == Kind::Warped {
        let mut warp = FastNoiseLite::with_seed(2);
        warp.set_frequency(Some(fractal.frequency as f32));
        warp.set_domain_warp_type(Some(DomainWarpType::BasicGrid));
        warp.set_domain_warp_amp(Some(WARP / fractal.frequency as f32));
        warp.set_fractal_type(Some(FractalType::DomainWarpProgressive));
        warp.set_fractal_octaves(Some(2));
        values("fastnoise-lite", task, move |x, z| {
            let (x, z) = warp.domain_warp_2d(x as f32, z as f32);
            noise.get_noise_2d(x, z)
        })
    } else {
        values("fastnoise-lite", task, move |x, z| noise.get_noise_2d(x as f32, z as f32))
    };
    contestant.into_iter().collect()
}
