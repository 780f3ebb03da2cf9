//! Gradients compared with central differences, from the origin to 1e12.
//!
//! Fields return `f32`, so a difference quotient with step h has a rounding error of about 2e-7 a /
//! h for amplitude a. The step keeps this error, and that of the curvature, far below the
//! tolerance. `src/tests/gradients.rs` tests the formulas in f64.

use orogeny::lattice::{Fade, LatticeValues};
use orogeny::{Cellular, Field, Fractal, GradientNoise, Node, Simplex, Tree};
use proptest::prelude::*;

/// The largest difference between the gradient and the quotients with step `h`.
fn error<const N: usize>(field: &impl Field<N>, p: [f64; N], h: f64) -> f64 {
    let gradient = field.sample(p).gradient;
    (0..N)
        .map(|k| {
            let at = |step: f64| {
                let mut q = p;
                q[k] += step;
                // The actual rounded step: far from the origin, coordinates are coarse.
                (q[k], f64::from(field.value(q)))
            };
            let ((x0, v0), (x1, v1)) = (at(-h), at(h));
            ((v1 - v0) / (x1 - x0) - f64::from(gradient[k])).abs()
        })
        .fold(0.0, f64::max)
}

/// Coordinates near zero, negative ones, at cell borders, and up to 1e12.
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

/// Values agree on both sides of cell borders and corners, also at zero. So do gradients, unless
/// the fade is linear.
#[test]
fn borders_are_smooth() {
    fn check<const N: usize>(name: &str, node: Node<N>, smooth: bool) {
        let field = node.build().unwrap();
        for i in 0..400 {
            let cells = [0.0, 1.0, -1.0, 3.0, -7.0, 1e6, -1e6, 255.0, 256.0];
            // An integer along one axis, or along all.
            let axis = i % N;
            let p: [f64; N] = std::array::from_fn(|k| {
                let cell = cells[(i * (k + 3) + k) % cells.len()];
                let anywhere = f64::from(i as u32) * 0.3719 * (k as f64 - 1.4);
                if k == axis || i % 5 == 0 { cell } else { anywhere }
            });
            let side = |h: f64| {
                field.sample(std::array::from_fn(|k| if k == axis { p[k] + h } else { p[k] }))
            };
            let (below, above) = (side(-1e-9), side(1e-9));
            assert!(
                (below.value - above.value).abs() < 4e-6,
                "{name} at {p:?}: {below:?} {above:?}"
            );
            for k in 0..N {
                let jump = (below.gradient[k] - above.gradient[k]).abs();
                assert!(!smooth || jump < 4e-5, "{name} at {p:?}: {below:?} {above:?}");
            }
        }
    }
    fn all<const N: usize>() {
        for fade in [Fade::Linear, Fade::Cosine, Fade::Cubic, Fade::Quintic] {
            for values in [
                LatticeValues::Zero,
                LatticeValues::Added,
                LatticeValues::Alone,
                LatticeValues::FourPoint,
            ] {
                let noise = GradientNoise { fade, values, ..GradientNoise::<N>::classic(1) };
                let smooth = fade != Fade::Linear || values == LatticeValues::FourPoint;
                check(&format!("{N}D {fade:?} {values:?}"), noise.into(), smooth);
            }
        }
        check(&format!("{N}D hash"), Node::<N>::noise(1), true);
        let period = [3; N];
        check(
            &format!("{N}D periodic"),
            GradientNoise { period, ..GradientNoise::<N>::seeded(1) }.into(),
            true,
        );
        check(&format!("{N}D cellular"), Cellular::<N>::seeded(1).into(), false);
    }
    all::<1>();
    all::<2>();
    all::<3>();
    all::<4>();
    check::<2>("simplex 2D", Simplex { seed: 1 }.into(), true);
    check::<3>("simplex 3D", Simplex { seed: 1 }.into(), true);
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
