//! Second derivatives: compared with the oracle's difference quotients in `f64`, and bit-identical
//! on grids, at points and at every SIMD level. With tables of the errors.

use core::array;
use std::collections::BTreeMap;

use crate::fractal::Damped;
use crate::lattice::{Fade, LatticeValues};
use crate::simd::levels;
use crate::tests::oracle;
use crate::tests::random::{METRICS, OUTPUTS, Random, fractal_kinds, tree};
use crate::{
    Bounds, Cellular, Field, Fractal, FractalKind, GradientNoise, Grid, Jet, Jets, Node, Sample,
    Samples, Simplex,
};

/// Every noise in all its variants, and every operation on a smooth field.
fn each_node<const N: usize>() -> Vec<(String, Node<N>)> {
    let mut all: Vec<(String, Node<N>)> = Vec::new();
    for fade in [Fade::Linear, Fade::Cosine, Fade::Cubic, Fade::Quintic] {
        for values in [
            LatticeValues::Zero,
            LatticeValues::Added,
            LatticeValues::Alone,
            LatticeValues::FourPoint,
        ] {
            let noise = GradientNoise { fade, values, ..GradientNoise::seeded(3) };
            all.push((format!("gradient noise, {fade:?}, {values:?}"), noise.into()));
        }
    }
    for metric in METRICS {
        for output in OUTPUTS {
            let noise = Cellular { output, metric, ramp: 0.5, ..Cellular::seeded(3) };
            all.push((format!("cellular noise, {output:?}, {metric:?}"), noise.into()));
        }
    }
    if (2..=3).contains(&N) {
        all.push(("simplex noise".into(), Simplex { seed: 3 }.into()));
        let rotated = Fractal { rotation: 30.0, ..Fractal::fbm(3.0, GradientNoise::seeded(3)) };
        all.push(("fBm, rotated octaves".into(), rotated.into()));
        all.push(("rotated".into(), Node::noise(3).rotate(40.0)));
    }
    let fbm = |seed| Fractal { frequency: 0.4, ..Fractal::fbm(3.0, GradientNoise::seeded(seed)) };
    for kind in fractal_kinds().into_iter().filter(|kind| !matches!(kind, FractalKind::Damped(_))) {
        let name = format!("{kind:?}").split(['(', ' ']).next().unwrap_or_default().to_owned();
        all.push((format!("fractal, {name}"), Fractal { kind, ..fbm(4) }.into()));
    }
    let [a, b, c] = [5, 6, 7].map(|seed| Node::from(fbm(seed)));
    let two = || (a.clone(), b.clone());
    let moves = array::from_fn(|k| Node::from(fbm(8 + k as u64)) * 0.5);
    all.extend([
        ("sum".into(), two().0 + two().1),
        ("product".into(), two().0 * two().1),
        ("smooth minimum".into(), two().0.min(two().1, 0.3)),
        ("smooth maximum".into(), two().0.max(two().1, 0.3)),
        ("minimum".into(), two().0.min(two().1, 0.0)),
        ("blend".into(), two().0.lerp(two().1, c)),
        ("absolute value".into(), two().0.abs()),
        ("square".into(), two().0.square()),
        ("smooth clamp".into(), two().0.clamp(-0.2, 0.2, 0.1)),
        ("terraces".into(), two().0.terraces(0.3, 0.8)),
        ("curve".into(), two().0.curve([(-1.0, 0.0), (0.0, 0.2), (0.3, 1.0)])),
        ("normalised".into(), two().0.normalize(-3.0, 2.0)),
        ("scaled and moved".into(), two().0.frequency(0.7).translate([3.0; N])),
        ("warped".into(), two().0.warp(moves)),
    ]);
    all
}

#[test]
fn hessians_match_the_oracle() {
    fn check<const N: usize>(points: usize) {
        let mut table = Table::default();
        for (name, node) in each_node::<N>() {
            let field = node.build().unwrap();
            let scale = hessian_scale(&field);
            let mut r = Random::new(17);
            for _ in 0..points {
                table.add(&name, error(&node, &field, scale, r.point(30.0)));
            }
        }
        println!("in {N} dimensions");
        table.check(1e-3);
    }
    check::<1>(400);
    check::<2>(400);
    check::<3>(60);
    check::<4>(8);
}

