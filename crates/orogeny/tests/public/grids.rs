//! Grids of any spacing, compared with single points.

use orogeny::{Cellular, Field, GradientNoise, Grid, Jets, Node, Samples, Simplex};

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
