//! Random trees that contain every kind of node.

use core::array;
use std::collections::BTreeMap;

use crate::fractal::{Damped, Hybrid, PingPong, Ridged};
use crate::lattice::hash::derive;
use crate::lattice::{
    Fade, Gradients, Lattice, LatticeGrid, LatticeValues, Permutation, PermutationTable,
};
use crate::node::{Clamp, Curve, Normalize, Piece, Rotate, Terraces, Wave};
use crate::noise::{CellularOutput, Metric, Noise};
use crate::{
    Band, Cellular, Erosion, Fractal, FractalKind, GradientNoise, Node, Shape, Simplex, Transform,
};

/// How many of at most `all` random cases to try: a quarter of them, unless `OROGENY_CASES=all`, as
/// before a release.
pub fn cases(all: usize) -> usize {
    let is_full = std::env::var("OROGENY_CASES").is_ok_and(|cases| cases == "all");
    if is_full { all } else { all / 4 }
}

/// A random number generator.
pub struct Random {
    seed: u64,
    drawn: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    pub fn bits(&mut self) -> u64 {
        self.drawn += 1;
        derive(self.seed, self.drawn)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn within(&mut self, min: f64, max: f64) -> f64 {
        min + (max - min) * (self.bits() >> 11) as f64 / 2f64.powi(53)
    }

    /// A number whose order of magnitude is uniform.
    pub fn magnitude(&mut self, min: f64, max: f64) -> f64 {
        10f64.powf(self.within(min.log10(), max.log10())).clamp(min, max)
    }

    fn number(&mut self, min: f64, max: f64) -> f32 {
        self.within(min, max) as f32
    }

    fn one_of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    fn chance(&mut self, part: f64) -> bool {
        self.within(0.0, 1.0) < part
    }

    pub fn point<const N: usize>(&mut self, size: f64) -> [f64; N] {
        array::from_fn(|_| self.within(-size, size))
    }
}

/// All outputs and all metrics of cellular noise.
pub const OUTPUTS: [CellularOutput; 4] =
    [CellularOutput::F1, CellularOutput::F2, CellularOutput::F2MinusF1, CellularOutput::CellValue];
pub const METRICS: [Metric; 3] = [Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev];

/// A tree of a given depth, with values of about 1 and features a few units wide.
pub fn tree<const N: usize>(r: &mut Random, depth: usize) -> Node<N> {
    if depth <= 1 {
        return leaf(r);
    }
    let child = |r: &mut Random| {
        let shorter = if r.chance(0.7) { 1 } else { 1 + r.below(depth) };
        tree(r, depth.saturating_sub(shorter))
    };
    match r.below(10) {
        0 => Node::Add(vec![child(r), child(r)]),
        1 => Node::Multiply(vec![child(r), child(r)]),
        2 => Node::Min { of: vec![child(r), child(r)], smooth: r.one_of(&[0.0, 0.2, 1.0]) },
        3 => Node::Max { of: vec![child(r), child(r)], smooth: r.one_of(&[0.0, 0.2, 1.0]) },
        4 => {
            let mask = child(r).normalize(0.0, 1.0);
            child(r).lerp(child(r), if r.chance(0.5) { mask } else { child(r) })
        }
        5 | 6 => {
            let field = child(r);
            (0..1 + r.below(2)).fold(field, |field, _| field.shape(shape(r)))
        }
        7 => {
            let field = child(r);
            (0..1 + r.below(2)).fold(field, |field, _| field.transform(transform(r)))
        }
        8 => {
            let along: Vec<_> = (0..1 + r.below(3)).map(|_| child(r)).collect();
            let within = |r: &mut Random| (0..r.below(along.len() + 1)).map(|_| band(r)).collect();
            let mut of = vec![Piece::new([], child(r))];
            for _ in 0..1 + r.below(3) {
                let within: Vec<_> = within(r);
                of.push(Piece::new(within, child(r)));
            }
            Node::Blend { of, along }
        }
        _ => {
            let by = array::from_fn(|_| child(r) * r.number(-0.5, 0.5));
            child(r).warp(by)
        }
    }
}

/// A band with or without each end, somewhere among values of about 1.
fn band(r: &mut Random) -> Band {
    let (soft, low) = (r.number(0.2, 1.0), r.number(-1.0, 1.0));
    let high = low + soft + r.number(0.01, 1.0);
    let ends = Band::default();
    let min = if r.chance(0.6) { low } else { ends.min };
    Band { min, max: if r.chance(0.6) { high } else { ends.max }, soft }
}

/// An eroded tree with numbers from the whole range of their limits. Many are refused.
pub fn extreme_erosion(r: &mut Random) -> Node<2> {
    let gradient = |r: &mut Random| {
        let fractal = Fractal::fbm(r.within(1.0, 8.0), GradientNoise::seeded(r.bits()));
        Node::from(Fractal {
            lacunarity: r.within(1.0, 8.0),
            gain: r.one_of(&[0.0, 0.5, 1.0]),
            frequency: r.magnitude(1e-9, 1e3),
            amplitude: r.magnitude(1e-6, 1e6) as f32,
            ..fractal
        })
    };
    let base = match r.below(5) {
        0 => gradient(r) * gradient(r),
        1 => gradient(r) + gradient(r),
        2 => gradient(r).warp([gradient(r), gradient(r)]),
        3 => gradient(r).square(),
        _ => gradient(r),
    };
    let mut end = |min: f64, max: f64| match r.below(3) {
        0 => min,
        1 => max,
        _ => r.within(min, max),
    };
    let part = |x: f64| x as f32;
    let mut by = Erosion {
        seed: 1,
        strength: part(end(0.0, 2.0)),
        octaves: end(1.0, 10.0),
        gain: part(end(0.0, 1.0)),
        ridge_sharpness: part(end(0.0, 1.0)),
        valley_sharpness: part(end(0.0, 1.0)),
        threshold: part(end(0.01, 10.0)),
        branching: part(end(0.0, 2.0)),
        ..Erosion::default()
    };
    by.scale = r.magnitude(1e-3, 1e6);
    by.relief = r.magnitude(1e-3, 1e6) as f32;
    by.height = r.magnitude(1e-3, 1e5) as f32;
    by.middle = r.one_of(&[0.0, -1e6, 1e6, 10.0]);
    base.erode(by)
}

pub fn leaf<const N: usize>(r: &mut Random) -> Node<N> {
    match r.below(8) {
        0 => Node::Constant(r.number(-1.0, 1.0)),
        3 => Node::Wave(Wave { length: r.within(2.0, 20.0) }),
        1 | 2 => Node::Noise(noise(r)),
        _ => Node::Fractal(fractal(r)),
    }
}

/// Each kind with its default numbers.
pub fn fractal_kinds() -> [FractalKind; 7] {
    [
        FractalKind::Fbm,
        FractalKind::Turbulence,
        FractalKind::Billow,
        FractalKind::Ridged(Ridged::default()),
        FractalKind::Damped(Damped::default()),
        FractalKind::Hybrid(Hybrid::default()),
        FractalKind::PingPong(PingPong::default()),
    ]
}

fn fractal<const N: usize>(r: &mut Random) -> Fractal<N> {
    let noise = noise::<N>(r);
    let tiles = noise.period() != [0; N];
    let ridged = Ridged { offset: r.number(0.5, 1.2), feedback: r.number(0.5, 3.0) };
    let hybrid = Hybrid { offset: r.number(0.3, 1.2), feedback: r.number(0.5, 3.0) };
    let ping_pong = PingPong { strength: r.number(0.5, 2.5) };
    let kinds = [
        FractalKind::Fbm,
        FractalKind::Fbm,
        FractalKind::Turbulence,
        FractalKind::Billow,
        FractalKind::Ridged(ridged),
        FractalKind::Hybrid(hybrid),
        FractalKind::PingPong(ping_pong),
    ];
    let is_smooth = noise.is_smooth();
    let kind = match r.chance(0.2) && is_smooth {
        true => FractalKind::Damped(Damped { strength: r.number(0.0, 3.0) }),
        false => r.one_of(&kinds),
    };
    let turns = (2..=3).contains(&N) && !tiles && r.chance(0.3);
    Fractal {
        noise,
        kind,
        reseed: r.chance(0.8),
        offset: r.chance(0.8),
        octaves: r.within(1.0, 4.0),
        frequency: r.within(0.1, 1.0),
        amplitude: r.number(0.3, 1.5),
        lacunarity: if tiles { 2.0 } else { r.within(1.5, 2.5) },
        gain: r.number(0.3, 0.6),
        rotation: if turns { r.within(-180.0, 180.0) } else { 0.0 },
    }
}

pub fn noise<const N: usize>(r: &mut Random) -> Noise<N> {
    let seed = r.bits();
    let period = if r.chance(0.2) { array::from_fn(|_| 1 + r.below(9) as u32) } else { [0; N] };
    match r.below(6) {
        0 if (2..=3).contains(&N) => Noise::Simplex(Simplex { seed }),
        1 => {
            let (output, metric) = (r.one_of(&OUTPUTS), r.one_of(&METRICS));
            let (jitter, ramp) = (r.number(0.0, 1.0), r.number(0.2, 0.5));
            Noise::Cellular(Cellular { seed, output, metric, period, jitter, ramp })
        }
        _ => gradient(r, period).into(),
    }
}

fn gradient<const N: usize>(r: &mut Random, period: [u32; N]) -> GradientNoise<N> {
    let vectors = |r: &mut Random, n: usize| -> Vec<[f32; N]> {
        (0..n).map(|_| array::from_fn(|_| r.number(-1.0, 1.0))).collect()
    };
    let table = Gradients::Table(vectors(r, 5));
    let values = r.one_of(&[
        LatticeValues::Zero,
        LatticeValues::Zero,
        LatticeValues::Added,
        LatticeValues::Alone,
        LatticeValues::FourPoint,
    ]);
    let lattice = match r.below(4) {
        0 => Lattice::Permutation(Permutation {
            table: r.one_of(&[PermutationTable::Perlin, PermutationTable::Shuffled]),
            last_added: r.chance(0.3),
        }),
        1 => {
            let size: [u32; N] = array::from_fn(|_| 1 + r.below(4) as u32);
            let n = size.iter().product::<u32>() as usize;
            let has_gradients = matches!(values, LatticeValues::Zero | LatticeValues::Added);
            let (g, h) = (
                if has_gradients { n } else { 0 },
                if values == LatticeValues::Zero { 0 } else { n },
            );
            let values = (0..h).map(|_| r.number(-1.0, 0.5)).collect();
            Lattice::Grid(LatticeGrid { size, gradients: vectors(r, g), values })
        }
        _ => Lattice::Hash,
    };
    GradientNoise {
        seed: r.bits(),
        period: if matches!(lattice, Lattice::Grid(_)) { [0; N] } else { period },
        lattice,
        gradients: r.one_of(&[
            Gradients::Even,
            Gradients::Unit,
            Gradients::Square,
            Gradients::Diagonals,
            Gradients::Edges,
            table,
        ]),
        fade: r.one_of(&[Fade::Linear, Fade::Cosine, Fade::Cubic, Fade::Quintic, Fade::Quintic]),
        values,
    }
}

fn shape(r: &mut Random) -> Shape {
    match r.below(6) {
        0 => Shape::Abs,
        1 => Shape::Square,
        2 => {
            let (min, width) = (r.number(-0.8, 0.0), r.number(0.2, 1.0));
            let smooth = r.one_of(&[0.0, 0.1, 0.5]) * width;
            Shape::Clamp(Clamp { min, max: min + width, smooth: smooth * 0.99 })
        }
        3 => Shape::Terraces(Terraces {
            step: r.number(0.2, 1.0),
            cliff: r.number(0.2, 1.0),
            strength: r.number(0.0, 1.0),
        }),
        4 => {
            let mut x = -1.5;
            let points = (0..2 + r.below(4)).map(|_| {
                x += r.number(0.3, 1.0);
                (x, r.number(-1.0, 1.0))
            });
            Shape::Curve(Curve(points.collect()))
        }
        _ => Shape::Normalize(Normalize { min: r.number(-1.0, 0.0), max: r.number(0.5, 2.0) }),
    }
}

fn transform<const N: usize>(r: &mut Random) -> Transform<N> {
    match r.below(3) {
        0 => Transform::Scale(array::from_fn(|_| r.within(0.3, 1.5) * r.one_of(&[1.0, 1.0, -1.0]))),
        1 if (2..=3).contains(&N) => {
            let axis = array::from_fn(|_| r.within(0.1, 1.0));
            Transform::Rotate(Rotate { degrees: r.within(-360.0, 360.0), axis })
        }
        _ => Transform::Translate(r.point(50.0)),
    }
}

/// Counts each kind of node in a tree.
pub fn count<const N: usize>(node: &mut Node<N>, counts: &mut BTreeMap<String, usize>) {
    let mut add = |name: &str| *counts.entry(name.into()).or_default() += 1;
    // The name of a variant is the part of its Debug output before the first bracket.
    let name = |debug: String| debug.split(['(', ' ', '{']).next().unwrap_or_default().to_owned();
    add(&name(format!("{node:?}")));
    match node {
        Node::Noise(noise) => add(&name(format!("{noise:?}"))),
        Node::Fractal(fractal) => {
            add(&name(format!("{:?}", fractal.noise)));
            add(&name(format!("{:?}", fractal.kind)));
        }
        Node::Shape { by, .. } => by.iter().for_each(|shape| add(&name(format!("{shape:?}")))),
        Node::Domain { by, .. } => by.iter().for_each(|map| add(&name(format!("{map:?}")))),
        _ => {}
    }
    node.children_mut().into_iter().for_each(|child| count(child, counts));
}
