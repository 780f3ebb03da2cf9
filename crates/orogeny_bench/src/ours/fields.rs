//! The fields of the workloads.

use orogeny::fractal::{Damped, Ridged};
use orogeny::noise::Noise as AnyNoise;
use orogeny::{Cellular, Erosion, Fractal, FractalKind, GradientNoise, Node, Simplex, Transform};

use crate::workload::{Basis, GAIN, Kind, Noise, OFFSET, TURN, WARP};

/// A noise in two dimensions.
pub fn plane(noise: &Noise) -> Node<2> {
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
pub fn volume(noise: &Noise) -> Node<3> {
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
