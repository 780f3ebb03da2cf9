//! orogeny, at every SIMD level.

use std::hint::black_box;

use bevy_orogeny::advanced::{ChunkBuilder, ChunkKey, Layout, Seams};
use orogeny::fractal::{Damped, Ridged};
use orogeny::noise::Noise as AnyNoise;
use orogeny::simd::{Level, levels};
use orogeny::{
    Cellular, Erosion, Field, Fractal, FractalKind, GradientNoise, Grid, Jets, Node, Recipe,
    Samples, Simplex, Transform,
};

use crate::contest::Contestant;
use crate::grids::positions;
use crate::workload::{Basis, GAIN, Kind, Noise, OFFSET, POINTS, Preset, TURN, Task, VOLUME, WARP};

/// Presets of the example world.
const HILLS: &str = include_str!("../../../assets/presets/hills.terrain.ron");
const ALPINE: &str = include_str!("../../../assets/presets/alpine.terrain.ron");

/// All methods for a task.
pub fn contestants(task: &Task) -> Vec<Contestant> {
    match *task {
        Task::Grid { side, noise, gradient } => {
            grid([side; 2], gradient, || plane(&noise).build().expect("a field"))
        }
        Task::Volume { noise, gradient } => {
            grid(VOLUME, gradient, || volume(&noise).build().expect("a field"))
        }
        Task::Jets { side, noise } => at_levels(|simd| {
            let field = plane(&noise).build().expect("a field");
            let grid = Grid::new([0.0; 2], 1.0, [side; 2]);
            let mut out = Jets::new().with_level(simd);
            ("jets", Box::new(move || field.jet_grid(&grid, black_box(&mut out))))
        }),
        Task::Points { noise, gradient } => at_levels(|simd| {
            let field = plane(&noise).build().expect("a field");
            let points = positions();
            let (method, mut out) = buffer(gradient, simd);
            (method, Box::new(move || field.sample_points(&points, black_box(&mut out))))
        }),
        Task::Single { noise } => {
            let field = plane(&noise).build().expect("a field");
            let points = positions();
            let mut out = vec![Default::default(); POINTS];
            let run = Box::new(move || {
                for (out, &p) in out.iter_mut().zip(&points) {
                    *out = field.sample(p);
                }
                black_box(&out);
            });
            vec![Contestant { library: "orogeny", method: "analytic", level: "", run }]
        }
        Task::Chunk { side, preset } => vec![chunk(side, preset)],
    }
}

/// A contestant for each SIMD level, from its method and what it runs.
fn at_levels(with_level: impl Fn(Level) -> (&'static str, Box<dyn FnMut()>)) -> Vec<Contestant> {
    let contestant = |(level, simd)| {
        let (method, run) = with_level(simd);
        Contestant { library: "orogeny", method, level, run }
    };
    levels().into_iter().map(contestant).collect()
}

fn grid<const N: usize, F: Field<N> + 'static>(
    size: [usize; N],
    gradient: bool,
    field: impl Fn() -> F,
) -> Vec<Contestant> {
    at_levels(|simd| {
        let (field, grid) = (field(), Grid::new([0.0; N], 1.0, size));
        let (method, mut out) = buffer(gradient, simd);
        (method, Box::new(move || field.sample_grid(&grid, black_box(&mut out))))
    })
}

/// The name of the method, and the buffer to fill.
fn buffer<const N: usize>(gradient: bool, level: Level) -> (&'static str, Samples<N>) {
    if gradient {
        ("analytic", Samples::new().with_level(level))
    } else {
        ("value", Samples::values_only().with_level(level))
    }
}

/// From a chunk's key to its mesh, for another chunk each time.
fn chunk(side: usize, preset: Preset) -> Contestant {
    let recipe = match preset {
        Preset::Hills => HILLS,
        Preset::Alpine => ALPINE,
    };
    let (_, field) = Recipe::build_ron(recipe).expect("a valid preset");
    let layout = Layout { cells: side as u32 - 1, spacing: 1.0 };
    let builder = ChunkBuilder::new(field, layout, Seams::Morph, false);
    let mut x = 0;
    let run = Box::new(move || {
        x += 1;
        let key = ChunkKey { lod: 1, x, z: -x };
        let _ = black_box(builder.build(key));
    });
    Contestant { library: "bevy_orogeny", method: "mesh", level: "", run }
}

/// A noise in two dimensions.
fn plane(noise: &Noise) -> Node<2> {
    let frequency = noise.frequency;
    match noise.kind {
        Kind::Fbm => octaves(noise).into(),
        Kind::Ridged => of_kind(noise, FractalKind::Ridged(Ridged::default())),
        Kind::Damped => of_kind(noise, FractalKind::Damped(Damped::default())),
        Kind::Rotated => Fractal { rotation: TURN, ..octaves(noise) }.into(),
        Kind::Warped => {
            let amplitude = WARP / frequency as f32;
            let along = |seed| Node::from(GradientNoise::value(seed)).frequency(frequency);
            let by = [2, 3].map(|seed| along(seed).amplitude(amplitude));
            Node::from(octaves(noise)).warp(by)
        }
        Kind::Transformed => {
            let fractal = Node::from(Fractal { frequency: 1.0, ..octaves(noise) });
            fractal.transform(Transform::Scale([frequency; 2])).translate(OFFSET)
        }
        Kind::Eroded => {
            // Hills a quarter as high as they are wide, and gullies a third as wide.
            let width = 1.0 / frequency;
            let relief = width as f32 / 4.0;
            let by = Erosion { scale: width / 3.0, relief, ..Erosion::default() };
            Node::from(Fractal { amplitude: relief, ..octaves(noise) }).erode(by)
        }
    }
}

/// A sum of octaves in three dimensions.
fn volume(noise: &Noise) -> Node<3> {
    octaves(noise).into()
}

fn of_kind(noise: &Noise, kind: FractalKind) -> Node<2> {
    Fractal { kind, ..octaves(noise) }.into()
}

fn octaves<const N: usize>(noise: &Noise) -> Fractal<N> {
    let &Noise { basis, octaves, frequency, lacunarity, .. } = noise;
    let basis: AnyNoise<N> = match basis {
        Basis::Gradient => GradientNoise::seeded(1).into(),
        Basis::Improved => GradientNoise::improved().into(),
        Basis::Simplex => Simplex { seed: 1 }.into(),
        Basis::Cellular => Cellular::seeded(1).into(),
    };
    Fractal { frequency, lacunarity, gain: GAIN, ..Fractal::fbm(octaves.into(), basis) }
}