#[test]
fn hessians_of_random_trees_match_the_oracle() {
    fn check<const N: usize>(table: &mut Table, trees: u64, depth: usize) {
        for seed in 0..trees {
            let mut r = Random::new(seed + 3_000_000);
            let node: Node<N> = tree(&mut r, depth);
            let Ok(field) = node.build() else { continue };
            // These have differences as second derivatives, which are symmetric as well.
            let by_differences = format!("{node:?}").contains("Damped");
            let scale = hessian_scale(&field);
            for _ in 0..3 {
                let error = error(&node, &field, scale, r.point(30.0));
                if by_differences {
                    continue;
                }
                table.add(&format!("random trees in {N}D"), error);
            }
        }
    }
    let mut table = Table::default();
    check::<1>(&mut table, 600, 4);
    check::<2>(&mut table, 600, 4);
    check::<3>(&mut table, 200, 3);
    check::<4>(&mut table, 30, 2);
    table.check(1e-2);
}

/// The samples of jets are bit-identical to samples. Jets on grids and in batches are bit-identical
/// to those at points, at every SIMD level.
#[test]
fn grids_of_jets_have_the_bits_of_points() {
    fn check<const N: usize>(node: &Node<N>, grid: Grid<N>, name: &str) {
        let Ok(field) = node.build() else { return };
        for field in [Some(field.clone()), None] {
            let limited = node.build().unwrap().band_limited(0.3).unwrap();
            let field: &dyn Field<N> = match &field {
                Some(field) => field,
                None => &limited,
            };
            let points: Vec<_> = grid.points().collect();
            let exact: Vec<_> = points.iter().map(|&p| bits(field.jet(p))).collect();
            let mut samples = Samples::new();
            field.sample_grid(&grid, &mut samples);
            let of_samples = |(i, sample): (usize, Sample<N>)| {
                assert_eq!(
                    bits(Jet { sample, ..Jet::OUTSIDE }).0,
                    exact[i].0,
                    "{name}: sample {i}"
                );
            };
            samples.iter().enumerate().for_each(of_samples);
            for (level, simd) in levels() {
                let mut jets = Jets::new().with_level(simd);
                for is_grid in [true, false] {
                    if is_grid {
                        field.jet_grid(&grid, &mut jets);
                    } else {
                        field.jet_points(&points, &mut jets);
                    }
                    assert_eq!(jets.len(), points.len());
                    for (i, jet) in jets.iter().enumerate() {
                        assert_eq!(
                            bits(jet),
                            exact[i],
                            "{name}, {level}, grid {is_grid}: {:?}",
                            points[i]
                        );
                    }
                }
            }
        }
    }
    for (name, node) in each_node::<2>() {
        for (origin, spacing) in [([-3.0, 7.0], 0.09), ([1e12, -1e12], 0.5)] {
            check(&node, Grid::new(origin, spacing, [37, 9]), &name);
        }
    }
    for seed in 0..60 {
        let mut r = Random::new(seed + 9000);
        let node = tree::<2>(&mut r, 4);
        check(&node, Grid::new(r.point(50.0), 0.37, [19, 5]), "a random tree");
        let node = tree::<3>(&mut r, 3);
        check(&node, Grid::new(r.point(50.0), 0.37, [4, 3, 2]), "a random tree");
        let node = tree::<1>(&mut r, 3);
        check(&node, Grid::new(r.point(50.0), 0.37, [20]), "a random tree");
    }
    // Several bands, and a column by itself.
    let fbm = Fractal::fbm(3.0, GradientNoise::seeded(5)).into();
    let high = Grid::new([-3.0, 7.0], 0.09, [17, 300]);
    check::<2>(&fbm, high, "fBm in bands");
    let outside = Grid::new([1e19, f64::NAN], 1.0, [17, 2]);
    check(&Node::noise(1), outside, "outside the domain");
}

