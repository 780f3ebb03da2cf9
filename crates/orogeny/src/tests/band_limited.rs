//! Band-limited gradients: the same values, and gradients without the octaves that a grid cannot
//! resolve.

use core::array;
use std::sync::Arc;

use super::random::{Random, cases, tree};
use crate::fractal::{Hybrid, Ridged};
use crate::lattice::hash::derive;
use crate::{
    Field, Fractal, FractalKind, GradientNoise, Grid, Node, Sample, Samples, SharedField,
    Transform, Tree,
};

type Limited<const N: usize> = SharedField<N>;

fn limited<const N: usize>(field: &Tree<N>, spacing: f64) -> Limited<N> {
    field.band_limited(spacing).expect("trees support it")
}

fn bits<const N: usize>(sample: Sample<N>) -> (u32, [u32; N]) {
    (sample.value.to_bits(), sample.gradient.map(f32::to_bits))
}

fn fbm(seed: u64, octaves: f64, frequency: f64) -> Fractal<2> {
    Fractal { frequency, ..Fractal::fbm(octaves, GradientNoise::seeded(seed)) }
}

fn built(node: impl Into<Node<2>>) -> Tree<2> {
    node.into().build().unwrap()
}

/// Whether gradients agree relative to the maximum slope of the field.
fn close(a: Sample<2>, b: Sample<2>, slope: f64) -> bool {
    let tolerance = 2e-6 * slope as f32;
    a.gradient.iter().zip(b.gradient).all(|(a, b)| (a - b).abs() <= tolerance)
}

/// Values are unchanged bit for bit at points and on grids, and a grid equals its points. Tiny
/// spacings change nothing, huge ones leave no slope, and gradients stay within the bounds.
#[test]
fn random_trees_keep_their_values() {
    fn check<const N: usize>(size: [usize; N]) {
        let (mut whole, mut part) = (Samples::new(), Samples::new());
        for seed in 0..cases(150) as u64 {
            let mut r = Random::new(seed);
            let Ok(field) = tree::<N>(&mut r, 4).build() else { continue };
            let grid = Grid::new(r.point(100.0), 0.37, size);
            field.sample_grid(&grid, &mut whole);
            for spacing in [0.0, 1e-9, 0.2, 0.5, r.within(0.05, 3.0), 1e9, f64::INFINITY] {
                let limited = limited(&field, spacing);
                limited.sample_grid(&grid, &mut part);
                assert_eq!(limited.bounds(), field.bounds());
                for (i, p) in grid.points().enumerate() {
                    let (own, found) = (whole.get(i), part.get(i));
                    assert_eq!(bits(found), bits(limited.sample(p)), "seed {seed} at {p:?}");
                    assert_eq!(found.value.to_bits(), own.value.to_bits(), "seed {seed} at {p:?}");
                    if spacing < 1e-3 {
                        assert_eq!(bits(found), bits(own), "seed {seed} at {p:?}");
                    }
                    if spacing > 1e6 {
                        assert_eq!(found.gradient, [0.0; N], "seed {seed} at {p:?}");
                    }
                    let length = found.gradient.iter().map(|&g| f64::from(g).powi(2)).sum::<f64>();
                    assert!(length.sqrt() <= field.bounds().lipschitz * (1.0 + 1e-5) + 1e-5);
                }
            }
        }
    }
    check([17]);
    check([7, 5]);
    check([4, 3, 2]);
    check([3, 2, 2, 2]);
}

/// At lacunarity 2 a spacing keeps the first octaves fully, and removes all finer ones.
#[test]
fn an_fbm_has_the_slope_of_its_coarse_octaves() {
    let mut r = Random::new(3);
    let whole = built(fbm(5, 6.0, 0.25));
    for kept in 1..6 {
        let coarse = built(fbm(5, f64::from(kept), 0.25));
        let next = built(fbm(5, f64::from(kept) + 1.0, 0.25));
        // The last octave that is kept has a quarter of a cell between neighbouring points.
        let edge = 2f64.powi(1 - kept);
        // Here the next octave has the weight s^2 (3 - 2 s) with s = 0.6.
        let (between, weight) = (0.7 * edge, 0.648f32);
        for _ in 0..1000 {
            let p = r.point(1000.0);
            let (a, b) = (coarse.sample(p), next.sample(p));
            let slope = whole.bounds().lipschitz;
            assert!(close(limited(&whole, edge).sample(p), a, slope), "{kept} at {p:?}");
            let mean = Sample {
                gradient: array::from_fn(|k| {
                    a.gradient[k] + weight * (b.gradient[k] - a.gradient[k])
                }),
                ..a
            };
            assert!(close(limited(&whole, between).sample(p), mean, slope), "{kept} at {p:?}");
        }
    }
}

