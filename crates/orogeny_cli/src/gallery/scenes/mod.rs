//! Pictures that show more than one field.

mod films;
mod lessons;
mod relief;
mod sky;

use orogeny::{Fractal, GradientNoise, Node};

use super::{Entry, entry};
use crate::gallery::picture::Picture::{Planes, Scene};

/// How fractal noise is constructed.
#[rustfmt::skip]
pub const LESSONS: &[Entry] = &[
    entry("white-noise", "White noise and Perlin noise", Scene(lessons::white)),
    entry("heightmap", "A 5 x 5 heightmap, interpolated by value noise", Scene(lessons::heightmap)),
    entry("six-octaves-curves",
        "Six octaves of amplitude 128, 64, .. 4 and frequency 4, 8, .. 128, and their sum",
        Scene(lessons::octave_curves)),
    entry("six-octaves",
        "Six octaves of amplitude 128, 64, .. 4 and frequency 4, 8, .. 128, and their sum",
        Scene(lessons::octave_planes)),
    entry("persistence-curves", "Persistence (gain), the ratio of amplitudes: six octaves",
        Scene(lessons::persistence_curves)),
    entry("persistence", "Persistence (gain), the ratio of amplitudes: six octaves", Planes(4.0, &[
        ("1/4", || persistence(0.25)),
        ("1/2", || persistence(0.5)),
        ("1/√2", || persistence(std::f32::consts::FRAC_1_SQRT_2)),
        ("1", || persistence(1.0)),
    ])),
];

/// Noise that moves.
#[rustfmt::skip]
pub const FILMS: &[Entry] = &[
    entry("slices", "A slice of 3D noise moving along z, aligned with the lattice and rotated",
        Scene(films::slices)),
    entry("slices-rms", "The strength of such slices: aligned ones pulse, rotated ones do not",
        Scene(films::strength)),
    entry("solid", "4D noise, animated: turbulence on a ball", Scene(films::solid)),
];

/// Applications of noise.
#[rustfmt::skip]
pub const WORKS: &[Entry] = &[
    entry("clouds", "Clouds: turbulence, shaded by its gradient", Scene(sky::clouds)),
    entry("corona", "A corona: turbulence displaces the distance from the sun", Scene(sky::corona)),
    entry("relief-alpine", "Shaded relief of the preset `alpine`", Scene(relief::alpine)),
    entry("rivers", "Rivers: drainage as a function of position", Scene(relief::rivers)),
    entry("relief-fbm", "Shaded relief of fBm", Scene(relief::fbm)),
];

fn persistence(gain: f32) -> Node {
    Fractal { gain, ..Fractal::fbm(6.0, GradientNoise::seeded(7)) }.into()
}
