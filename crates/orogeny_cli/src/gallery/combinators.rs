//! Pictures of fields made of fields, shapes, combinators and transforms; and of edits of the
//! ground.

use orogeny::edits::{
    Area, Blend, Crater, Disc, Edit, Flatten, Hole, Path, Raise, Raster, Rectangle, Roughen, Stamp,
    Terrace,
};
use orogeny::fractal::Ridged;
use orogeny::noise::CellularOutput;
use orogeny::{Cellular, Erosion, Fractal, FractalKind, GradientNoise, Node, Transform};

use super::{Entry, entry};
use crate::gallery::picture::Picture::{Curves, Edits, Plane, Planes};

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

/// Each kind of edit, on the same hills.
#[rustfmt::skip]
pub const EDITS: &[Entry] = &[
    entry("edit-raise", "Raise: 12 m up or down, radius 30 m, falloff 50 m", Edits(&[
        ("raised", || Raise { area: disc(30.0, 50.0), height: 12.0 }.into()),
        ("lowered", || Raise { area: disc(30.0, 50.0), height: -12.0 }.into()),
    ])),
    entry("edit-flatten", "Flatten: a pad of 80 x 50 m, level and tilted, falloff 30 m", Edits(&[
        ("level", || Flatten { area: pad(), height: 5.0, ..Flatten::default() }.into()),
        ("slope 0.2 along x", || Flatten {
            area: pad(), height: 5.0, slope_x: 0.2, ..Flatten::default()
        }.into()),
    ])),
    entry("edit-roughen", "Roughen: noise of amplitude 1.5 m and wavelength 16 m", Edits(&[
        ("1 octave", || roughen(1.0)),
        ("4 octaves", || roughen(4.0)),
    ])),
    entry("edit-terrace", "Terrace: steps of 4 m", Edits(&[
        ("cliff 0.3", || Terrace { area: disc(70.0, 40.0), step: 4.0, cliff: 0.3 }.into()),
        ("cliff 0.8", || Terrace { area: disc(70.0, 40.0), step: 4.0, cliff: 0.8 }.into()),
    ])),
    entry("edit-crater", "Crater: radius 40 m", Edits(&[
        ("depth 12 m, rim 3 m", || Crater {
            radius: 40.0, depth: 12.0, rim: 3.0, ..Crater::default()
        }.into()),
        ("depth 24 m, rim 8 m", || Crater {
            radius: 40.0, depth: 24.0, rim: 8.0, ..Crater::default()
        }.into()),
    ])),
    entry("edit-hole", "Hole: no ground, black in the picture", Edits(&[
        ("a disc", || Hole { area: disc(25.0, 0.01) }.into()),
        ("a rectangle", || Hole { area: pad() }.into()),
    ])),
    entry("edit-path", "Path: a spline with a cross-section", Edits(&[
        ("a road 8 m wide, banks of 20 m", || path(8.0, 20.0, 0.0)),
        ("a canal 20 m wide, 8 m deep", || path(20.0, 12.0, 8.0)),
    ])),
    entry("edit-stamp", "Stamp: a raster of 9 x 9 samples by cubic B-splines, 20 m apart", Edits(&[
        ("add", || stamp(Blend::Add)),
        ("replace", || stamp(Blend::Replace)),
        ("max", || stamp(Blend::Max)),
        ("min", || stamp(Blend::Min)),
    ])),
];

fn disc(radius: f64, falloff: f64) -> Area {
    Area::Disc(Disc { center: [0.0; 2], radius, falloff })
}

fn pad() -> Area {
    Area::Rectangle(Rectangle {
        center: [0.0; 2],
        length: 80.0,
        width: 50.0,
        angle: 30.0,
        falloff: 30.0,
    })
}

fn roughen(octaves: f64) -> Edit {
    let area = disc(70.0, 40.0);
    Roughen { area, amplitude: 1.5, wavelength: 16.0, octaves, seed: 3 }.into()
}

fn path(width: f64, falloff: f64, depth: f32) -> Edit {
    let points = vec![
        [-160.0, -60.0, 0.0],
        [-60.0, -70.0, 2.0],
        [20.0, 0.0, 4.0],
        [60.0, 90.0, 2.0],
        [160.0, 100.0, 0.0],
    ];
    Path { points, width, falloff, depth, ..Path::default() }.into()
}

/// A ring of hills.
fn stamp(blend: Blend) -> Edit {
    let sample = |i: i32| {
        let from_middle = f64::from(i % 9 - 4).hypot(f64::from(i / 9 - 4));
        (1.0 - (from_middle - 2.0).abs()).max(0.0) as f32
    };
    let raster = Raster::new(9, (0..81).map(sample).collect()).expect("81 samples in 9 columns");
    Stamp { raster, blend, cell: 20.0, height: 12.0, falloff: 20.0, ..Stamp::default() }.into()
}
