//! Trees far deeper than the stack allows are refused and dropped without recursion.

use std::thread;

use crate::node::Piece;
use crate::{Climate, Erosion, Node, Recipe};

/// A hundred thousand nested nodes.
fn nested(wrap: impl Fn(Node) -> Node) -> Node {
    (0..100_000).fold(Node::Constant(1.0), |node, _| wrap(node))
}

fn wrapped(kind: usize, node: Node) -> Node {
    let leaf = || Box::new(Node::Constant(0.0));
    match kind {
        0 => Node::Add(vec![Node::noise(1), node]),
        1 => Node::Max { of: vec![node], smooth: 0.0 },
        2 => Node::Lerp { from: leaf(), to: leaf(), mask: Box::new(node) },
        6 => Node::Blend { along: vec![node], of: vec![Piece::new([], 0.0)] },
        7 => Node::Blend { along: vec![0.0.into()], of: vec![Piece::new([], node)] },
        9 => Node::Lands([("land".to_owned(), node)].into()),
        3 => Node::Shape { field: Box::new(node), by: Vec::new() },
        4 => Node::Domain { field: Box::new(node), by: Vec::new() },
        5 => Node::Warp { field: leaf(), by: vec![node, Node::Constant(0.0)] },
        _ => Node::Erode { field: Box::new(node), by: Erosion::default() },
    }
}

/// Each kind of node with children, in a thread with a stack of 1 MiB, like the main thread on
/// Windows.
#[test]
fn deep_trees_are_refused_and_dropped() {
    for kind in 0..10 {
        let test = move || {
            let node = nested(|node| wrapped(kind, node));
            let error = node.build().unwrap_err();
            // Lands are only those of a recipe.
            assert!(kind == 9 || error.problem.contains("deeper than 16"), "{error}");
            let mut recipe = Recipe::new(0, 1.0, node);
            assert!(recipe.build().is_err());
            // Wherever a recipe has trees.
            let deep = || Some(nested(|node| wrapped(kind, node)));
            let climate = Climate { temperature_field: deep(), ..Climate::default() };
            let other = Recipe { climate, ..Recipe::new(0, 1.0, 0.0) };
            assert!(other.build().is_err() && !other.climate.has_mean_of(&Climate::default()));
            let fields = deep().map(|node| ("deep".to_owned(), node)).into_iter().collect();
            assert!(Recipe { fields, ..Recipe::new(0, 1.0, 0.0) }.build().is_err());
            assert!(!recipe.field.children_mut().is_empty());
        };
        thread::Builder::new().stack_size(1 << 20).spawn(test).unwrap().join().unwrap();
    }
}
