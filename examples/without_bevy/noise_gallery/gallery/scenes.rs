//! Pictures that are more than a field.

use orogeny::{Fractal, GradientNoise, Node};

use super::{Entry, entry};
use crate::picture::Picture::{Planes, Scene};
use crate::scenes::{lessons, relief, sky, slices, solid};

/// How noise comes about.
#[rustfmt::skip]
pub const LESSONS: &[Entry] = &[
    entry("white-noise", "White noise beside Perlin noise", Scene(lessons::white)),
    entry("heightmap", "A 5 x 5 heightmap: 25 given heights, and value noise between them", Scene(lessons::heightmap)),
    entry("six-octaves-curves", "Six octaves of amplitude 128, 64, .. 4 and frequency 4, 8, .. 128, and their sum", Scene(lessons::octave_curves)),
    entry("six-octaves", "Six octaves of amplitude 128, 64, .. 4 and frequency 4, 8, .. 128, and their sum", Scene(lessons::octave_planes)),
    entry("persistence-curves", "Persistence, the ratio of amplitudes from octave to octave: six octaves", Scene(lessons::persistence_curves)),
    entry("persistence", "Persistence, the ratio of amplitudes from octave to octave: six octaves", Planes(4.0, &[
        ("1/4", || persistence(0.25)),
        ("1/2", || persistence(0.5)),
        ("1/√2", || persistence(std::f32::consts::FRAC_1_SQRT_2)),
        ("1", || persistence(1.0)),
    ])),
];

/// Noise that moves.
#[rustfmt::skip]
pub const FILMS: &[Entry] = &[
    entry("slices", "A slice of three-dimensional noise that moves along z, straight and turned", Scene(slices::film)),
    entry("slices-rms", "How strong such a slice is: straight ones pulse, turned ones do not", Scene(slices::strength)),
    entry("solid", "Noise in four dimensions", Scene(solid::film)),
];

/// Noise at work.
#[rustfmt::skip]
pub const WORKS: &[Entry] = &[
    entry("clouds", "Clouds: billows of turbulence, lit by its gradient", Scene(sky::clouds)),
    entry("corona", "A corona: turbulence displaces the distance from the sun", Scene(sky::corona)),
    entry("relief-alpine", "Relief of the preset alpine", Scene(relief::alpine)),
    entry("relief-fbm", "Relief of fractional Brownian motion", Scene(relief::fbm)),
];

fn persistence(gain: f32) -> Node {
    Fractal { gain, ..Fractal::fbm(6.0, GradientNoise::seeded(7)) }.into()
}
