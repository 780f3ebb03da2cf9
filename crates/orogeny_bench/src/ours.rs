//! orogeny, at every SIMD level.

use std::hint::black_box;
use std::sync::Arc;

use bevy_orogeny::{ChunkBuilder, ChunkKey, Layout, Seams};
use orogeny::fractal::{Damped, Ridged};
use orogeny::simd::{Level, levels};
use orogeny::{
    Erosion, Field, Fractal, FractalKind, GradientNoise, Grid, Jets, Node, Recipe, Samples, Tree,
};

use crate::contestant::Contestant;
use crate::grids::positions;
use crate::workload::{self, GAIN, POINTS, Task, WARP};

/// The example world's hills.
const HILLS: &str = include_str!("../../../assets/presets/hills.terrain.ron");

/// All methods for a task.
pub fn contestants(task: &Task) -> Vec<Contestant> {
    match *task {
        Task::Grid { side, fractal, gradient } => {
            let grid = Grid::new([0.0; 2], 1.0, [side, side]);
            let with_level = |(level, simd)| {
                let field = field(&fractal);
                let (method, mut out) = buffer(gradient, simd);
                let run = Box::new(move || field.sample_grid(&grid, black_box(&mut out)));
                Contestant { library: "orogeny", method, level, run }
            };
            levels().into_iter().map(with_level).collect()
        }
        Task::Jets { side, fractal } => {
            let grid = Grid::new([0.0; 2], 1.0, [side, side]);
            let with_level = |(level, simd)| {
                let field = field(&fractal);
                let mut out = Jets::new().with_level(simd);
                let run = Box::new(move || field.jet_grid(&grid, black_box(&mut out)));
                Contestant { library: "orogeny", method: "jets", level, run }
            };
            levels().into_iter().map(with_level).collect()
        }
        Task::Points { gradient } => {
            let with_level = |(level, simd)| {
                let field = Node::<2>::noise(1).build().expect("a noise");
                let points = positions();
                let (method, mut out) = buffer(gradient, simd);
                let run = Box::new(move || field.sample_points(&points, black_box(&mut out)));
                Contestant { library: "orogeny", method, level, run }
            };
            let mut all: Vec<_> = levels().into_iter().map(with_level).collect();
            let field = Node::<2>::noise(1).build().expect("a noise");
            let points = positions();
            let mut out = vec![Default::default(); POINTS];
            let run = Box::new(move || {
                for (out, &p) in out.iter_mut().zip(&points) {
                    *out = field.sample(p);
                }
                black_box(&out);
            });
            all.push(Contestant { library: "orogeny", method: "one by one", level: "", run });
            all
        }
        Task::Chunk { side } => {
            let (_, field) = Recipe::build_ron(HILLS).expect("a valid preset");
            let field = Arc::new(field);
            let layout = Layout { cells: side as u32 - 1, spacing: 1.0 };
            let builder = ChunkBuilder::new(field, layout, Seams::Morph, false);
            let mut x = 0;
            let run = Box::new(move || {
                x += 1;
                let key = ChunkKey { lod: 1, x, z: -x };
                let _ = black_box(builder.build(key));
            });
            vec![Contestant { library: "bevy_orogeny", method: "mesh", level: "", run }]
        }
    }
}

/// The buffer to fill, and the name of the method.
fn buffer(gradient: bool, level: Level) -> (&'static str, Samples<2>) {
    if gradient {
        ("analytic", Samples::new().with_level(level))
    } else {
        ("value", Samples::values_only().with_level(level))
    }
}

fn field(fractal: &workload::Fractal) -> Tree<2> {
    let &workload::Fractal { octaves, frequency, lacunarity, kind } = fractal;
    let octaves_of = |octaves: u32, seed, amplitude, kind| {
        let fbm = Fractal::<2>::fbm(octaves.into(), GradientNoise::seeded(seed));
        Node::from(Fractal { frequency, lacunarity, gain: GAIN, amplitude, kind, ..fbm })
    };
    let node = match kind {
        workload::Kind::Fbm => octaves_of(octaves, 1, 1.0, FractalKind::Fbm),
        workload::Kind::Ridged => {
            octaves_of(octaves, 1, 1.0, FractalKind::Ridged(Ridged::default()))
        }
        workload::Kind::Damped => {
            octaves_of(octaves, 1, 1.0, FractalKind::Damped(Damped::default()))
        }
        workload::Kind::Eroded => {
            // Hills a quarter as high as they are wide, and gullies a third as wide.
            let width = 1.0 / frequency;
            let by =
                Erosion { scale: width / 3.0, relief: width as f32 / 4.0, ..Erosion::default() };
            octaves_of(octaves, 1, width as f32 / 4.0, FractalKind::Fbm).erode(by)
        }
        workload::Kind::Warped => {
            let amplitude = WARP / frequency as f32;
            Node::Warp {
                field: Box::new(octaves_of(octaves, 1, 1.0, FractalKind::Fbm)),
                by: [2, 3].map(|seed| octaves_of(2, seed, amplitude, FractalKind::Fbm)).into(),
            }
        }
    };
    node.build().expect("a field")
}
