//! Values compared with the oracle, gradients with the oracle's difference quotients in `f64`.

use core::array;
use std::collections::BTreeMap;

use super::oracle;
use super::random::{METRICS, OUTPUTS, Random, cases, count, tree};
use crate::noise::CellularOutput;
use crate::{Cellular, Field, Grid, Node, Samples, Tree};

/// The errors at a point, relative to the proven bounds.
struct Comparison {
    value: f64,
    /// `None` if the quotients disagree: within a step of a crease or a cell border.
    gradient: Option<f64>,
    /// The error of the gradient relative to its own length.
    relative: f64,
}

const STEP: f64 = 1e-6;

fn compare<const N: usize>(node: &Node<N>, field: &Tree<N>, p: [f64; N]) -> Comparison {
    let bounds = field.bounds();
    let sample = field.sample(p);
    let exact = oracle::value(node, p);
    let slack = 2e-6 * (4.0 + bounds.max_abs() + bounds.lipschitz);
    let within = (bounds.min - slack..=bounds.max + slack).contains(&exact);
    assert!(within, "{exact} at {p:?} of {node:#?}");
    let slope = sample.gradient.iter().map(|&g| f64::from(g).powi(2)).sum::<f64>().sqrt();
    assert!(slope <= bounds.lipschitz * (1.0 + 1e-5) + slack, "{slope} at {p:?} of {node:#?}");
    let value =
        (f64::from(sample.value) - exact).abs() / (4.0 + bounds.max_abs() + bounds.lipschitz);
    let mut worst = Some(0f64);
    let mut absolute = 0f64;
    for k in 0..N {
        let at =
            |h: f64| oracle::value(node, array::from_fn(|j| p[j] + if j == k { h } else { 0.0 }));
        let [near, far, up, down] = [
            (at(STEP) - at(-STEP)) / (2.0 * STEP),
            (at(2.0 * STEP) - at(-2.0 * STEP)) / (4.0 * STEP),
            (at(STEP) - exact) / STEP,
            (exact - at(-STEP)) / STEP,
        ];
        // Where the field is smooth, one-sided quotients differ by the curvature times the step.
        let rough = (near - far).abs().max((up - down).abs());
        let error = (f64::from(sample.gradient[k]) - near).abs();
        absolute = absolute.max(error);
        let wide = |h: f64| (at(h) - 2.0 * exact + at(-h)) / (h * h);
        let second = wide(1e-3).abs();
        assert!(second <= bounds.curvature * (1.0 + 1e-6) + 1e-3, "{second} at {p:?} of {node:#?}");
        let scale = bounds.lipschitz + 1e-3;
        worst = worst.filter(|_| rough < 1e-3 * scale).map(|w| w.max(error / scale));
    }
    Comparison { value, gradient: worst, relative: absolute / (slope + 1e-2) }
}

/// Compares random trees, prints the errors and the worst tree, and counts the kinds of nodes.
fn compare_trees<const N: usize>(trees: u64, depth: usize) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let (mut errors, mut relative) = (Vec::new(), Vec::new());
    let mut rough = 0;
    let mut worst = (0.0, String::new());
    for seed in 0..trees {
        let mut r = Random::new(seed + 1_000_000 * N as u64);
        let mut node: Node<N> = tree(&mut r, depth);
        let Ok(field) = node.build() else {
            // A tree of constants has no range to normalise.
            assert!(node.build().unwrap_err().problem.contains("range"), "{:?}", node.build());
            continue;
        };
        count(&mut node, &mut counts);
        for _ in 0..4 {
            let p = r.point(30.0);
            let found = compare(&node, &field, p);
            assert!(found.value < 4e-6, "value {:.1e} at {p:?} of {node:#?}", found.value);
            match found.gradient {
                Some(error) => {
                    errors.push(error);
                    relative.push(found.relative);
                }
                None => rough += 1,
            }
            if found.gradient.is_some_and(|error| error > worst.0) {
                worst = (found.gradient.unwrap(), format!("{p:?} of {node:#?}"));
            }
        }
    }
    let at = |sorted: &[f64], part: f64| sorted[((sorted.len() - 1) as f64 * part) as usize];
    errors.sort_by(f64::total_cmp);
    relative.sort_by(f64::total_cmp);
    println!(
        "the worst tree in {N}D: {}\n{N}D: {} points, {rough} of them at creases; \
         error of the gradient over its bound: worst {:.1e}; \
         over its length: median {:.1e}, 99 % {:.1e}",
        worst.1,
        errors.len() + rough,
        at(&errors, 1.0),
        at(&relative, 0.5),
        at(&relative, 0.99),
    );
    assert!(rough * 20 < errors.len(), "{rough} rough points of {}", errors.len());
    assert!(
        at(&relative, 0.5) < 1e-6 && at(&relative, 0.99) < 1e-4,
        "the usual errors are too large"
    );
    assert!(worst.0 < 1e-3, "{:.1e} at {}", worst.0, worst.1);
    counts
}

