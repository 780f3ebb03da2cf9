//! Methods that change nodes: what they make, and where they do not apply. Trees far deeper than
//! the stack allows are refused and dropped without recursion.

use std::thread;

use crate::node::Piece;
use crate::{Climate, Erosion, Field, Node, Recipe};

#[test]
fn methods_make_fractals_in_any_order() {
    let noise = || Node::<2>::noise(7);
    let one = noise().fbm(8).gain(0.4).lacunarity(2.1).frequency(0.01).amplitude(30.0);
    let other = noise().amplitude(30.0).frequency(0.01).lacunarity(2.1).gain(0.4).octaves(8);
    assert_eq!(one, other);
    let Node::Fractal(fractal) = &one else { panic!("{one:?}") };
    assert_eq!((fractal.octaves, fractal.gain, fractal.amplitude), (8.0, 0.4, 30.0));

    // A single octave is the noise itself.
    let (bare, single) = (noise().build().unwrap(), noise().frequency(0.5).build().unwrap());
    for p in [[0.25, 0.75], [-31.5, 8.25], [1e6, -3.0]] {
        assert_eq!(single.value(p), bare.value(p.map(|x| 0.5 * x)));
    }
    // Beyond a fractal's limits, and on other nodes, positions and values are multiplied.
    for node in [noise().fbm(2), noise() + 1.0, noise().warp([noise(), noise()])] {
        let field = node.clone().build().unwrap();
        for (frequency, amplitude) in [(-2.0, 3.0), (4096.0, 0.5), (0.5, -1.0)] {
            let changed = node.clone().frequency(frequency).amplitude(amplitude);
            let changed = changed.build().unwrap();
            let p = [0.37, -1.25];
            let expected = amplitude * field.value(p.map(|x| frequency * x));
            assert!((changed.value(p) - expected).abs() < 1e-6, "{node:?} {frequency}");
        }
    }
    let limit = noise().fbm(2).amplitude(1e4).amplitude(1e4).build().unwrap();
    assert!(limit.bounds().max > 1e7);
}

#[test]
fn methods_that_do_not_apply_are_refused() {
    let sum = || Node::<2>::noise(1) + 1.0;
    let all = [
        ("fbm", sum().fbm(2)),
        ("ridged", sum().ridged(2)),
        ("billow", sum().billow(2)),
        ("turbulence", sum().turbulence(2)),
        ("hybrid", sum().hybrid(2)),
        ("ping_pong", sum().ping_pong(2)),
        ("damped", sum().damped(2)),
        ("octaves", sum().octaves(2)),
        ("gain", sum().gain(0.5)),
        ("lacunarity", sum().lacunarity(2.0)),
    ];
    for (method, node) in all {
        // Later methods do not change the error.
        let node = node.gain(0.5).frequency(2.0).amplitude(3.0).warp([sum(), sum()]);
        let error = node.build().unwrap_err();
        assert_eq!(error.path, "Warp.field");
        assert_eq!(error.problem, format!("{method}() needs a noise or a fractal, not Add"));
    }
    let error = Node::<2>::noise(1).fbm(99).build().unwrap_err();
    assert_eq!(error.to_string(), "Fractal.octaves: octaves is 99, but must be between 1 and 24");
}

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
