//! Grids of any spacing, their bands, and the caller's slices, compared with single points.

use super::random::{Random, tree};
use crate::{Cellular, Field, GradientNoise, Grid, Jets, Node, Samples, Simplex};

/// The samples of a grid equal those of its points bit for bit, including NaN.
fn check(field: &dyn Field<2>, grid: &Grid<2>, what: &str) {
    let bits = |x: f32| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() };
    let (mut samples, mut jets) = (Samples::new(), Jets::new());
    field.sample_grid(grid, &mut samples);
    field.jet_grid(grid, &mut jets);
    let mut values = vec![0.0; grid.len()];
    field.value_grid(grid, &mut values);
    assert_eq!(samples.len(), grid.len(), "{what}");
    for (i, p) in grid.points().enumerate() {
        let expected = field.sample(p);
        let found = [samples.get(i), jets.get(i).sample];
        for found in found {
            assert_eq!(bits(found.value), bits(expected.value), "{what} {grid:?} {p:?}");
            assert_eq!(found.gradient.map(bits), expected.gradient.map(bits), "{what} {p:?}");
        }
        assert_eq!(bits(values[i]), bits(expected.value), "{what} {p:?}");
    }
}

#[test]
fn grids_of_any_spacing_have_the_bits_of_points() {
    let spacings = [0.0, -0.3, 0.1, -2.5, 1e3, 1e300, f64::INFINITY, f64::NAN];
    let noise = Node::<2>::from(GradientNoise::seeded(7));
    let fields = [
        noise.clone().fbm(3).frequency(0.1).build().unwrap(),
        noise.clone().fbm(2).warp([Node::noise(1), Node::noise(2)]).build().unwrap(),
        Node::from(Simplex { seed: 3 }).build().unwrap(),
        Node::from(Cellular::seeded(4)).build().unwrap(),
        (noise * 2.0).abs().build().unwrap(),
    ];
    for (k, field) in fields.iter().enumerate() {
        for x in spacings {
            for z in spacings {
                let spacing = [x, z];
                let grid = Grid { spacing, ..Grid::new([0.3, -17.25], 1.0, [19, 5]) };
                check(field, &grid, &format!("field {k}"));
            }
        }
    }
}

#[test]
fn bands_have_the_bits_of_the_whole() {
    let mut r = Random::new(11);
    for _ in 0..40 {
        let Ok(field) = tree::<2>(&mut r, 2).build() else { continue };
        let spacing = [r.within(-2.0, 2.0), r.within(-2.0, 2.0)];
        let size = [1 + r.below(40), 1 + r.below(40)];
        let grid = Grid { spacing, ..Grid::new(r.point(100.0), 1.0, size) };
        let mut whole = Samples::new();
        field.sample_grid(&grid, &mut whole);
        let mut part = Samples::new();
        let mut all = Vec::new();
        for band in grid.bands(1 + r.below(7)) {
            field.sample_grid(&band, &mut part);
            all.extend(part.iter());
        }
        assert_eq!(all, whole.iter().collect::<Vec<_>>());
        let mut values = vec![0.0; grid.len()];
        field.value_grid(&grid, &mut values);
        assert_eq!(values, whole.values());
        let points: Vec<_> = grid.points().collect();
        field.value_points(&points, &mut values);
        assert_eq!(values, whole.values());
        let (values, [dx, dz]) = whole.clone().into_vecs();
        assert_eq!(values, whole.values());
        assert_eq!([&dx[..], &dz[..]], [whole.derivatives(0), whole.derivatives(1)]);
    }
}

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
