//! Functions of a field's value.

use orogeny::{Fractal, GradientNoise, Node};

use super::{Entry, entry};
use crate::picture::Picture::{Curves, Plane, Planes};

/// The width of the pictures in cells of the first octave.
const CELLS: f64 = 3.0;

/// Every shape, on the same hills.
#[rustfmt::skip]
pub const SHAPES: &[Entry] = &[
    entry("shape-none", "The input of the shapes below: three octaves", Plane(CELLS, hills)),
    entry("abs", "Absolute value: abs()", Plane(CELLS, || hills().abs())),
    entry("square-of", "Square: square()", Plane(CELLS, || hills().square())),
    entry("clamp-hard", "Clamp with creases: clamp(−0.2, 0.2, 0)",
        Plane(CELLS, || hills().clamp(-0.2, 0.2, 0.0))),
    entry("clamp-smooth", "Smooth clamp: clamp(−0.2, 0.2, 0.15)",
        Plane(CELLS, || hills().clamp(-0.2, 0.2, 0.15))),
    entry("terraces", "Terraces, steps of 0.15, 40 % of each a cliff: terraces(0.15, 0.4)",
        Plane(CELLS, || hills().terraces(0.15, 0.4))),
    entry("curve", "Remapped by a smooth curve: lowland, slope, plateau",
        Plane(CELLS, || hills().curve(PLATEAU))),
    entry("normalize", "The proven range mapped to 0 .. 1: normalize(0, 1)",
        Plane(CELLS, || hills().normalize(0.0, 1.0))),
    entry("cliffs", "Terraces with different parts of a step as cliff", Planes(CELLS, &[
        ("1", || hills().terraces(0.2, 1.0)),
        ("0.5", || hills().terraces(0.2, 0.5)),
        ("0.2", || hills().terraces(0.2, 0.2)),
    ])),
    entry("curve-shapes", "Shapes of a 1D field", Curves(4.0, &[
        ("line", line),
        ("abs", || line().abs()),
        ("clamp", || line().clamp(-0.2, 0.2, 0.1)),
        ("terraces", || line().terraces(0.2, 0.5)),
    ])),
];

/// Inputs and outputs of the curve.
const PLATEAU: [(f32, f32); 6] =
    [(-1.0, -0.35), (-0.2, -0.25), (0.0, -0.1), (0.15, 0.3), (0.25, 0.35), (1.0, 0.45)];

/// Gentle hills.
pub fn hills() -> Node {
    Fractal::fbm(3.0, GradientNoise::seeded(3)).into()
}

fn line() -> Node<1> {
    Fractal::fbm(2.0, GradientNoise::square(2)).into()
}
