//! Trees far deeper than the stack allows are refused and dropped without recursion.

use std::thread;

use crate::node::Piece;
use crate::{Erosion, Node, Recipe};

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
    for kind in 0..9 {
        let test = move || {
            let node = nested(|node| wrapped(kind, node));
            let error = node.build().unwrap_err();
            assert!(error.problem.contains("deeper than 16"), "{error}");
            let mut recipe = Recipe::new(0, 1.0, node);
            assert!(recipe.build().is_err());
            assert!(!recipe.field.children_mut().is_empty());
        };
        thread::Builder::new().stack_size(1 << 20).spawn(test).unwrap().join().unwrap();
    }
}
