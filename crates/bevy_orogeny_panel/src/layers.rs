//! Layers, the fields that a node joins, and what new ones begin as.

use orogeny::node::{Clamp, Curve, Normalize, Rotate, Terraces};
use orogeny::noise::Noise;
use orogeny::{Erosion, Fractal, GradientNoise, Node, Shape, Transform};

/// The layers of a node that joins fields.
pub fn layers(node: &Node) -> Option<&Vec<Node>> {
    match node {
        Node::Add(of) | Node::Multiply(of) | Node::Min { of, .. } | Node::Max { of, .. } => {
            Some(of)
        }
        _ => None,
    }
}

/// The same, to be changed.
pub fn layers_mut(node: &mut Node) -> Option<&mut Vec<Node>> {
    match node {
        Node::Add(of) | Node::Multiply(of) | Node::Min { of, .. } | Node::Max { of, .. } => {
            Some(of)
        }
        _ => None,
    }
}

/// What stands for all layers of a node where none is heard.
pub fn silence(node: &Node) -> Node {
    Node::Constant(if matches!(node, Node::Multiply(_)) { 1.0 } else { 0.0 })
}

/// Hills of a kilometre, some hundredths of the recipe's height high.
pub fn hills(seed: u64) -> Node {
    let noise = GradientNoise::seeded(seed);
    Node::from(Fractal { frequency: 1e-3, amplitude: 0.1, ..Fractal::fbm(8.0, noise) })
}

/// What a new layer may be.
pub fn new_layers(seed: u64) -> [Node; 3] {
    [hills(seed), Node::Noise(Noise::Gradient(GradientNoise::seeded(seed))), Node::Constant(0.1)]
}

/// What may be put around a node. All of it begins so that the terrain changes little.
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
        Node::Shape { field: boxed(), by: vec![Shape::Terraces(Terraces::default())] },
        Node::Domain { field: boxed(), by: vec![Transform::Scale([1.0; 2])] },
        Node::Warp { field: boxed(), by: vec![displacement(seed), displacement(seed + 1)] },
        Node::Erode { field: boxed(), by: Erosion::seeded(seed) },
    ]
}

/// What a shape may be.
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

/// What a transform may be.
pub fn transforms() -> [Transform<2>; 3] {
    let turn = Rotate { degrees: 30.0, ..Rotate::default() };
    [Transform::Scale([1.0; 2]), Transform::Rotate(turn), Transform::Translate([0.0; 2])]
}

/// The least seed that no noise of a tree has: a new noise is unrelated to all others.
pub fn free_seed(node: &Node) -> u64 {
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
