//! Pictures of fields made of fields: shapes, combinators and transforms.

use orogeny::fractal::Ridged;
use orogeny::noise::CellularOutput;
use orogeny::{Cellular, Erosion, Fractal, FractalKind, GradientNoise, Node, Transform};

use super::{Entry, entry};
use crate::gallery::picture::Picture::{Curves, Plane, Planes};

/// The width of pictures of shapes in cells of the first octave.
const SHAPE: f64 = 3.0;
/// The width of the other pictures in cells of the first octave.
const CELLS: f64 = 4.0;

/// Every shape, on the same hills.
#[rustfmt::skip]
pub const SHAPES: &[Entry] = &[
    entry("shape-none", "The input of the shapes below: three octaves", Plane(SHAPE, hills)),
    entry("abs", "Absolute value: abs()", Plane(SHAPE, || hills().abs())),
    entry("square-of", "Square: square()", Plane(SHAPE, || hills().square())),
    entry("clamp-hard", "Clamp with creases: clamp(−0.2, 0.2, 0)",
        Plane(SHAPE, || hills().clamp(-0.2, 0.2, 0.0))),
    entry("clamp-smooth", "Smooth clamp: clamp(−0.2, 0.2, 0.15)",
        Plane(SHAPE, || hills().clamp(-0.2, 0.2, 0.15))),
    entry("terraces", "Terraces, steps of 0.15, 40 % of each a cliff: terraces(0.15, 0.4)",
        Plane(SHAPE, || hills().terraces(0.15, 0.4))),
    entry("curve", "Remapped by a smooth curve: lowland, slope, plateau",
        Plane(SHAPE, || hills().curve(PLATEAU))),
    entry("normalize", "The proven range mapped to 0 .. 1: normalize(0, 1)",
        Plane(SHAPE, || hills().normalize(0.0, 1.0))),
    entry("cliffs", "Terraces with different parts of a step as cliff", Planes(SHAPE, &[
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
fn hills() -> Node {
    Fractal::fbm(3.0, GradientNoise::seeded(3)).into()
}

fn line() -> Node<1> {
    Fractal::fbm(2.0, GradientNoise::square(2)).into()
}

/// Several fields combined into one.
#[rustfmt::skip]
pub const COMBINATORS: &[Entry] = &[
    entry("parts", "The fields combined below", Planes(CELLS, &[
        ("hills", hills),
        ("ridges", ridges),
        ("cracks", cracks),
        ("mask, 0 to 1", mask),
    ])),
    entry("add", "Sum: hills + cracks × 0.3", Plane(CELLS, || hills() + cracks() * 0.3)),
    entry("multiply", "Product: ridges × mask", Plane(CELLS, || ridges() * mask())),
    entry("lerp", "Interpolation, hills at mask 0 and ridges at 1: hills.lerp(ridges, mask)",
        Plane(CELLS, || hills().lerp(ridges(), mask()))),
    entry("erode", "Erosion gullies: mountains.erode(Erosion { scale: 0.6, .. })", Planes(CELLS, &[
        ("mountains", mountains),
        ("with gullies",
            || mountains().erode(Erosion { scale: 0.6, relief: 0.3, ..Erosion::default() })),
    ])),
    entry("min", "Minimum with a crease: a.min(b, 0)",
        Plane(CELLS, || Node::noise(2).min(Node::noise(9), 0.0))),
    entry("min-smooth", "Smooth minimum: a.min(b, 0.3)",
        Plane(CELLS, || Node::noise(2).min(Node::noise(9), 0.3))),
    entry("max", "Maximum with a crease: a.max(b, 0)",
        Plane(CELLS, || Node::noise(2).max(Node::noise(9), 0.0))),
    entry("max-smooth", "Smooth maximum: a.max(b, 0.3)",
        Plane(CELLS, || Node::noise(2).max(Node::noise(9), 0.3))),
];

/// Fields sampled at transformed positions.
#[rustfmt::skip]
pub const DOMAINS: &[Entry] = &[
    entry("scale", "Domain scaled: frequency(2)",
        Planes(CELLS, &[("original", tiles), ("frequency 2", || tiles().frequency(2.0))])),
    entry("stretch", "Domain scaled along y only: Transform::Scale([1, 3])",
        Planes(CELLS, &[
            ("original", tiles),
            ("scaled", || tiles().transform(Transform::Scale([1.0, 3.0]))),
        ])),
    entry("rotate", "Domain rotated by 30 degrees: rotate(30)",
        Planes(CELLS, &[("original", tiles), ("rotated", || tiles().rotate(30.0))])),
    entry("translate", "Domain translated: translate([1, 0.5])",
        Planes(CELLS, &[("original", tiles), ("translated", || tiles().translate([1.0, 0.5]))])),
    entry("warp", "Domain warp, positions displaced by noise: hills.warp([a, b])",
        Plane(CELLS, || hills().warp(shift(10)))),
    entry("warp-nested", "A nested domain warp",
        Plane(CELLS, || hills().warp(shift(10).map(|w| w.warp(shift(20)))))),
    entry("tile", "Seamless tiling: five octaves with a period of 4 cells, 2 x 2 tiles",
        Plane(8.0, tile)),
    entry("tile-cellular", "Seamless cellular noise with a period of 4 cells, 2 x 2 tiles",
        Plane(8.0, || {
            let output = CellularOutput::F2MinusF1;
            Cellular { output, period: [4; 2], ..Cellular::seeded(5) }.into()
        })),
];

fn mountains() -> Node {
    Fractal { frequency: 0.4, ..Fractal::fbm(2.0, GradientNoise::seeded(4)) }.into()
}

fn ridges() -> Node {
    Fractal {
        kind: FractalKind::Ridged(Ridged::default()),
        ..Fractal::fbm(5.0, GradientNoise::seeded(4))
    }
    .into()
}

fn cracks() -> Node {
    Cellular { output: CellularOutput::F2MinusF1, ..Cellular::seeded(5) }.into()
}

fn mask() -> Node {
    let broad = Fractal { frequency: 0.6, ..Fractal::fbm(1.0, GradientNoise::seeded(6)) };
    Node::from(broad).curve([(-0.3, 0.0), (0.0, 0.5), (0.3, 1.0)]).clamp(0.0, 1.0, 0.1)
}

/// A field with a visible lattice, which shows how positions are transformed.
fn tiles() -> Node {
    Cellular { jitter: 0.6, ..Cellular::seeded(8) }.into()
}

/// A displacement along both axes.
fn shift(seed: u64) -> [Node; 2] {
    [seed, seed + 1].map(|seed| Node::from(Fractal::fbm(3.0, GradientNoise::seeded(seed))) * 0.7)
}

fn tile() -> Node {
    Fractal::fbm(5.0, GradientNoise { period: [4; 2], ..GradientNoise::seeded(9) }).into()
}
