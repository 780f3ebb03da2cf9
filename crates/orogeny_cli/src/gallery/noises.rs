//! Pictures of noises and fractals.

use orogeny::fractal::{Damped, Hybrid, PingPong, Ridged};
use orogeny::lattice::{Fade, Gradients, Lattice, LatticeGrid, LatticeValues, Permutation};
use orogeny::noise::{CellularOutput, Metric, Noise};
use orogeny::{Cellular, Fractal, FractalKind, GradientNoise, Node, Simplex};

use super::{Entry, entry};
use crate::gallery::picture::Picture::{Curves, Plane, Planes, Slice};

/// The width in cells of pictures of gradient noise, of cellular noise, and of curves.
const CELLS: f64 = 6.0;
const REGIONS: f64 = 8.0;
const LINE: f64 = 12.0;
/// The width of pictures of fractals in cells of the first octave.
const WIDE: f64 = 4.0;

/// Gradient noise in each of its settings.
#[rustfmt::skip]
pub const GRADIENT: &[Entry] = &[
    entry("improved", "Improved noise of 2002: GradientNoise::improved(), a slice of 3D noise",
        Slice(CELLS, || GradientNoise::improved().into())),
    entry("classic", "Classic noise of 1985: GradientNoise::classic(1)",
        Plane(CELLS, || GradientNoise::classic(1).into())),
    entry("even", "The default: 16 even gradients, hashed lattice, quintic fade",
        Plane(CELLS, || Node::noise(1))),
    entry("unit", "Random unit gradients: Gradients::Unit",
        Plane(CELLS, || with_gradients(Gradients::Unit))),
    entry("square", "Gradients uniform in the square, cubic fade: GradientNoise::square(1)",
        Plane(CELLS, || GradientNoise::square(1).into())),
    entry("diagonal", "Four diagonals as gradients: GradientNoise::diagonal()",
        Plane(CELLS, || GradientNoise::diagonal().into())),
    entry("edges", "The edges of a cube, seen from above, as gradients: Gradients::Edges",
        Plane(CELLS, || with_gradients(Gradients::Edges))),
    entry("table", "A custom table: two gradients, along x only: Gradients::Table",
        Plane(CELLS, || with_gradients(Gradients::Table(vec![[1.0, 0.0], [-1.0, 0.0]])))),
    entry("fade-linear", "Fade::Linear: the gradient jumps at every cell border",
        Plane(CELLS, || with_fade(Fade::Linear))),
    entry("fade-cosine", "Fade::Cosine: a continuous gradient",
        Plane(CELLS, || with_fade(Fade::Cosine))),
    entry("fade-cubic", "Fade::Cubic, of 1985: a continuous gradient with creases on cell borders",
        Plane(CELLS, || with_fade(Fade::Cubic))),
    entry("fade-quintic", "Fade::Quintic, of 2002: a smooth gradient",
        Plane(CELLS, || with_fade(Fade::Quintic))),
    entry("permutation", "Even gradients from Perlin's permutation, which repeats after 256 cells",
        Plane(CELLS, || permuted().into())),
    entry("grid", "An explicit 4 x 4 grid of gradients, which repeats: Lattice::Grid",
        Plane(8.0, || GradientNoise::grid(wheel(4)).into())),
];