/// The formulas of all kinds, written as trees of single noises. The chain rule weights each octave
/// equally in both.
#[test]
fn every_kind_weighs_its_octaves() {
    let (frequency, gain, octaves) = (0.3f64, 0.5f32, 4);
    let noise = |i: i32| {
        let seed = derive(9, i as u64);
        Node::<2>::from(GradientNoise::seeded(seed)).frequency(frequency * 2f64.powi(i))
    };
    let sum = |term: &mut dyn FnMut(i32) -> Node<2>| {
        Node::Add((0..octaves).map(|i| term(i) * gain.powi(i)).collect())
    };
    let ridged = Ridged { offset: 0.9, feedback: 1.5 };
    let hybrid = Hybrid { offset: 0.6, feedback: 1.4 };
    let (mut signal, mut term) = (None, None);
    let trees = [
        (
            FractalKind::Hybrid(hybrid),
            Node::Add(
                (0..octaves)
                    .map(|i| {
                        let own = (noise(i) + hybrid.offset) * gain.powi(i);
                        let weight = term
                            .take()
                            .map(|t: Node<2>| (t * hybrid.feedback).min(Node::Constant(1.0), 0.0));
                        let next = weight.map_or(own.clone(), |weight| weight * own);
                        term.insert(next).clone()
                    })
                    .collect(),
            ),
        ),
        (FractalKind::Fbm, sum(&mut |i| noise(i))),
        (FractalKind::Turbulence, sum(&mut |i| noise(i).abs())),
        (FractalKind::Billow, sum(&mut |i| noise(i).abs() * 2.0 - 1.0)),
        (
            FractalKind::Ridged(ridged),
            sum(&mut |i| {
                let crest = (noise(i).abs() * -1.0 + ridged.offset).square();
                let weight = signal
                    .take()
                    .map(|s: Node<2>| (s * ridged.feedback).min(Node::Constant(1.0), 0.0));
                let next = weight.map_or(crest.clone(), |weight| weight * crest);
                signal.insert(next).clone()
            }),
        ),
    ];
    let mut r = Random::new(4);
    for (kind, tree) in trees {
        let fractal =
            Fractal { kind, gain, offset: false, ..fbm(9, f64::from(octaves), frequency) };
        let (fractal, tree) = (built(fractal), built(tree));
        for spacing in [0.0, 0.3, 0.5, 0.8, 1.1, 1.4, 5.0] {
            let (fractal_part, tree_part) = (limited(&fractal, spacing), limited(&tree, spacing));
            for _ in 0..500 {
                let p = r.point(100.0);
                let [a, b] = [fractal_part.sample(p), tree_part.sample(p)];
                assert!(close(a, b, fractal.bounds().lipschitz), "{kind:?} {spacing}: {a:?} {b:?}");
            }
        }
    }
}

/// (f g)' = f' g + f g' with the limited gradients of both.
#[test]
fn products_follow_the_product_rule() {
    let (f, g) = (fbm(1, 5.0, 0.2), fbm(2, 4.0, 0.35));
    let product = built(Node::from(f.clone()) * Node::from(g.clone()));
    let (f, g) = (built(f), built(g));
    let mut r = Random::new(5);
    for spacing in [0.1, 0.4, 0.9, 1.3, 4.0] {
        let [product_part, f_part, g_part] =
            [&product, &f, &g].map(|field| limited(field, spacing));
        for _ in 0..1000 {
            let p = r.point(1000.0);
            let (f, g) = (f_part.sample(p), g_part.sample(p));
            let gradient = array::from_fn(|k| f.gradient[k] * g.value + f.value * g.gradient[k]);
            let expected = Sample { gradient, ..f };
            let found = product_part.sample(p);
            assert!(close(found, expected, product.bounds().lipschitz), "{spacing} at {p:?}");
        }
    }
}

/// Transforms around a field scale the spacing by the largest of their factors. Rotations and
/// translations do not change it.
#[test]
fn scales_count_towards_the_spacing() {
    let noise = built(Node::noise(6));
    let stretched = built(Node::noise(6).transform(Transform::Scale([0.5, -2.0])));
    let rotated = built(Node::noise(6).translate([3.0, 4.0]).rotate(30.0).frequency(2.0));
    let mut r = Random::new(6);
    for spacing in [0.1f64, 0.15, 0.2, 0.24] {
        let weight = {
            let s = (2.0 - 4.0 * (2.0 * spacing)).clamp(0.0, 1.0);
            (s * s * (3.0 - 2.0 * s)) as f32
        };
        for _ in 0..200 {
            let p = r.point(100.0);
            let inner = limited(&noise, 2.0 * spacing).sample([0.5 * p[0], -2.0 * p[1]]);
            let found = limited(&stretched, spacing).sample(p);
            assert_eq!(found.gradient, [0.5 * inner.gradient[0], -2.0 * inner.gradient[1]]);
            for field in [&stretched, &rotated] {
                let own = field.sample(p);
                let scaled = Sample { gradient: own.gradient.map(|g| g * weight), ..own };
                assert!(close(limited(field, spacing).sample(p), scaled, 5.0), "{spacing}");
            }
        }
    }
    let flat = limited(&stretched, 0.25).sample([0.3, 0.7]);
    assert_eq!(flat.gradient, [0.0, 0.0]);
}

/// Repeated limits equal the strictest one, and fields without support return `None`.
#[test]
fn limits_of_limits_and_of_others() {
    let field = built(fbm(7, 6.0, 0.3));
    let p = [12.3, -4.5];
    let once = limited(&field, 0.4);
    for second in [0.1, 0.4] {
        assert_eq!(bits(once.band_limited(second).unwrap().sample(p)), bits(once.sample(p)));
    }
    assert_eq!(
        bits(once.band_limited(0.9).unwrap().sample(p)),
        bits(limited(&field, 0.9).sample(p))
    );
    for wrong in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        assert!(field.band_limited(wrong).is_none());
    }
    assert!(limited(&field, 1e9).sample([f64::NAN, 0.0]).gradient[0].is_nan());

    struct Ramp;
    impl Field<2> for Ramp {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            Sample { value: x as f32, gradient: [1.0, 0.0] }
        }
    }
    assert!(Ramp.band_limited(1.0).is_none());
    // Pointers forward the call.
    let shared: Arc<dyn Field<2>> = Arc::new(field);
    let boxed: Box<dyn Field<2> + '_> = Box::new(&shared);
    assert!(boxed.band_limited(1.0).is_some());
}
