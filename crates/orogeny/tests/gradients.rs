//! Gradients against central differences, everywhere that terrain reaches.
//!
//! The fields return `f32`, so a difference quotient has noise of its own: about 2e-7 a / h for amplitude a. The step h is
//! chosen so that this and the curvature of the noise over h stay far below the tolerance. The formulas themselves
//! are tested in f64, to 4e-6, beside the kernel.

use orogeny::{Field, Fractal, GradientNoise, Grid, Node, Samples, Tree};
use proptest::prelude::*;

/// The largest difference between the gradient and the quotients with step `h`.
fn error<const N: usize>(field: &impl Field<N>, p: [f64; N], h: f64) -> f64 {
    let gradient = field.sample(p).gradient;
    (0..N)
        .map(|k| {
            let at = |step: f64| {
                let mut q = p;
                q[k] += step;
                // The step that was really made: far out, coordinates are coarse.
                (q[k], f64::from(field.value(q)))
            };
            let ((x0, v0), (x1, v1)) = (at(-h), at(h));
            ((v1 - v0) / (x1 - x0) - f64::from(gradient[k])).abs()
        })
        .fold(0.0, f64::max)
}

/// Coordinates near zero, negative, at cell borders, and as far out as 1e12.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        -4.0..4.0,
        -1e6..1e6,
        (-1000i32..1000).prop_map(f64::from),
        (-1000i32..1000, -1e-3..1e-3).prop_map(|(cell, t)| f64::from(cell) + t),
        (-1e12..1e12).prop_map(f64::floor),
        (0i32..1000, 0.0..1.0).prop_map(|(cell, t)| 1e12 + f64::from(cell) + t),
    ]
}

fn noise<const N: usize>(seed: u64) -> Tree<N> {
    Node::noise(seed).build().unwrap()
}

fn fractal<const N: usize>(seed: u64) -> Fractal<N> {
    let fractal = Fractal::fbm(5.0, GradientNoise::seeded(seed));
    Fractal { frequency: 0.11, amplitude: 3.0, lacunarity: 1.97, ..fractal }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn noise_2d(p in [coordinate(), coordinate()], seed: u64) {
        let e = error(&noise(seed), p, 1.0 / 256.0);
        prop_assert!(e < 2e-3, "{e} at {p:?}");
    }

    #[test]
    fn noise_3d(p in [coordinate(), coordinate(), coordinate()], seed: u64) {
        let e = error(&noise(seed), p, 1.0 / 256.0);
        prop_assert!(e < 2e-3, "{e} at {p:?}");
    }

    #[test]
    fn fbm_2d(p in [coordinate(), coordinate()], seed: u64) {
        let e = error(&Node::from(fractal(seed)).build().unwrap(), p, 1.0 / 256.0);
        prop_assert!(e < 2e-3, "{e} at {p:?}");
    }

    #[test]
    fn fbm_3d(p in [coordinate(), coordinate(), coordinate()], seed: u64) {
        let e = error(&Node::from(fractal(seed)).build().unwrap(), p, 1.0 / 256.0);
        prop_assert!(e < 2e-3, "{e} at {p:?}");
    }
}

/// Values and gradients agree from both sides of a cell border, and of its corner.
#[test]
fn borders_are_smooth() {
    let noise = noise(1);
    let e = 1e-9;
    for cell in [-3.0, -1.0, 0.0, 1.0, 1e6, -1e6] {
        for z in [0.3, -0.7, 2.0] {
            for (a, b) in [([cell - e, z], [cell + e, z]), ([z, cell - e], [z, cell + e])] {
                let (a, b) = (noise.sample(a), noise.sample(b));
                assert!((a.value - b.value).abs() < 1e-6, "{a:?} {b:?}");
                for k in 0..2 {
                    assert!((a.gradient[k] - b.gradient[k]).abs() < 1e-5, "{a:?} {b:?}");
                }
            }
        }
    }
}

/// The largest difference between neighbours one unit apart is the same at 1e12 as at home, over 15,000 cells each.
#[test]
fn as_smooth_at_1e12_as_at_home() {
    const SIZE: usize = 1000;
    let field =
        Node::from(Fractal { frequency: 0.13, ..Fractal::fbm(1.0, GradientNoise::seeded(0)) })
            .build()
            .unwrap();
    let mut samples = Samples::new();
    let mut largest = |home: f64| {
        let grid = Grid { origin: [home, home], spacing: 1.0, size: [SIZE, SIZE] };
        field.fill(&grid, &mut samples);
        let steps = samples.values().windows(2).enumerate().filter(|(i, _)| (i + 1) % SIZE != 0);
        steps.map(|(_, pair)| (pair[1] - pair[0]).abs()).fold(0.0, f32::max)
    };
    let (home, far) = (largest(0.0), largest(1e12));
    assert!((0.98..1.02).contains(&(far / home)), "{home} {far}");
}

#[test]
fn outside_the_domain_is_nan_and_inside_is_not() {
    let noise = noise(0);
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e19, f64::MAX] {
        let sample = noise.sample([x, 0.5]);
        assert!(sample.value.is_nan(), "{x}: {sample:?}");
        assert!(sample.gradient.iter().all(|g| g.is_nan()), "{x}: {sample:?}");
    }
    for x in [0.0, -0.0, 1e18, -1e18, f64::MIN_POSITIVE, 5e-324] {
        let sample = noise.sample([x, 0.5]);
        assert!(sample.value.is_finite() && sample.gradient[1].is_finite(), "{x}: {sample:?}");
    }
}
