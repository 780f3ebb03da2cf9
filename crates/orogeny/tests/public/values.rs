//! Grids are bit-identical to points, and neighbouring chunks are bit-identical on their border.

#![allow(clippy::disallowed_methods)]

use orogeny::{
    Cellular, Field, Fractal, GradientNoise, Grid, Jets, Node, Recipe, Samples, Simplex, Tree,
};
use proptest::prelude::*;

fn bits<const N: usize>(field: &impl Field<N>, p: [f64; N]) -> Vec<u32> {
    let sample = field.sample(p);
    let mut bits = vec![sample.value.to_bits()];
    bits.extend(sample.gradient.map(f32::to_bits));
    bits
}

fn same_on_the_grid<const N: usize>(
    field: &impl Field<N>,
    grid: &Grid<N>,
    out: &mut Samples<N>,
) -> Result<(), TestCaseError> {
    field.sample_grid(grid, out);
    prop_assert_eq!(out.len(), grid.len());
    for (i, p) in grid.points().enumerate() {
        let sample = out.get(i);
        let mut found = vec![sample.value.to_bits()];
        found.extend(sample.gradient.map(f32::to_bits));
        prop_assert_eq!(found, bits(field, p), "{:?}", p);
        prop_assert_eq!(field.value(p).to_bits(), sample.value.to_bits());
    }
    Ok(())
}

fn tree() -> Node {
    let fbm = |seed| {
        let fractal = Fractal { frequency: 0.01, ..Fractal::fbm(4.0, GradientNoise::seeded(seed)) };
        Node::from(fractal)
    };
    Node::Add(vec![
        Node::Multiply(vec![fbm(1), Node::Add(vec![Node::Constant(0.5), fbm(2)]), fbm(3)]),
        fbm(4),
    ])
}

fn noise<const N: usize>(seed: u64) -> Tree<N> {
    Node::noise(seed).build().unwrap()
}

fn fbm<const N: usize>(seed: u64, octaves: f64, frequency: f64) -> Tree<N> {
    let fractal = Fractal { frequency, ..Fractal::fbm(octaves, GradientNoise::seeded(seed)) };
    Node::from(fractal).build().unwrap()
}

proptest! {
    #[test]
    fn grids_equal_points_bit_for_bit(
        x in -1e12f64..1e12, z in -1e6f64..1e6, level in -4i32..8, seed: u64,
        nx in 0usize..12, nz in 1usize..12,
    ) {
        let grid = Grid::new([x.floor(), z], 2f64.powi(level), [nx, nz]);
        let mut out = Samples::new();
        same_on_the_grid(&noise(seed), &grid, &mut out)?;
        same_on_the_grid(&fbm(seed, 8.0, 0.013), &grid, &mut out)?;
        same_on_the_grid(&Recipe::new(seed, 90.0, tree()).build().unwrap(), &grid, &mut out)?;
        let cube = Grid::new([x, z, 0.25], 0.3, [nx, 3, 2]);
        same_on_the_grid(&fbm(seed, 3.0, 1.0), &cube, &mut Samples::new())?;
    }

    /// Two grids that share a border are bit-identical there.
    #[test]
    fn neighbouring_grids_meet(
        cx in -1_000_000_000i64..1_000_000_000, cz in -1000i64..1000, seed: u64,
    ) {
        let field = Recipe::new(seed, 90.0, tree()).build().unwrap();
        let fill = |cx: i64, cz: i64| {
            let mut out = Samples::new();
            let origin = [cx as f64 * 16.0, cz as f64 * 16.0];
            field.sample_grid(&Grid::new(origin, 1.0, [17, 17]), &mut out);
            out
        };
        let (here, right) = (fill(cx, cz), fill(cx + 1, cz));
        for row in 0..17 {
            prop_assert_eq!(here.get(row * 17 + 16), right.get(row * 17));
        }
    }
}

/// Gradient noise is 0 at lattice points, not -0.
#[test]
fn lattice_points_are_zero() {
    let noise = noise(11);
    for x in -20..20 {
        for z in -20..20 {
            assert_eq!(noise.value([f64::from(x), f64::from(z)]), 0.0);
        }
    }
}

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
