//! The recipe of [`Terrain::default`](crate::Terrain).

use orogeny::scatter::{Model, Scatter, ScatterKind};
use orogeny::{Climate, Fractal, GradientNoise, Node, Recipe};

/// High mountains with green valleys between them, lakes, woods and rocks.
pub(super) fn recipe() -> Recipe {
    let fbm = |seed, frequency, octaves, amplitude, gain| {
        let fractal = Fractal::fbm(octaves, GradientNoise::seeded(seed));
        Node::from(Fractal { frequency, amplitude, gain, ..fractal })
    };
    // The square of a broad noise decides where the land is high. Rough mountains rise there.
    let high = Node::Constant(0.55) + fbm(1, 0.0001, 4.0, 0.85, 0.5);
    let mountains = Node::Constant(0.4) + fbm(2, 0.0004, 13.0, 1.0, 0.47);
    let field = high.square() * mountains + fbm(3, 0.0011, 9.0, 0.035, 0.45);
    // 15 % of the land is lower: lakes of some kilometres.
    let climate = Climate { temperature: 9.0, sunny_side: 4.0, ..Climate::default() };
    let (sea_level, scatter) = (Some(40.0), scatter());
    Recipe { sea_level, climate, scatter, ..Recipe::new(1, 2600.0, field) }
}

/// Woods up to the tree line, and what grows and lies on meadows and slopes.
fn scatter() -> Scatter {
    let kind = |name: &str, seed, model, radius| ScatterKind {
        name: name.into(),
        seed,
        model,
        radius,
        // Above the water.
        depth: ScatterKind::DEPTH.below(-1.0),
        ..ScatterKind::default()
    };
    let spruce = ScatterKind {
        forest: 1.0,
        grass: 0.02,
        slope: ScatterKind::SLOPE.below(0.95),
        temperature: ScatterKind::TEMPERATURE.above(3.0).soft(2.0),
        stunting: 0.6,
        solid_radius: 0.25,
        solid_height: 12.0,
        ..kind("Spruce", 1, Model::Spruce, 2.8)
    };
    let boulder = ScatterKind {
        scree: 0.5,
        rock: 0.2,
        grass: 0.08,
        forest: 0.15,
        slope: ScatterKind::SLOPE.below(1.6),
        depth: ScatterKind::DEPTH.below(0.5),
        size_min: 0.3,
        size_max: 2.0,
        align: 0.3,
        lean: 0.3,
        stunting: 0.0,
        solid_radius: 0.7,
        solid_height: 0.9,
        ..kind("Boulder", 2, Model::Boulder, 9.0)
    };
    let bush = ScatterKind {
        forest: 0.08,
        grass: 0.12,
        coverage: 0.35,
        cluster_size: 40.0,
        temperature: ScatterKind::TEMPERATURE.above(2.0).soft(2.0),
        ..kind("Bush", 3, Model::Bush, 2.0)
    };
    let stone = ScatterKind {
        scree: 0.8,
        rock: 0.3,
        grass: 0.02,
        slope: ScatterKind::SLOPE.below(1.8),
        size_min: 0.3,
        size_max: 2.2,
        align: 0.5,
        lean: 0.5,
        stunting: 0.0,
        ..kind("Stone", 4, Model::Stone, 1.2)
    };
    let grass = ScatterKind {
        grass: 1.0,
        forest: 0.12,
        slope: ScatterKind::SLOPE.below(1.1),
        size_min: 0.5,
        size_max: 1.3,
        align: 0.3,
        lean: 0.3,
        ..kind("Grass", 5, Model::Grass, 0.24)
    };
    Scatter { kinds: vec![spruce, boulder, bush, stone, grass], ..Scatter::default() }
}
