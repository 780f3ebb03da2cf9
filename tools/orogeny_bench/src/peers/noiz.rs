//! noiz: noise on its hashed lattice, with its own gradients and with central differences.

use bevy_math::{Vec2, Vec3, VectorSpace};
use noiz::cell_noise::MixCellValuesForDomain;
use noiz::layering::{LayerOperation, LayerResultContext, PersistenceWeights};
use noiz::prelude::common_noise::{Simplex, SimplexWithDerivative, Worley};
use noiz::prelude::*;
use noiz::rng::NoiseRng;

use crate::contest::Contestant;
use crate::grids::{Sloped, gradients, values};
use crate::workload::{self, Basis, GAIN, Kind, OFFSET, TURN, Task, WARP};

type Layers<N, R> = LayeredNoise<Normed<R>, Persistence, FractalLayers<Octave<N>>>;
type Perlin<const GRADIENT: bool> =
    MixCellGradients<OrthoGrid, Smoothstep, QuickGradients, GRADIENT>;
/// Displaces positions by one octave of value noise. (In version 0.6, `DomainWarp` replaces the
/// position instead, and if it comes before the octaves it has no effect.)
type Warp = Offset<MixCellValuesForDomain<OrthoGrid, Smoothstep, SNorm>>;

/// A position or a gradient.
trait Vector<const N: usize>: VectorSpace<Scalar = f32> + 'static {
    fn of(p: [f64; N]) -> Self;
    fn components(self) -> [f32; N];
}

impl Vector<2> for Vec2 {
    #[inline(always)]
    fn of(p: [f64; 2]) -> Self {
        Vec2::from_array(p.map(|x| x as f32))
    }
    #[inline(always)]
    fn components(self) -> [f32; 2] {
        self.to_array()
    }
}

impl Vector<3> for Vec3 {
    #[inline(always)]
    fn of(p: [f64; 3]) -> Self {
        Vec3::from_array(p.map(|x| x as f32))
    }
    #[inline(always)]
    fn components(self) -> [f32; 3] {
        self.to_array()
    }
}

/// With values or differences, and with its own gradients.
pub fn contestants(task: &Task) -> [Option<Contestant>; 2] {
    let Some(noise) = task.noise() else { return [None, None] };
    let frequency = noise.frequency as f32;
    match (noise.basis, noise.kind) {
        (Basis::Simplex, Kind::Fbm) => [
            value::<Vec2, 2>(task, scaled(Simplex::default(), frequency)),
            sloped::<Vec2, 2>(task, scaled(SimplexWithDerivative::default(), frequency)),
        ],
        // Without gradients.
        (Basis::Cellular, Kind::Fbm) => {
            [value::<Vec2, 2>(task, scaled(Worley::default(), frequency)), None]
        }
        (_, Kind::Fbm) if task.is_volume() => octaves::<Vec3, 3>(task, &noise),
        (_, Kind::Fbm) => octaves::<Vec2, 2>(task, &noise),
        (_, Kind::Warped) => {
            let warp = Warp { offset_strength: WARP, ..Default::default() };
            let warped = (warp, layers::<Perlin<false>, f32>(&noise));
            // Its gradients would lack the slope of the warp.
            [value::<Vec2, 2>(task, scaled(warped, frequency)), None]
        }
        (_, Kind::Transformed) => transformed(task, &noise),
        (_, Kind::Rotated) => rotated(task, &noise),
        (_, Kind::Ridged | Kind::Damped | Kind::Eroded) => [None, None],
    }
}

/// A noise and its own gradient.
fn octaves<V, const N: usize>(task: &Task, noise: &workload::Noise) -> [Option<Contestant>; 2]
where
    V: Vector<N>,
    Perlin<false>: NoiseFunction<V, Output = f32>,
    Perlin<true>: NoiseFunction<V, Output = WithGradient<f32, V>>,
    Layers<Perlin<false>, f32>: NoiseFunction<V, Output = f32>,
    Normed<WithGradient<f32, V>>: LayerResultContext,
    Layers<Perlin<true>, WithGradient<f32, V>>: NoiseFunction<V, Output = WithGradient<f32, V>>,
{
    let frequency = noise.frequency as f32;
    if noise.octaves == 1 {
        let perlin = scaled(Perlin::<true>::default(), frequency);
        [value(task, scaled(Perlin::<false>::default(), frequency)), sloped::<V, N>(task, perlin)]
    } else {
        let perlin = layers::<Perlin<true>, WithGradient<f32, V>>(noise);
        let values = layers::<Perlin<false>, f32>(noise);
        [value(task, scaled(values, frequency)), sloped::<V, N>(task, scaled(perlin, frequency))]
    }
}