/// Damped octaves would need third derivatives for their Hessian, so it consists of differences of
/// their gradient.
#[test]
fn hessians_of_damped_octaves_are_close() {
    let kind = FractalKind::Damped(Damped { strength: 1.5 });
    let fractal = Fractal { kind, frequency: 0.3, ..Fractal::fbm(4.0, GradientNoise::seeded(5)) };
    let node = Node::<2>::from(fractal);
    let field = node.build().unwrap();
    let mut r = Random::new(6);
    let scale = hessian_scale(&field);
    let errors = (0..400).filter_map(|_| error(&node, &field, scale, r.point(30.0)));
    let mut errors: Vec<_> = errors.collect();
    errors.sort_by(f64::total_cmp);
    let [median, worst] = [errors[errors.len() / 2], errors[errors.len() - 1]];
    println!("damped: median {median:.1e}, worst {worst:.1e}, of {}", errors.len());
    assert!(median < 1e-3 && worst < 3e-2 && errors.len() > 300);
}

/// A field that only has a gradient gets a Hessian of differences.
#[test]
fn gradients_alone_give_hessians_by_differences() {
    struct Opaque(crate::Tree<2>);
    impl Field<2> for Opaque {
        fn sample(&self, p: [f64; 2]) -> Sample<2> {
            self.0.sample(p)
        }
        fn bounds(&self) -> crate::Bounds {
            self.0.bounds()
        }
    }
    let fractal = Fractal { frequency: 0.01, ..Fractal::fbm(6.0, GradientNoise::seeded(5)) };
    let field = Node::from(fractal).build().unwrap();
    let opaque = Opaque(field.clone());
    let mut r = Random::new(4);
    let mut worst = 0f32;
    for i in 0..1000 {
        let p = r.point(if i % 2 == 0 { 1e3 } else { 1e7 });
        let (exact, found) = (field.jet(p), opaque.jet(p));
        assert_eq!(exact.sample, found.sample);
        for j in 0..2 {
            for k in 0..2 {
                worst = worst.max((exact.hessian[j][k] - found.hessian[j][k]).abs());
            }
        }
    }
    let part = f64::from(worst) / field.bounds().curvature;
    println!("worst error of differences: {part:.1e} of the bound on second derivatives");
    assert!(part < 1e-3 && part > 0.0, "{part}");
    // Wherever there is a sample, even if a step of a thousandth is below the resolution.
    for far in [1e13, -1e15, 1e18] {
        let Jet { sample, hessian } = opaque.jet([far, 0.25]);
        let is_finite = hessian.as_flattened().iter().all(|h| h.is_finite());
        assert!(sample.value.is_finite() && is_finite, "{far}");
    }
}

/// The second difference quotients of the oracle along two axes, with steps of `h`.
fn quotient<const N: usize>(node: &Node<N>, p: [f64; N], [j, k]: [usize; 2], h: f64) -> f64 {
    let at = |a: f64, b: f64| {
        let mut q = p;
        q[j] += a * h;
        q[k] += b * h;
        oracle::value(node, q)
    };
    (at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0)) / (4.0 * h * h)
}

/// The step of the difference quotients.
const STEP: f64 = 2e-4;

/// The scale of a field's second derivatives, in their unit: the root mean square of the Hessian's
/// largest entry over 200 positions. (Difference quotients would not work: across a crease they
/// grow as the step shrinks.)
///
/// Piecewise linear fields, such as cellular noise in one dimension, only have rounding errors in
/// the Hessian. Their scale is the square of the Lipschitz constant divided by the range, which for
/// a sine is half its largest second derivative. That of a constant is 0.
pub fn hessian_scale<const N: usize>(field: &impl Field<N>) -> f64 {
    const POSITIONS: usize = 200;
    let mut r = Random::new(18);
    let squares = (0..POSITIONS).map(|_| {
        let hessian = field.jet(r.point(30.0)).hessian;
        let largest = hessian.as_flattened().iter().fold(0f64, |max, &h| max.max(h.abs().into()));
        largest * largest
    });
    let scale = (squares.sum::<f64>() / POSITIONS as f64).sqrt();
    assert!(scale.is_finite());
    let Bounds { min, max, lipschitz, .. } = field.bounds();
    let sine = lipschitz * lipschitz / (max - min);
    match lipschitz {
        0.0 => 0.0,
        _ if scale < 1e-4 * sine && sine.is_finite() => sine,
        _ => scale,
    }
}

