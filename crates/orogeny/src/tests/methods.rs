//! Methods that change nodes: what they make, and where they do not apply.

use crate::{Field, Node};

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
