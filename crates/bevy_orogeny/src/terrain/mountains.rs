//! The recipe of [`Terrain::default`](crate::Terrain).

use orogeny::{Fractal, GradientNoise, Node, Recipe};

/// High mountains with green valleys between them.
pub(super) fn recipe() -> Recipe {
    let fbm = |seed, frequency, octaves, amplitude, gain| {
        let fractal = Fractal::fbm(octaves, GradientNoise::seeded(seed));
        Node::from(Fractal { frequency, amplitude, gain, ..fractal })
    };
    // The square of a broad noise decides where the land is high. Rough mountains rise there.
    let high = Node::Constant(0.55) + fbm(1, 0.0001, 4.0, 0.85, 0.5);
    let mountains = Node::Constant(0.4) + fbm(2, 0.0004, 13.0, 1.0, 0.47);
    let field = high.square() * mountains + fbm(3, 0.0011, 9.0, 0.035, 0.45);
    Recipe::new(1, 2600.0, field)
}
