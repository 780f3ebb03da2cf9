//! fastnoise-lite: noise on hashed lattice points.

use fastnoise_lite::{
    CellularDistanceFunction, CellularReturnType, DomainWarpType, FastNoiseLite, FractalType,
    NoiseType,
};

use crate::contest::Contestant;
use crate::grids::values;
use crate::workload::{Basis, GAIN, Kind, Task, WARP};

const NAME: &str = "fastnoise-lite";

pub fn contestant(task: &Task) -> Option<Contestant> {
    let plan = task.noise()?;
    let frequency = plan.frequency as f32;
    let mut noise = FastNoiseLite::with_seed(1);
    noise.set_noise_type(Some(match plan.basis {
        Basis::Gradient => NoiseType::Perlin,
        Basis::Simplex => NoiseType::OpenSimplex2,
        Basis::Cellular => NoiseType::Cellular,
        Basis::Improved => return None,
    }));
    noise.set_cellular_distance_function(Some(CellularDistanceFunction::Euclidean));
    noise.set_cellular_return_type(Some(CellularReturnType::Distance));
    noise.set_frequency(Some(frequency));
    if plan.octaves > 1 {
        let ridged = plan.kind == Kind::Ridged;
        noise.set_fractal_type(Some(if ridged { FractalType::Ridged } else { FractalType::FBm }));
        noise.set_fractal_octaves(Some(plan.octaves as i32));
        noise.set_fractal_lacunarity(Some(plan.lacunarity as f32));
        noise.set_fractal_gain(Some(GAIN));
    }
    match plan.kind {
        Kind::Fbm if task.is_volume() => values(NAME, task, move |p| {
            let [x, y, z] = p.map(|x| x as f32);
            noise.get_noise_3d(x, y, z)
        }),
        Kind::Fbm | Kind::Ridged => values(NAME, task, move |p| {
            let [x, z] = p.map(|x| x as f32);
            noise.get_noise_2d(x, z)
        }),
        Kind::Warped => {
            let mut warp = FastNoiseLite::with_seed(2);
            warp.set_frequency(Some(frequency));
            warp.set_domain_warp_type(Some(DomainWarpType::BasicGrid));
            warp.set_domain_warp_amp(Some(WARP / frequency));
            values(NAME, task, move |p| {
                let [x, z] = p.map(|x| x as f32);
                let (x, z) = warp.domain_warp_2d(x, z);
                noise.get_noise_2d(x, z)
            })
        }
        Kind::Transformed | Kind::Rotated | Kind::Damped | Kind::Eroded => None,
    }
}