fn layers<N: Default, R>(noise: &workload::Noise) -> Layers<N, R>
where
    Normed<R>: LayerResultContext,
    FractalLayers<Octave<N>>: LayerOperation<Normed<R>, PersistenceWeights>,
{
    let (lacunarity, amount) = (noise.lacunarity as f32, noise.octaves);
    let layers = FractalLayers { layer: Default::default(), lacunarity, amount };
    LayeredNoise::new(Normed::default(), Persistence(GAIN), layers)
}

fn scaled<N>(noise: N, frequency: f32) -> Noise<N> {
    let mut noise = Noise::from(noise);
    noise.set_frequency(frequency);
    noise
}

fn transformed(task: &Task, noise: &workload::Noise) -> [Option<Contestant>; 2] {
    let (frequency, offset) = (noise.frequency as f32, Vec2::of(OFFSET));
    let plain = scaled(layers::<Perlin<false>, f32>(noise), frequency);
    let perlin = scaled(layers::<Perlin<true>, WithGradient<f32, Vec2>>(noise), frequency);
    [
        values("noiz", task, move |p| plain.sample(Vec2::of(p) + offset)),
        gradients("noiz", "analytic", task, move |p| {
            let WithGradient { value, gradient } = perlin.sample(Vec2::of(p) + offset);
            parts(value, gradient * frequency)
        }),
    ]
}

fn value<V: Vector<N>, const N: usize>(
    task: &Task,
    noise: impl SampleableFor<V, f32> + 'static,
) -> Option<Contestant> {
    values("noiz", task, move |p| noise.sample(V::of(p)))
}

fn sloped<V: Vector<N>, const N: usize>(
    task: &Task,
    noise: impl SampleableFor<V, WithGradient<f32, V>> + 'static,
) -> Option<Contestant> {
    gradients("noiz", "analytic", task, move |p| {
        let WithGradient { value, gradient } = noise.sample(V::of(p));
        parts(value, gradient)
    })
}

#[inline(always)]
fn parts<V: Vector<N>, const N: usize>(value: f32, gradient: V) -> Sloped<N> {
    (value, gradient.components())
}

/// The parameters of a loop.
#[derive(Clone, Copy)]
struct Octaves {
    count: u32,
    frequency: f32,
    /// The rotation and scale from one octave to the next, as a complex number.
    step: Vec2,
    /// The amplitude of the first octave: the sum of all is 1.
    amplitude: f32,
}

/// Values, or values and central differences; and values and gradients. noiz's layers have no
/// rotation, so this is a loop of the user's own over octaves.
fn rotated(task: &Task, noise: &workload::Noise) -> [Option<Contestant>; 2] {
    let count = noise.octaves;
    let octaves = Octaves {
        count,
        frequency: noise.frequency as f32,
        step: Vec2::from_angle(TURN.to_radians() as f32) * noise.lacunarity as f32,
        amplitude: 1.0 / (0..count).map(|i| GAIN.powi(i as i32)).sum::<f32>(),
    };
    [rotated_value(task, octaves), rotated_gradient(task, octaves)]
}

fn rotated_value(
    task: &Task,
    Octaves { count, frequency, step, amplitude }: Octaves,
) -> Option<Contestant> {
    let perlin = Perlin::<false>::default();
    values("noiz", task, move |p| {
        let (mut p, mut seed) = (Vec2::of(p) * frequency, NoiseRng(0));
        let (mut sum, mut amplitude) = (0.0, amplitude);
        for _ in 0..count {
            sum += amplitude * perlin.evaluate(p, &mut seed);
            seed.re_seed();
            p = step.rotate(p);
            amplitude *= GAIN;
        }
        sum
    })
}

fn rotated_gradient(task: &Task, octaves: Octaves) -> Option<Contestant> {
    let Octaves { count, frequency, step, amplitude } = octaves;
    let perlin = Perlin::<true>::default();
    gradients("noiz", "analytic", task, move |p| {
        let (mut p, mut seed) = (Vec2::of(p) * frequency, NoiseRng(0));
        let (mut sum, mut slope, mut amplitude) = (0.0, Vec2::ZERO, amplitude);
        // The product of all steps, conjugated: the transposed Jacobian matrix of the position.
        let mut back = Vec2::X * frequency;
        for _ in 0..count {
            let WithGradient { value, gradient } = perlin.evaluate(p, &mut seed);
            seed.re_seed();
            sum += amplitude * value;
            slope += amplitude * back.rotate(gradient);
            p = step.rotate(p);
            back = Vec2::new(step.x, -step.y).rotate(back);
            amplitude *= GAIN;
        }
        parts(sum, slope)
    })
}
