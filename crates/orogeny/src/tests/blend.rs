//! Blends: weights that add up to 1, and pieces that cost nothing where they are hidden.

use crate::node::Piece;
use crate::{Band, Field, Fractal, GradientNoise, Grid, Jets, Node, Recipe, Samples};

fn fbm(seed: u64, frequency: f64) -> Node {
    let fractal = Fractal::fbm(5.0, GradientNoise::seeded(seed));
    Node::from(Fractal { frequency, ..fractal })
}

/// Three lands in a climate of two fields.
fn lands(fields: [Node; 3]) -> Node {
    let [plain, desert, range] = fields;
    let warm = Band { min: 0.1, soft: 0.2, ..Band::default() };
    let dry = Band { max: 0.0, soft: 0.3, ..Band::default() };
    let cold = Band { max: -0.2, soft: 0.1, ..Band::default() };
    let of =
        vec![Piece::new([], plain), Piece::new([warm, dry], desert), Piece::new([cold], range)];
    Node::Blend { of, along: vec![fbm(1, 1e-4), fbm(2, 1e-4)] }
}

fn grids() -> impl Iterator<Item = Grid<2>> {
    (0..200).map(|i| Grid::new([f64::from(i % 20) * 4e3, f64::from(i / 20) * 4e3], 8.0, [17, 9]))
}

#[test]
fn weights_add_up_to_one() {
    let field = lands([1.0, 1.0, 1.0].map(Node::Constant)).build().unwrap();
    let mut samples = Samples::new();
    for grid in grids() {
        field.sample_grid(&grid, &mut samples);
        for sample in samples.iter() {
            assert!((sample.value - 1.0).abs() < 1e-6, "{sample:?}");
            assert!(sample.gradient.iter().all(|g| g.abs() < 1e-9), "{sample:?}");
        }
    }
}

/// Where one land has all the weight, samples are bit for bit its own. There are such places, and
/// borders, for each of them.
#[test]
fn away_from_borders_a_land_is_itself() {
    let fields = || [fbm(3, 1e-3), fbm(4, 2e-3) * 0.5, fbm(5, 5e-4) + 2.0];
    let own = fields().map(|field| field.build().unwrap());
    let field = lands(fields()).build().unwrap();
    let weights: [_; 3] = core::array::from_fn(|i| {
        let weight = |k| Node::Constant(if k == i { 1.0 } else { 0.0 });
        lands(core::array::from_fn(weight)).build().unwrap()
    });
    let (mut all, mut parts, mut weight) = (Jets::new(), Jets::new(), Samples::new());
    let (mut whole, mut mixed) = ([0; 3], 0);
    for grid in grids() {
        field.jet_grid(&grid, &mut all);
        for i in 0..3 {
            weights[i].sample_grid(&grid, &mut weight);
            own[i].jet_grid(&grid, &mut parts);
            for (k, weight) in weight.iter().enumerate() {
                match weight.value {
                    // Not rounded to 1.
                    1.0 if weight.gradient == [0.0; 2] => {
                        assert_eq!(all.get(k), parts.get(k));
                        whole[i] += 1;
                    }
                    0.0 => {}
                    _ => mixed += 1,
                }
            }
        }
    }
    assert!(whole.iter().all(|&count| count > 1000) && mixed > 1000, "{whole:?} {mixed}");
}

/// A field outside its domain counts only where it shows.
#[test]
fn a_hidden_piece_may_be_outside_its_domain() {
    let fine = fbm(6, 1.0);
    let at = |i: u32| [1e18 + 4096.0 * f64::from(i % 40), 4096.0 * f64::from(i / 40)];
    assert!((0..1600).all(|i| fine.build().unwrap().value(at(i)).is_nan()));
    let field = lands([Node::Constant(5.0), fine, Node::Constant(7.0)]).build().unwrap();
    let outside = (0..1600).filter(|&i| field.value(at(i)).is_nan()).count();
    assert!((50..1500).contains(&outside), "{outside}");
    // A grid and its points agree.
    let grid = Grid::new([1e18, 0.0], 4096.0, [40, 40]);
    let mut samples = Samples::new();
    field.sample_grid(&grid, &mut samples);
    for (i, p) in grid.points().enumerate() {
        let [grid, point] = [samples.get(i), field.sample(p)];
        assert!(grid == point || grid.value.is_nan() && point.value.is_nan(), "{p:?}");
    }
}

#[test]
fn faults_are_named() {
    let blend = |of: Vec<Piece<2>>, along| Node::Blend { of, along }.build().unwrap_err();
    let one = || Node::Constant(1.0);
    let band = Band::default();
    for (error, path) in [
        (blend(vec![], vec![one()]), "Blend.of"),
        (blend(vec![Piece::new([], one())], vec![]), "Blend.along"),
        (
            blend(vec![Piece::new([], one())], vec![one(), one(), one(), one(), one()]),
            "Blend.along",
        ),
        (blend(vec![Piece::new([band], one())], vec![one()]), "Blend.of[0].within"),
        (
            blend(vec![Piece::new([], one()), Piece::new([band, band], one())], vec![one()]),
            "Blend.of[1].within",
        ),
        (
            blend(
                vec![
                    Piece::new([], one()),
                    Piece::new([Band { min: 3.0, max: 2.0, soft: 1.0 }], one()),
                ],
                vec![one()],
            ),
            "Blend.of[1].within[0].max",
        ),
        (
            blend(vec![Piece::new([], Node::Constant(f32::NAN))], vec![one()]),
            "Blend.of[0].field.Constant",
        ),
    ] {
        assert_eq!(error.path, path, "{error}");
    }
}

#[cfg(feature = "ron")]
#[test]
fn files_leave_out_what_is_not_said() {
    let text = "(
        field: Blend(
            of: [
                (field: Constant(0.5)),
                (within: [(min: 0.25, soft: 0.125)], field: Constant(1.0)),
            ],
            along: [Noise(Gradient(seed: 3))],
        ),
    )";
    let recipe = Recipe::from_ron(text).unwrap();
    let Node::Blend { of, .. } = &recipe.field else { panic!("{recipe:?}") };
    assert_eq!(of[1].within, [Band { min: 0.25, soft: 0.125, ..Band::default() }]);
    assert_eq!(Recipe::from_ron(&recipe.to_ron().unwrap()).unwrap(), recipe);
}