/// Each kind of node occurs a thousand times or more among all cases, in trees of depth four or
/// more. They take minutes of one processor, so each dimension has a thread.
#[test]
fn random_trees_match_the_oracle() {
    let compare: [fn() -> BTreeMap<String, usize>; 4] = [
        || compare_trees::<1>(cases(1000) as u64, 4),
        || compare_trees::<2>(cases(2200) as u64, 5),
        || compare_trees::<3>(cases(1100) as u64, 4),
        || compare_trees::<4>(cases(120) as u64, 4),
    ];
    let mut counts = BTreeMap::new();
    std::thread::scope(|scope| {
        let threads = compare.map(|compare| scope.spawn(compare));
        for (kind, count) in threads.into_iter().flat_map(|thread| thread.join().unwrap()) {
            *counts.entry(kind).or_default() += count;
        }
    });
    println!("{counts:?}");
    assert!(counts.len() >= 26, "{counts:?}");
    assert!(counts.values().all(|&n: &usize| n >= cases(1000)), "{counts:?}");
}

/// The value and gradient of every output of cellular noise in every metric. The oracle searches
/// one more cell on each side.
#[test]
fn cellular_noise_matches_the_oracle() {
    fn check<const N: usize>(points: usize) {
        for metric in METRICS {
            for output in OUTPUTS {
                let (mut compared, mut worst) = (0, 0f64);
                for i in 0..points {
                    let mut r = Random::new((points + i) as u64);
                    let jitter = [1.0, 0.4, 0.0][i % 3];
                    let ramp = [0.5, 0.1][i % 2];
                    let noise = Cellular {
                        seed: i as u64 / 50,
                        output,
                        metric,
                        jitter,
                        ramp,
                        period: [0; N],
                    };
                    let node = Node::from(noise);
                    let found = compare(&node, &node.build().unwrap(), r.point(30.0));
                    assert!(found.value < 4e-6, "{metric:?} {output:?} in {N}D: {}", found.value);
                    if let Some(error) = found.gradient {
                        (compared, worst) = (compared + 1, worst.max(error));
                    }
                }
                println!("{metric:?} {output:?} in {N}D: gradient {worst:.1e}");
                assert!(
                    worst < 1e-4 && compared * 4 > points * 3,
                    "{compared} of {points}: {worst}"
                );
            }
        }
    }
    check::<1>(cases(600));
    check::<2>(cases(600));
    check::<3>(cases(150));
    check::<4>(12);
}

/// With a narrow ramp, cell values are flat almost everywhere, and their gradient is 0.
#[test]
fn cell_values_have_flat_tops() {
    let noise = Cellular { output: CellularOutput::CellValue, ramp: 0.01, ..Cellular::seeded(3) };
    let field = Node::<2>::from(noise).build().unwrap();
    let mut r = Random::new(3);
    let mut values = Vec::new();
    for _ in 0..4000 {
        let sample = field.sample(r.point(40.0));
        if sample.gradient == [0.0; 2] {
            values.push(sample.value);
        }
    }
    assert!(values.len() > 3800, "{} of 4000 points on tops", values.len());
    // Uniform from -1 to 1, and constant on each of some 6400 cells.
    let mean = values.iter().sum::<f32>() / values.len() as f32;
    assert!(mean.abs() < 0.05 && values.iter().all(|v| (-1.0..=1.0).contains(v)), "{mean}");
    values.sort_by(f32::total_cmp);
    values.dedup();
    assert!((2000..3600).contains(&values.len()), "{} tops", values.len());
}

/// Every tree has bit-identical samples on grids and at points.
#[test]
fn grids_of_random_trees_equal_points() {
    fn check<const N: usize>(size: [usize; N]) {
        let mut samples = Samples::new();
        for seed in 0..150 {
            let mut r = Random::new(seed);
            let Ok(field) = tree::<N>(&mut r, 4).build() else { continue };
            let grid = Grid::new(r.point(100.0), 0.37, size);
            field.sample_grid(&grid, &mut samples);
            for (i, p) in grid.points().enumerate() {
                let bits = |s: crate::Sample<N>| (s.value.to_bits(), s.gradient.map(f32::to_bits));
                assert_eq!(bits(samples.get(i)), bits(field.sample(p)), "seed {seed} at {p:?}");
                assert_eq!(field.value(p).to_bits(), samples.get(i).value.to_bits());
            }
        }
    }
    check([17]);
    check([7, 5]);
    check([4, 3, 2]);
    check([3, 2, 2, 2]);
}
