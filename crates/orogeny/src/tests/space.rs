//! Grids and points in three and four dimensions have the bits of single points at every SIMD
//! level.

use super::random::{Random, cases, tree};
use crate::lattice::{Fade, Gradients, Lattice, LatticeValues, Permutation};
use crate::simd::{Level, levels};
use crate::{Field, Fractal, FractalKind, GradientNoise, Grid, Node, Sample, Samples};

fn bits<const N: usize>(Sample { value, gradient }: Sample<N>) -> (u32, [u32; N]) {
    (value.to_bits(), gradient.map(f32::to_bits))
}

/// Fills a grid, and its points as scattered ones, at every level.
fn check<const N: usize>(field: &dyn Field<N>, grid: &Grid<N>, what: &str) {
    let points: Vec<_> = grid.points().collect();
    let exact: Vec<_> = points.iter().map(|&p| bits(field.sample(p))).collect();
    let levels = levels().into_iter().map(|(_, level)| level).chain([Level::fallback()]);
    for level in levels {
        let mut samples = Samples::new().with_level(level);
        let mut values = Samples::values_only().with_level(level);
        for scattered in [false, true] {
            if scattered {
                field.sample_points(&points, &mut samples);
                field.sample_points(&points, &mut values);
            } else {
                field.sample_grid(grid, &mut samples);
                field.sample_grid(grid, &mut values);
            }
            assert_eq!(samples.len(), exact.len());
            assert_eq!(values.len(), exact.len());
            for (i, exact) in exact.iter().enumerate() {
                let found = (bits(samples.get(i)), values.values()[i].to_bits());
                assert_eq!(
                    found,
                    (*exact, exact.0),
                    "{what}, {grid:?} at {i}, {level:?}, scattered {scattered}"
                );
            }
        }
    }
}

/// Some hundred points at home, at negative coordinates, and at 1e12.
fn grid<const N: usize>(r: &mut Random) -> Grid<N> {
    let largest = [0, 0, 0, 14, 4][N];
    let mut size = [0; N].map(|_| 1 + r.below(largest));
    size[0] = 1 + r.below(40);
    let far = [0.0, 1e3, 1e12][r.below(3)];
    let origin = [0; N].map(|_| (r.within(-1.0, 1.0) * far * 8.0).round() / 8.0);
    Grid::new(origin, 2f64.powi(r.below(10) as i32 - 4), size)
}

fn every_noise<const N: usize>() {
    let mut r = Random::new(N as u64);
    let values = [LatticeValues::Zero, LatticeValues::Added, LatticeValues::Alone];
    let gradients = [Gradients::Even, Gradients::Unit, Gradients::Edges];
    let lattices = [Lattice::Hash, Lattice::Permutation(Permutation::default())];
    let fades = [Fade::Linear, Fade::Cosine, Fade::Cubic, Fade::Quintic];
    let kinds = [FractalKind::Fbm, FractalKind::Ridged(Default::default())];
    for (i, values) in values.into_iter().enumerate() {
        for (j, gradients) in gradients.iter().enumerate() {
            for (k, lattice) in lattices.iter().enumerate() {
                let noise = GradientNoise {
                    values,
                    gradients: gradients.clone(),
                    lattice: lattice.clone(),
                    fade: fades[(i + j + k) % 4],
                    period: [[0, 16][(i + k) % 2]; N],
                    ..GradientNoise::seeded(r.bits())
                };
                let is_periodic = noise.period != [0; N];
                let fractal = Fractal {
                    kind: kinds[(i + j) % 2],
                    frequency: if is_periodic { 1.0 } else { 0.07 },
                    lacunarity: if is_periodic { 2.0 } else { 1.0 + r.within(0.5, 1.2) },
                    amplitude: r.within(-30.0, 30.0) as f32,
                    rotation: if N == 3 && !is_periodic { [0.0, 25.0][j % 2] } else { 0.0 },
                    ..Fractal::fbm(r.within(1.0, 4.0), noise.clone())
                };
                let what = format!("{fractal:?}");
                let field = Node::from(fractal).build().unwrap();
                for _ in 0..2 {
                    let grid = grid(&mut r);
                    check(&field, &grid, &what);
                    check(&field.band_limited(grid.spacing[0] / 2.0).unwrap(), &grid, &what);
                }
                check(&Node::from(noise).build().unwrap(), &grid(&mut r), &what);
            }
        }
    }
}

#[test]
fn noise_in_three_dimensions_has_the_bits_of_points() {
    every_noise::<3>();
}

#[test]
fn noise_in_four_dimensions_has_the_bits_of_points() {
    every_noise::<4>();
}

/// More blocks than one, along each axis, with columns left over.
#[test]
fn large_grids_have_the_bits_of_points() {
    let fractal = Fractal { frequency: 0.07, ..Fractal::fbm(3.0, GradientNoise::seeded(3)) };
    let field = Node::<3>::from(fractal).build().unwrap();
    for size in [[17, 120, 2], [3, 2, 150], [33, 30, 14], [1, 1, 1], [16, 0, 3]] {
        check(&field, &Grid::new([-3.3, 0.7, 1e6], 0.5, size), "fBm");
    }
}

/// Where cells leave the 2^32 that vectors are made for, and where there are none.
#[test]
fn borders_of_the_vectors_have_the_bits_of_points() {
    let field = Node::<3>::noise(5).build().unwrap();
    for z in [2f64.powi(31) - 4.0, -2f64.powi(31) - 4.0, 1e18] {
        check(&field, &Grid::new([0.3, -7.7, z], 0.5, [17, 3, 17]), "border");
    }
    let grid = Grid::new([0.3, f64::NAN, 0.0], 0.5, [17, 3, 2]);
    let mut samples = Samples::new();
    field.sample_grid(&grid, &mut samples);
    assert!(samples.iter().all(|s| s.value.is_nan() && s.gradient.iter().all(|g| g.is_nan())));
}

#[test]
fn random_trees_have_the_bits_of_points() {
    for seed in 0..cases(40) as u64 {
        let mut r = Random::new(2000 + seed);
        if let Ok(field) = tree::<3>(&mut r, 3).build() {
            check(&field, &grid(&mut r), &format!("seed {seed}"));
        }
        if let Ok(field) = tree::<4>(&mut r, 3).build() {
            check(&field, &grid(&mut r), &format!("seed {seed} in four dimensions"));
        }
    }
}
