//! Pictures of fractals.

use orogeny::fractal::{Damped, Hybrid, PingPong, Ridged};
use orogeny::noise::{CellularOutput, Noise};
use orogeny::{Cellular, Fractal, FractalKind, GradientNoise, Simplex};

use super::{Entry, entry};
use crate::picture::Picture::{Curves, Plane, Planes};

/// The width of the pictures in cells of the first octave.
const CELLS: f64 = 4.0;

/// Every fractal kind, and the settings of octaves.
#[rustfmt::skip]
pub const FRACTALS: &[Entry] = &[
    entry("fbm", "Fractional Brownian motion: six octaves, gain 1/2, lacunarity 2",
        Plane(CELLS, || fbm(6.0).into())),
    entry("fbm-rotated", "fBm with each octave rotated by 30 degrees",
        Plane(CELLS, || Fractal { rotation: 30.0, ..fbm(6.0) }.into())),
    entry("turbulence", "Turbulence, the sum of absolute values: FractalKind::Turbulence",
        Plane(CELLS, || of_kind(FractalKind::Turbulence).into())),
    entry("turbulence-rotated",
        "Turbulence with each octave rotated by 30 degrees: the lattice shows less",
        Plane(CELLS, || Fractal { rotation: 30.0, ..of_kind(FractalKind::Turbulence) }.into())),
    entry("billow", "Billow: FractalKind::Billow",
        Plane(CELLS, || of_kind(FractalKind::Billow).into())),
    entry("ridged", "Ridged multifractal, rough where it is high: FractalKind::Ridged",
        Plane(CELLS, || of_kind(FractalKind::Ridged(Ridged::default())).into())),
    entry("hybrid",
        "Hybrid multifractal, smooth valleys and rough heights: FractalKind::Hybrid, gain 0.84",
        Plane(CELLS, || {
            Fractal { gain: 0.84, ..of_kind(FractalKind::Hybrid(Hybrid::default())) }.into()
        })),
    entry("ping-pong", "Ping-pong, octaves folded by a triangle wave: FractalKind::PingPong",
        Plane(CELLS, || of_kind(FractalKind::PingPong(PingPong::default())).into())),
    entry("damped", "Slope-damped fBm, rough where it is flat: FractalKind::Damped",
        Plane(CELLS, || of_kind(FractalKind::Damped(Damped::default())).into())),
    entry("b-over-a", "The sum of n(b^i p) / a^i with a = b = 2: Fractal::b_over_a",
        Plane(CELLS, || Fractal::b_over_a(6.0, GradientNoise::seeded(7), 2.0, 2.0).into())),
    entry("b-over-a-smooth", "The sum of n(b^i p) / a^i with a = 3, b = 2",
        Plane(CELLS, || Fractal::b_over_a(6.0, GradientNoise::seeded(7), 3.0, 2.0).into())),
    entry("octaves", "Fractional octave counts: the last octave fades in", Planes(CELLS, &[
        ("3 octaves", || fbm(3.0).into()),
        ("3.25", || fbm(3.25).into()),
        ("3.5", || fbm(3.5).into()),
        ("3.75", || fbm(3.75).into()),
        ("4 octaves", || fbm(4.0).into()),
    ])),
    entry("lacunarity", "Lacunarity, the ratio of frequencies: four octaves", Planes(CELLS, &[
        ("1.5", || Fractal { lacunarity: 1.5, ..fbm(4.0) }.into()),
        ("2", || fbm(4.0).into()),
        ("3", || Fractal { lacunarity: 3.0, ..fbm(4.0) }.into()),
    ])),
    entry("fbm-value", "Six octaves of value noise",
        Plane(CELLS, || Fractal::fbm(6.0, GradientNoise::value(7)).into())),
    entry("fbm-value-rotated",
        "Six octaves of value noise, each rotated by 37 degrees: the lattice disappears",
        Plane(CELLS, || {
            Fractal { rotation: 37.0, ..Fractal::fbm(6.0, GradientNoise::value(7)) }.into()
        })),
    entry("fbm-simplex", "Six octaves of simplex noise",
        Plane(CELLS, || Fractal::fbm(6.0, Simplex { seed: 7 }).into())),
    entry("fbm-cellular", "Four octaves of cellular noise, F2 − F1",
        Plane(CELLS, || {
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
