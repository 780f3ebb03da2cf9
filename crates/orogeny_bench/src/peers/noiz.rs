//! noiz: Perlin noise on its hashed lattice, with its own gradients.

use bevy_math::Vec2;
use noiz::prelude::*;

use crate::contestant::Contestant;
use crate::grids::{gradients, values};
use crate::workload::{GAIN, Task};

type Layers<N, R> = LayeredNoise<Normed<R>, Persistence, FractalLayers<Octave<N>>>;
type Perlin<const GRADIENT: bool> =
    MixCellGradients<OrthoGrid, Smoothstep, QuickGradients, GRADIENT>;

/// The octaves of a noise with or without gradients. A macro, since the two types have no trait in
/// common that a function could use.
macro_rules! layers {
    ($fractal:expr) => {
        LayeredNoise::new(
            Normed::default(),
            Persistence(GAIN),
            FractalLayers {
                layer: Default::default(),
                lacunarity: $fractal.lacunarity as f32,
                amount: $fractal.octaves,
            },
        )
    };
}

pub fn contestants(task: &Task) -> Vec<Contestant> {
    let Some(fractal) = super::fbm(task) else { return Vec::new() };
    let at = |x: f64, z: f64| Vec2::new(x as f32, z as f32);
    let both = if fractal.octaves == 1 {
        let mut noise = Noise::<Perlin<false>>::default();
        noise.set_frequency(fractal.frequency as f32);
        let mut sloped = Noise::<Perlin<true>>::default();
        sloped.set_frequency(fractal.frequency as f32);
        [
            values("noiz", task, move |x, z| noise.sample(at(x, z))),
            gradients("noiz", task, move |x, z| parts(sloped.sample(at(x, z)))),
        ]
    } else {
        let mut noise = Noise::<Layers<Perlin<false>, f32>>::from(layers!(fractal));
        noise.set_frequency(fractal.frequency as f32);
        let mut sloped =
            Noise::<Layers<Perlin<true>, WithGradient<f32, Vec2>>>::from(layers!(fractal));
        sloped.set_frequency(fractal.frequency as f32);
        [
            values("noiz", task, move |x, z| noise.sample(at(x, z))),
            gradients("noiz", task, move |x, z| parts(sloped.sample(at(x, z)))),
        ]
    };
    both.into_iter().flatten().collect()
}

fn parts(WithGradient { value, gradient }: WithGradient<f32, Vec2>) -> [f32; 3] {
    [value, gradient.x, gradient.y]
}
