//! Local bounds: no sample within the ball violates them, and how much tighter they are than global
//! ones.

use core::array;
#[cfg(feature = "ron")]
use core::hint::black_box;

use super::oracle;
use super::random::{Random, noise, tree};
use crate::{Bounds, Field, Fractal, GradientNoise, Node, Sample, Tree};

fn length<const N: usize>(v: [f64; N]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A random point on the border of the ball or within it, more often near the middle.
fn within<const N: usize>(r: &mut Random, p: [f64; N], radius: f64) -> [f64; N] {
    let direction: [f64; N] = r.point(1.0);
    let part = if r.below(3) == 0 { 1.0 } else { r.within(0.0, 1.0) };
    // Slightly less, since adding to p rounds.
    let step = part * radius * (1.0 - 1e-9) / length(direction).max(1e-9);
    array::from_fn(|k| p[k] + step * direction[k])
}

/// How far the worst sample is beyond the bounds, relative to the maximum of the field's values and
/// slopes.
#[derive(Default)]
struct Worst {
    value: f64,
    slope: f64,
    exact: f64,
}

fn check<const N: usize>(
    node: &Node<N>,
    field: &Tree<N>,
    r: &mut Random,
    far: f64,
    worst: &mut Worst,
) {
    let whole = field.bounds();
    let scale = 4.0 + whole.max_abs() + whole.lipschitz;
    let home: [f64; N] = r.point(1.0);
    let p = home.map(|x| 30.0 * x + far * x.signum());
    let radius = 10f64.powf(r.within(-3.0, 3.0));
    let near = field.local_bounds(p, radius);
    assert!(near.min >= whole.min && near.max <= whole.max && near.min <= near.max, "{near:?}");
    assert!(near.lipschitz <= whole.lipschitz && near.curvature <= whole.curvature, "{near:?}");
    let beyond = |value: f64| (near.min - value).max(value - near.max) / scale;
    for i in 0..24 {
        let q = if i == 0 { p } else { within(r, p, radius) };
        let Sample { value, gradient } = field.sample(q);
        let slope = length(gradient.map(f64::from));
        worst.value = worst.value.max(beyond(value.into()));
        worst.slope = worst.slope.max((slope - near.lipschitz) / scale);
        let found =
            || format!("{value}, {slope} at {q:?} within {radius} of {p:?}: {near:?} of {node:#?}");
        assert!(beyond(value.into()) < 2e-6, "{}", found());
        assert!((slope - near.lipschitz) / scale < 2e-5, "{}", found());
        // The oracle does not split positions exactly, so only compare near the origin.
        if far == 0.0 && i < 3 {
            let exact = oracle::value(node, q);
            worst.exact = worst.exact.max(beyond(exact));
            assert!(beyond(exact) < 1e-6, "{exact}, {}", found());
        }
    }
}

/// Random trees of all nodes, near the origin and at 1e9, in balls of 1e-3 to 1e3. Features are
/// some units wide.
#[test]
fn no_sample_in_the_ball_breaks_them() {
    fn trees<const N: usize>(count: u64, worst: &mut Worst) {
        for seed in 0..count {
            let mut r = Random::new(seed + 7_000_000 * N as u64);
            let depth = 1 + r.below(5);
            let node = tree::<N>(&mut r, depth);
            let Ok(field) = node.build() else { continue };
            for far in [0.0, 0.0, 0.0, 1e9] {
                check(&node, &field, &mut r, far, worst);
            }
        }
    }
    let mut worst = Worst::default();
    trees::<1>(1000, &mut worst);
    trees::<2>(3000, &mut worst);
    trees::<3>(600, &mut worst);
    trees::<4>(60, &mut worst);
    let Worst { value, slope, exact } = worst;
    println!(
        "beyond the bounds, over the field's largest value and slope: \
         values {value:.1e}, slopes {slope:.1e}, oracle's values {exact:.1e}"
    );
}

/// The rounding that `local_bounds.rs` allows for a single noise: half of it for one sample.
#[test]
fn samples_of_noise_are_as_exact_as_assumed() {
    fn measure<const N: usize>(count: u64, worst: &mut [f64; 2]) {
        for seed in 0..count {
            let mut r = Random::new(seed);
            let node = Node::<N>::Noise(noise(&mut r));
            let field = node.build().unwrap();
            let Bounds { lipschitz, curvature, .. } = field.bounds();
            let allowed = field.bounds().max_abs() + lipschitz;
            for _ in 0..50 {
                let p = r.point(30.0);
                let sample = field.sample(p);
                let error = (f64::from(sample.value) - oracle::value(&node, p)).abs();
                worst[0] = worst[0].max(error / allowed);
                if curvature.is_finite() {
                    let step = 1e-5;
                    let error: [f64; N] = array::from_fn(|k| {
                        let at = |h: f64| {
                            oracle::value(
                                &node,
                                array::from_fn(|j| if j == k { p[j] + h } else { p[j] }),
                            )
                        };
                        (at(step) - at(-step)) / (2.0 * step) - f64::from(sample.gradient[k])
                    });
                    worst[1] = worst[1].max(length(error) / (allowed + curvature));
                }
            }
        }
    }
    let mut worst = [0.0; 2];
    measure::<1>(1000, &mut worst);
    measure::<2>(1000, &mut worst);
    measure::<3>(500, &mut worst);
    measure::<4>(50, &mut worst);
    println!("error of values {:.1e}, of slopes {:.1e}", worst[0], worst[1]);
    assert!(worst.iter().all(|&error| error < 0.5e-6), "{worst:?}");
}

/// As a ball shrinks to its centre, its bounds shrink to the sample there.
#[test]
fn small_balls_are_points() {
    let fractal = Fractal { frequency: 0.1, ..Fractal::fbm(5.0, GradientNoise::seeded(3)) };
    let other = Node::<2>::noise(4).frequency(0.2);
    for node in [
        fractal.clone().into(),
        Node::from(fractal.clone()) * other.clone(),
        Node::from(fractal.clone()).min(other.clone(), 0.5),
        Node::from(fractal).max(other.clone(), 2.0),
        other.terraces(0.3, 0.5),
    ] {
        let field = node.build().unwrap();
        let mut r = Random::new(1);
        for _ in 0..100 {
            let p = r.point(1000.0);
            let (sample, near) = (field.sample(p), field.local_bounds(p, 0.0));
            let slope = length(sample.gradient.map(f64::from));
            assert!(near.max - near.min < 6e-5, "{near:?}");
            let joined = matches!(node, Node::Multiply(_) | Node::Min { .. } | Node::Max { .. });
            assert!(joined || near.lipschitz < slope + 2e-4, "{near:?} {slope}");
        }
    }
}

/// Displacements and operands of 1e6 are rounded to 0.06 in `f32`. Local bounds include that,
/// however small the ball and the result are.
#[test]
fn large_operands_are_rounded() {
    let noise = |seed| Node::<2>::noise(seed);
    let far = |seed| Node::Constant(1e6) + noise(seed) * 1e4;
    // The allowance for the noise's own rounding is far below that of the sum.
    let steady = |seed| Node::Constant(1e6) + noise(seed);
    let mask = noise(4).normalize(0.0, 1.0);
    let trees = [
        noise(1).warp([far(2), far(3)]),
        noise(1).warp([Node::Constant(1e6), far(3)]).terraces(0.1, 0.5),
        far(1).lerp(noise(2), mask.clone()),
        Node::Constant(1e6).lerp(0.1, mask.clone().clamp(0.0, 0.55, 0.0) * 1.8),
        far(1) + Node::Constant(-1e6) + noise(2),
        (far(1) * far(2)) + far(3) * Node::Constant(-1e6),
        far(1).min(far(2), 100.0) + Node::Constant(-1e6),
        far(1).normalize(-1e6, 1.0).terraces(100.0, 0.1),
        far(1).curve([(0.0, -1e6), (9e5, 0.0), (1e6, 1.0)]),
        noise(1).warp([steady(2), steady(3)]),
        noise(1).warp([Node::Constant(1e6), steady(3)]).terraces(0.1, 0.5),
        Node::Constant(1e6).lerp(noise(2), 0.3),
        Node::Constant(1e6).lerp(noise(2), 0.7),
        steady(1) * steady(2),
        noise(2).min(0.3, 1e6),
        noise(2).normalize(-1e6, -999_990.0),
    ];
    let mut r = Random::new(3);
    let mut slack = 0f64;
    for node in &trees {
        let field = node.build().unwrap();
        for _ in 0..3000 {
            let p = r.point(50.0);
            let radius = 10f64.powf(r.within(-7.0, 0.0));
            let near = field.local_bounds(p, radius);
            let q = within(&mut r, p, radius);
            let value = f64::from(field.value(q));
            let whole = field.bounds();
            let inside = (near.min..=near.max).contains(&value);
            // Only the range over the whole domain is that of the exact field.
            let is_cut = near.min == whole.min || near.max == whole.max;
            assert!(inside || is_cut, "{value} at {q:?}: {near:?} of {node:?}");
            slack = slack.max((near.max - near.min) / (whole.max - whole.min));
        }
    }
    println!("at most {slack:.1e} of the range");
}

#[test]
fn what_is_unknown() {
    let field = Node::<2>::noise(1).build().unwrap();
    for (p, radius) in [
        ([f64::NAN, 0.0], 1.0),
        ([0.0, f64::INFINITY], 1.0),
        ([1e300, 0.0], 1.0),
        ([1e19, 0.0], f64::INFINITY),
        ([0.0; 2], f64::NAN),
        ([0.0; 2], -1.0),
    ] {
        assert_eq!(field.local_bounds(p, radius), Bounds::UNKNOWN, "{p:?} {radius}");
    }
    assert_eq!(field.local_bounds([0.3, 0.7], f64::INFINITY), field.bounds());
    assert_eq!(field.local_bounds([0.3, 0.7], 1e300), field.bounds());

    /// A field with bounds that only has a Lipschitz constant.
    struct Ramp;
    impl Field<2> for Ramp {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            Sample { value: x as f32, gradient: [1.0, 0.0] }
        }
        fn bounds(&self) -> Bounds {
            Bounds { lipschitz: 1.0, ..Bounds::UNKNOWN }
        }
    }
    let near = Ramp.local_bounds([100.0, 0.0], 2.0);
    assert!((near.min - 98.0).abs() < 1e-3 && (near.max - 102.0).abs() < 1e-3);
    assert_eq!(Ramp.local_bounds([f64::NAN, 0.0], 2.0), Bounds::UNKNOWN);
    // Pointers forward the call.
    let boxed: Box<dyn Field<2>> = Box::new(field.clone());
    assert_eq!(boxed.local_bounds([0.3, 0.7], 0.1), field.local_bounds([0.3, 0.7], 0.1));
}