/// The largest error of an entry of the Hessian, divided by the field's [`hessian_scale`]. `None`
/// within a step of a crease or a cell border. At a spike, where an entry is more than ten times
/// the scale, a tenth of that entry replaces the scale.
pub fn error<const N: usize>(
    node: &Node<N>,
    field: &impl Field<N>,
    scale: f64,
    p: [f64; N],
) -> Option<f64> {
    let jet = field.jet(p);
    assert_eq!(bits(jet).0, bits_of(field.sample(p)), "{p:?} of {node:#?}");
    let exact: [[[f64; 2]; N]; N] = array::from_fn(|j| {
        array::from_fn(|k| {
            assert_eq!(jet.hessian[j][k].to_bits(), jet.hessian[k][j].to_bits());
            [STEP, 2.0 * STEP].map(|h| if j <= k { quotient(node, p, [j, k], h) } else { 0.0 })
        })
    });
    let largest = exact.as_flattened().iter().fold(0f64, |max, q| max.max(q[0].abs()));
    if scale == 0.0 {
        // A constant: its derivatives must be rounding errors.
        let rounding = 1e-5 * f64::from(jet.sample.value.abs());
        let is_flat = jet.hessian.as_flattened().iter().all(|&h| f64::from(h.abs()) <= rounding);
        assert!(is_flat && largest <= rounding, "{jet:?} of {node:#?}");
        return Some(0.0);
    }
    let scale = scale.max(0.1 * largest);
    let rough = 1e-4 * (largest + scale);
    if exact.as_flattened().iter().any(|[near, far]| (near - far).abs() > rough) {
        return None;
    }
    let entries = (0..N).flat_map(|j| (j..N).map(move |k| [j, k]));
    let errors = entries.map(|[j, k]| {
        // Richardson's extrapolation: the remaining error is of the fourth order in the step.
        let [near, far] = exact[j][k];
        (f64::from(jet.hessian[j][k]) - (4.0 * near - far) / 3.0).abs() / scale
    });
    Some(errors.fold(0.0, f64::max))
}

fn bits_of<const N: usize>(sample: Sample<N>) -> (u32, [u32; N]) {
    (sample.value.to_bits(), sample.gradient.map(f32::to_bits))
}

pub type Bits<const N: usize> = ((u32, [u32; N]), [[u32; N]; N]);

pub fn bits<const N: usize>(jet: Jet<N>) -> Bits<N> {
    // All NaN count as equal.
    let canonical = |x: f32| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() };
    let Jet { sample, hessian } = jet;
    let sample = (canonical(sample.value), sample.gradient.map(canonical));
    (sample, hessian.map(|row| row.map(canonical)))
}

/// Errors by name, as a table.
#[derive(Default)]
pub struct Table {
    errors: BTreeMap<String, (Vec<f64>, usize)>,
}

impl Table {
    pub fn add(&mut self, name: &str, error: Option<f64>) {
        let (errors, rough) = self.errors.entry(name.into()).or_default();
        match error {
            Some(error) => errors.push(error),
            None => *rough += 1,
        }
    }

    /// Prints the table and checks it.
    pub fn check(mut self, max_error: f64) {
        println!(
            "{:44} {:>8} {:>8} {:>8} {:>8}",
            "Hessian of", "median", "99 %", "worst", "creases"
        );
        for (name, (errors, rough)) in &mut self.errors {
            errors.sort_by(f64::total_cmp);
            let at = |part: f64| errors[((errors.len() - 1) as f64 * part) as usize];
            let creases = *rough as f64 / (*rough + errors.len()) as f64;
            println!(
                "{name:44} {:8.1e} {:8.1e} {:8.1e} {:6.1} %",
                at(0.5),
                at(0.99),
                at(1.0),
                100.0 * creases
            );
            assert!(creases < 0.1, "{name}: {creases}");
            assert!(at(0.5) < 1e-6 && at(0.99) < 1e-4 && at(1.0) < max_error, "{name}");
        }
    }
}