/// Value noise, simplex noise and cellular noise.
#[rustfmt::skip]
pub const OTHERS: &[Entry] = &[
    entry("value", "Value noise: GradientNoise::value(1), quintic fade",
        Plane(CELLS, || GradientNoise::value(1).into())),
    entry("value-linear", "Value noise with Fade::Linear: bilinear interpolation",
        Plane(CELLS, || value(Fade::Linear, LatticeValues::Alone).into())),
    entry("value-four-point",
        "Value noise, cubic through four points along each axis: LatticeValues::FourPoint",
        Plane(CELLS, || value(Fade::Quintic, LatticeValues::FourPoint).into())),
    entry("value-and-gradient", "Value noise plus gradient noise: LatticeValues::Added",
        Plane(CELLS, || value(Fade::Quintic, LatticeValues::Added).into())),
    entry("simplex", "Simplex noise, 2D", Plane(CELLS, || Simplex { seed: 1 }.into())),
    entry("simplex-slice", "Simplex noise, a slice of 3D noise",
        Slice(CELLS, || Simplex { seed: 1 }.into())),
    entry("cellular-f1", "Cellular noise, the distance to the nearest point: CellularOutput::F1",
        Plane(REGIONS, || cellular(CellularOutput::F1, 1.0))),
    entry("cellular-f2", "Cellular noise, the distance to the second nearest: CellularOutput::F2",
        Plane(REGIONS, || cellular(CellularOutput::F2, 1.0))),
    entry("cellular-f2-f1", "Cellular noise, their difference: CellularOutput::F2MinusF1",
        Plane(REGIONS, || cellular(CellularOutput::F2MinusF1, 1.0))),
    entry("cellular-value",
        "Cellular noise, a value for each cell: CellularOutput::CellValue, ramps of 0.2",
        Plane(REGIONS, || cellular(CellularOutput::CellValue, 1.0))),
    entry("cellular-manhattan", "Cellular noise, F1: Metric::Manhattan",
        Plane(REGIONS, || measured(CellularOutput::F1, Metric::Manhattan))),
    entry("cellular-manhattan-f2-f1", "Cellular noise, F2 − F1: Metric::Manhattan",
        Plane(REGIONS, || measured(CellularOutput::F2MinusF1, Metric::Manhattan))),
    entry("cellular-chebyshev", "Cellular noise, F1: Metric::Chebyshev",
        Plane(REGIONS, || measured(CellularOutput::F1, Metric::Chebyshev))),
    entry("cellular-chebyshev-f2-f1", "Cellular noise, F2 − F1: Metric::Chebyshev",
        Plane(REGIONS, || measured(CellularOutput::F2MinusF1, Metric::Chebyshev))),
    entry("cellular-jitter", "Cellular noise, F1 with a jitter of 0.5",
        Plane(REGIONS, || cellular(CellularOutput::F1, 0.5))),
];

/// 1D noise.
#[rustfmt::skip]
pub const CURVES: &[Entry] = &[
    entry("curve-gradient", "1D gradient noise: zero at integers", Curves(LINE, &[
        ("GradientNoise::square(4)", || GradientNoise::square(4).into()),
        ("with quintic fade",
            || GradientNoise { fade: Fade::Quintic, ..GradientNoise::square(4) }.into()),
    ])),
    entry("curve-value", "1D value noise", Curves(LINE, &[
        ("linear", || value(Fade::Linear, LatticeValues::Alone).into()),
        ("cosine", || value(Fade::Cosine, LatticeValues::Alone).into()),
        ("cubic", || value(Fade::Cubic, LatticeValues::Alone).into()),
        ("four-point", || value(Fade::Cubic, LatticeValues::FourPoint).into()),
    ])),
    entry("curve-list", "1D gradient noise from an explicit list: 1, −1, 0.5, 0, 2, −2",
        Curves(LINE, &[
        ("quintic",
            || {
                let gradients = [1.0, -1.0, 0.5, 0.0, 2.0, -2.0];
                GradientNoise::grid(LatticeGrid::gradients(gradients)).into()
            }),
    ])),
    entry("curve-fades", "1D gradient noise with each fade", Curves(4.0, &[
        ("linear", || with_fade(Fade::Linear)),
        ("cosine", || with_fade(Fade::Cosine)),
        ("cubic", || with_fade(Fade::Cubic)),
        ("quintic", || with_fade(Fade::Quintic)),
    ])),
];

fn with_gradients(gradients: Gradients<2>) -> Node {
    GradientNoise { gradients, ..GradientNoise::seeded(1) }.into()
}

fn with_fade<const N: usize>(fade: Fade) -> Node<N> {
    GradientNoise { fade, ..GradientNoise::seeded(1) }.into()
}

fn value<const N: usize>(fade: Fade, values: LatticeValues) -> GradientNoise<N> {
    GradientNoise { fade, values, ..GradientNoise::seeded(1) }
}

fn permuted() -> GradientNoise<2> {
    GradientNoise {
        lattice: Lattice::Permutation(Permutation::default()),
        ..GradientNoise::default()
    }
}

fn cellular(output: CellularOutput, jitter: f32) -> Node {
    Cellular { output, jitter, ..Cellular::seeded(1) }.into()
}

fn measured(output: CellularOutput, metric: Metric) -> Node {
    Cellular { output, metric, ..Cellular::seeded(1) }.into()
}

/// Unit gradients on an n x n grid, each rotated by a fifth of a circle from the one before.
fn wheel(n: u32) -> LatticeGrid<2> {
    let angle = |i| std::f32::consts::TAU / 5.0 * i as f32;
    let gradients = (0..n * n).map(|i| [angle(i).cos(), angle(i).sin()]).collect();
    LatticeGrid { size: [n; 2], gradients, values: Vec::new() }
}