/// The presets, for the README's figures: the fraction of range and slope in balls of some radii,
/// as means over positions.
#[cfg(feature = "ron")]
#[test]
fn presets_are_far_tighter_near_a_point() {
    use crate::Recipe;
    let mountains = include_str!("mountains.ron").to_owned();
    let presets =
        [("mountains", Some(mountains)), ("hills", crate::tests::presets::preset("hills"))];
    for (name, text) in presets {
        let Some(text) = text else { continue };
        let field = Recipe::from_ron(&text).unwrap().build().unwrap();
        let whole = field.bounds();
        let width = whole.max - whole.min;
        println!("{name}: everywhere {width:.0} m high, slope {:.1}", whole.lipschitz);
        let nanoseconds = |run: &dyn Fn([f64; 2])| {
            let mut r = Random::new(8);
            let positions: Vec<[f64; 2]> = (0..2000).map(|_| r.point(1e5)).collect();
            let start = std::time::Instant::now();
            positions.into_iter().for_each(run);
            start.elapsed().as_secs_f64() * 1e9 / 2000.0
        };
        let sampling = nanoseconds(&|p| {
            black_box(field.sample(p));
        });
        for radius in [0.1, 1.0, 10.0, 100.0, 1000.0] {
            let mut r = Random::new(9);
            let (mut high, mut steep, mut found) = (0.0, 0.0, 0.0);
            const POSITIONS: u32 = 300;
            for _ in 0..POSITIONS {
                let p = r.point(1e5);
                let near = field.local_bounds(p, radius);
                (high, steep) = (high + near.max - near.min, steep + near.lipschitz);
                let values = (0..200).map(|_| f64::from(field.value(within(&mut r, p, radius))));
                let [low, top] = crate::derivative::bounds::hull(values);
                found += top - low;
            }
            let [high, steep, found] = [high, steep, found].map(|sum| sum / f64::from(POSITIONS));
            println!(
                "  within {radius} m: {high:.2} m high ({:.0} times less, 200 samples {found:.2}), \
                 slope {steep:.2} ({:.1} times less), {:.2} samples' time",
                width / high,
                whole.lipschitz / steep,
                nanoseconds(&|p| {
                    black_box(field.local_bounds(p, radius));
                }) / sampling,
            );
            // The bounds contain the samples there, and are not much wider.
            assert!(
                high >= found && (radius > 10.0 || high < 20.0 * found),
                "{name} within {radius} m"
            );
            assert!(radius > 10.0 || steep < 0.35 * whole.lipschitz, "{name} within {radius} m");
        }
    }
}
