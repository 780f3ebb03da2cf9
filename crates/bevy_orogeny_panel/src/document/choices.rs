//! What the panel can add: nodes that have layers, layers of a field, and kinds of plants and
//! rocks.

use orogeny::node::{Clamp, Curve, Normalize, Piece, Rotate, Terraces, Wave};
use orogeny::noise::Noise;
use orogeny::scatter::{Model, Scatter, ScatterKind};
use orogeny::{Band, Erosion, Fractal, GradientNoise, Node, Shape, Transform};

/// The layers of a node that combines a list of fields.
pub fn layers(node: &Node) -> Option<&Vec<Node>> {
    match node {
        Node::Add(of) | Node::Multiply(of) | Node::Min { of, .. } | Node::Max { of, .. } => {
            Some(of)
        }
        _ => None,
    }
}

/// [`layers`], mutably.
pub fn layers_mut(node: &mut Node) -> Option<&mut Vec<Node>> {
    match node {
        Node::Add(of) | Node::Multiply(of) | Node::Min { of, .. } | Node::Max { of, .. } => {
            Some(of)
        }
        _ => None,
    }
}

/// The neutral element of a node with layers: its replacement when all its layers are inactive.
pub fn neutral(node: &Node) -> Node {
    Node::Constant(if matches!(node, Node::Multiply(_)) { 1.0 } else { 0.0 })
}

/// fBm with hills a kilometre wide and about a tenth of the recipe's height.
pub fn hills(seed: u64) -> Node {
    let noise = GradientNoise::seeded(seed);
    Node::from(Fractal { frequency: 1e-3, amplitude: 0.1, ..Fractal::fbm(8.0, noise) })
}

/// The choices for a new layer.
pub fn new_layers(seed: u64) -> [Node; 5] {
    [
        hills(seed),
        Node::Noise(Noise::Gradient(GradientNoise::seeded(seed))),
        Node::Wave(Wave::default()),
        Node::Named("moisture".into()),
        Node::Constant(0.1),
    ]
}

/// The nodes that can wrap a node, with parameters that change the terrain little.
pub fn wrappers(node: Node, seed: u64) -> Vec<Node> {
    let boxed = || Box::new(node.clone());
    let with = |other| vec![node.clone(), Node::Constant(other)];
    let displacement = |seed| Node::Multiply(vec![Node::Constant(500.0), hills(seed)]);
    vec![
        Node::Add(vec![node.clone()]),
        Node::Multiply(with(1.0)),
        Node::Min { of: with(1.0), smooth: 0.1 },
        Node::Max { of: with(-1.0), smooth: 0.1 },
        Node::Lerp {
            from: boxed(),
            to: Box::new(Node::Constant(0.0)),
            mask: Box::new(Node::Constant(0.0)),
        },
        Node::Blend {
            along: vec![Node::Constant(0.0)],
            of: vec![
                Piece::new([], node.clone()),
                Piece::new([Band { min: 1.0, ..Band::default() }], hills(seed)),
            ],
        },
        Node::Shape { field: boxed(), by: vec![Shape::Terraces(Terraces::default())] },
        Node::Domain { field: boxed(), by: vec![Transform::Scale([1.0; 2])] },
        Node::Warp { field: boxed(), by: vec![displacement(seed), displacement(seed + 1)] },
        Node::Erode { field: boxed(), by: Erosion::seeded(seed) },
    ]
}

/// The choices for a shape.
pub fn shapes() -> [Shape; 6] {
    let straight = [-1.0, 0.0, 1.0].map(|x| (x, x)).to_vec();
    [
        Shape::Terraces(Terraces::default()),
        Shape::Clamp(Clamp::default()),
        Shape::Curve(Curve(straight)),
        Shape::Normalize(Normalize::default()),
        Shape::Square,
        Shape::Abs,
    ]
}

/// The choices for a transform.
pub fn transforms() -> [Transform<2>; 3] {
    let turn = Rotate { degrees: 30.0, ..Rotate::default() };
    [Transform::Scale([1.0; 2]), Transform::Rotate(turn), Transform::Translate([0.0; 2])]
}

/// The smallest seed from 1 that no noise of a tree uses.
pub fn unused_seed(node: &Node) -> u64 {
    fn collect(node: &Node, seeds: &mut Vec<u64>) {
        let noise = |noise: &Noise<2>| match noise {
            Noise::Gradient(noise) => noise.seed,
            Noise::Simplex(noise) => noise.seed,
            Noise::Cellular(noise) => noise.seed,
        };
        match node {
            Node::Noise(own) => seeds.push(noise(own)),
            Node::Fractal(fractal) => seeds.push(noise(&fractal.noise)),
            Node::Erode { by, .. } => seeds.push(by.seed),
            _ => {}
        }
        node.children().into_iter().for_each(|child| collect(child, seeds));
    }
    let mut seeds = Vec::new();
    collect(node, &mut seeds);
    (1..).find(|seed| !seeds.contains(seed)).unwrap_or_default()
}

/// A new kind with this model, dense enough to be seen. Its seed is unused.
pub fn new_kind(model: Model, scatter: &Scatter) -> ScatterKind {
    let radius = match model {
        Model::Spruce | Model::Pine | Model::Broadleaf | Model::Birch | Model::Custom(_) => 3.0,
        Model::Bush => 2.0,
        Model::Fern => 0.9,
        Model::Grass => 0.25,
        Model::Flower => 0.6,
        Model::Reed => 0.4,
        Model::Deadwood => 12.0,
        Model::Boulder => 9.0,
        Model::Stone => 1.2,
    };
    let kind = ScatterKind { radius, seed: unused_kind_seed(scatter), ..ScatterKind::default() };
    match model {
        Model::Boulder | Model::Stone => ScatterKind {
            rock: 0.4,
            scree: 0.6,
            grass: 0.1,
            slope: ScatterKind::SLOPE.below(1.6),
            model,
            ..kind
        },
        Model::Reed => ScatterKind {
            scree: 1.0,
            grass: 1.0,
            sand: 1.0,
            bank: ScatterKind::BANK.above(-1.0).below(2.0),
            depth: ScatterKind::DEPTH.below(0.5),
            model,
            ..kind
        },
        Model::Flower => {
            ScatterKind { grass: 0.8, coverage: 0.4, cluster_size: 20.0, model, ..kind }
        }
        Model::Deadwood => ScatterKind { forest: 0.5, model, ..kind },
        _ => ScatterKind { forest: 1.0, grass: 0.3, model, ..kind },
    }
}

/// The smallest seed from 1 that no kind has.
pub fn unused_kind_seed(scatter: &Scatter) -> u64 {
    let is_unused = |seed: &u64| scatter.kinds.iter().all(|kind| kind.seed != *seed);
    (1..).find(is_unused).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;

    #[test]
    fn a_kind_of_each_model_is_valid_beside_the_others() {
        let mut scatter = Scatter::default();
        for model in Model::iter() {
            let kind = new_kind(model.clone(), &scatter);
            assert_eq!(kind.model, model);
            scatter.kinds.push(kind);
        }
        assert_eq!(scatter.check(), Ok(()));
        scatter.kinds.remove(2);
        assert_eq!(unused_kind_seed(&scatter), 3);
    }
}