/// Every fractal kind, and the settings of octaves.
#[rustfmt::skip]
pub const FRACTALS: &[Entry] = &[
    entry("fbm", "Fractional Brownian motion: six octaves, gain 1/2, lacunarity 2",
        Plane(WIDE, || fbm(6.0).into())),
    entry("fbm-rotated", "fBm with each octave rotated by 30 degrees",
        Plane(WIDE, || Fractal { rotation: 30.0, ..fbm(6.0) }.into())),
    entry("turbulence", "Turbulence, the sum of absolute values: FractalKind::Turbulence",
        Plane(WIDE, || of_kind(FractalKind::Turbulence).into())),
    entry("turbulence-rotated",
        "Turbulence with each octave rotated by 30 degrees: the lattice shows less",
        Plane(WIDE, || Fractal { rotation: 30.0, ..of_kind(FractalKind::Turbulence) }.into())),
    entry("billow", "Billow: FractalKind::Billow",
        Plane(WIDE, || of_kind(FractalKind::Billow).into())),
    entry("ridged", "Ridged multifractal, rough where it is high: FractalKind::Ridged",
        Plane(WIDE, || of_kind(FractalKind::Ridged(Ridged::default())).into())),
    entry("hybrid",
        "Hybrid multifractal, smooth valleys and rough heights: FractalKind::Hybrid, gain 0.84",
        Plane(WIDE, || {
            Fractal { gain: 0.84, ..of_kind(FractalKind::Hybrid(Hybrid::default())) }.into()
        })),
    entry("ping-pong", "Ping-pong, octaves folded by a triangle wave: FractalKind::PingPong",
        Plane(WIDE, || of_kind(FractalKind::PingPong(PingPong::default())).into())),
    entry("damped", "Slope-damped fBm, rough where it is flat: FractalKind::Damped",
        Plane(WIDE, || of_kind(FractalKind::Damped(Damped::default())).into())),
    entry("b-over-a", "The sum of n(b^i p) / a^i with a = b = 2: Fractal::b_over_a",
        Plane(WIDE, || Fractal::b_over_a(6.0, GradientNoise::seeded(7), 2.0, 2.0).into())),
    entry("b-over-a-smooth", "The sum of n(b^i p) / a^i with a = 3, b = 2",
        Plane(WIDE, || Fractal::b_over_a(6.0, GradientNoise::seeded(7), 3.0, 2.0).into())),
    entry("octaves", "Fractional octave counts: the last octave fades in", Planes(WIDE, &[
        ("3 octaves", || fbm(3.0).into()),
        ("3.25", || fbm(3.25).into()),
        ("3.5", || fbm(3.5).into()),
        ("3.75", || fbm(3.75).into()),
        ("4 octaves", || fbm(4.0).into()),
    ])),
    entry("lacunarity", "Lacunarity, the ratio of frequencies: four octaves", Planes(WIDE, &[
        ("1.5", || Fractal { lacunarity: 1.5, ..fbm(4.0) }.into()),
        ("2", || fbm(4.0).into()),
        ("3", || Fractal { lacunarity: 3.0, ..fbm(4.0) }.into()),
    ])),
    entry("fbm-value", "Six octaves of value noise",
        Plane(WIDE, || Fractal::fbm(6.0, GradientNoise::value(7)).into())),
    entry("fbm-value-rotated",
        "Six octaves of value noise, each rotated by 37 degrees: the lattice disappears",
        Plane(WIDE, || {
            Fractal { rotation: 37.0, ..Fractal::fbm(6.0, GradientNoise::value(7)) }.into()
        })),
    entry("fbm-simplex", "Six octaves of simplex noise",
        Plane(WIDE, || Fractal::fbm(6.0, Simplex { seed: 7 }).into())),
    entry("fbm-cellular", "Four octaves of cellular noise, F2 − F1",
        Plane(WIDE, || {
            let output = CellularOutput::F2MinusF1;
            Fractal::fbm(4.0, Cellular { output, ..Cellular::seeded(7) }).into()
        })),
    entry("curve-fbm", "1D fBm", Curves(6.0, &[
        ("1 octave", || line(1.0).into()),
        ("3 octaves", || line(3.0).into()),
        ("5 octaves, gain 0.4", || Fractal { gain: 0.4, ..line(5.0) }.into()),
    ])),
];

/// The gradient noise of all these pictures.
fn noise() -> Noise<2> {
    GradientNoise::seeded(7).into()
}

fn fbm(octaves: f64) -> Fractal<2> {
    Fractal::fbm(octaves, noise())
}

fn of_kind(kind: FractalKind) -> Fractal<2> {
    Fractal { kind, ..fbm(6.0) }
}

fn line(octaves: f64) -> Fractal<1> {
    Fractal::fbm(octaves, GradientNoise::square(2))
}
