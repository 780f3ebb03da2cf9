//! All tables, each with the noise that it describes.

use orogeny::lattice::{
    Fade, Gradients, Lattice, LatticeGrid, LatticeValues, Permutation, PermutationTable,
};
use orogeny::node::Rotate;
use orogeny::{Fractal, GradientNoise, Node, Transform};
use serde_json::Value;

use crate::compare::{Checked, compare};

/// The tables by the names of their files.
pub const TABLES: &[(&str, fn(&Value) -> Checked)] = &[
    ("improved_perlin_3d", |table| {
        assert_eq!(numbers(&table["permutation"]), orogeny::lattice::PERLIN.map(f64::from));
        single(table, GradientNoise::<3>::improved())
    }),
    // The plane z = 0 of improved noise in 3D.
    ("improved_perlin_2d_slice", |table| single(table, GradientNoise::<3>::improved())),
    ("classic_perlin_1d", |table| single(table, permuted::<1>(table, Fade::Cubic, false))),
    ("classic_perlin_2d", |table| single(table, permuted::<2>(table, Fade::Cubic, false))),
    ("classic_perlin_3d", |table| single(table, permuted::<3>(table, Fade::Cubic, true))),
    ("classic_perlin_3d_rotated", |table| {
        let rotated = Node::from(permuted::<3>(table, Fade::Cubic, true));
        single(table, rotated.transform(Transform::Rotate(rotation(&table["rotation"]))))
    }),
    ("permuted_gradients_4d", |table| single(table, permuted::<4>(table, Fade::Quintic, false))),
    ("square_gradients_2d", |table| single(table, permuted::<2>(table, Fade::Cubic, false))),
    ("square_gradients_2d_rotated", |table| {
        let degrees = number(table, "rotation_degrees");
        let turn = Transform::Rotate(Rotate { degrees, ..Rotate::default() });
        single(table, Node::from(permuted::<2>(table, Fade::Cubic, false)).transform(turn))
    }),
    ("diagonal_gradients_2d", |table| single(table, permuted::<2>(table, Fade::Quintic, false))),
    ("unit_gradients_cubic_2d", |table| single(table, on_a_grid(table, Fade::Cubic))),
    ("unit_gradients_quintic_2d", |table| single(table, on_a_grid(table, Fade::Quintic))),
    ("grid_lattice_2d_1_octaves", |table| series(table, on_a_grid(table, Fade::Quintic))),
    ("grid_lattice_2d_5_octaves", |table| series(table, on_a_grid(table, Fade::Quintic))),
    ("grid_lattice_2d_6_octaves", |table| series(table, on_a_grid(table, Fade::Quintic))),
    ("list_gradients_quintic_1d", |table| single(table, listed(table))),
    ("list_gradients_fractal_b_over_a_1d", |table| {
        let [a, b, octaves] = ["a", "b", "octaves"].map(|key| number(table, key));
        let fractal = Fractal::b_over_a(octaves, listed(table), a, b);
        compare(table, fractal, sums(octaves, 1.0 / a, b))
    }),
    ("value_noise_1d_linear", |table| series(table, value_noise(table))),
    ("value_noise_1d_cosine", |table| series(table, value_noise(table))),
    ("value_noise_1d_cubic", |table| series(table, value_noise(table))),
    ("value_noise_1d_four_point_cubic", |table| series(table, value_noise(table))),
];

fn number(table: &Value, key: &str) -> f64 {
    table[key].as_f64().unwrap_or_else(|| panic!("no number {key}"))
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn vector<const N: usize>(value: &Value) -> [f32; N] {
    let numbers = numbers(value);
    std::array::from_fn(|k| numbers[k] as f32)
}

fn list(value: &Value) -> Vec<f32> {
    numbers(value).into_iter().map(|x| x as f32).collect()
}

/// A noise with the table's permutation and gradients.
fn permuted<const N: usize>(table: &Value, fade: Fade, last_added: bool) -> GradientNoise<N> {
    let gradients = match &table["gradients"] {
        Value::Null => Gradients::Diagonals,
        gradients => Gradients::Table(gradients.as_array().unwrap().iter().map(vector).collect()),
    };
    let numbers = numbers(&table["permutation"]).into_iter().map(|x| x as u8).collect();
    let table = PermutationTable::Given(numbers);
    let lattice = Lattice::Permutation(Permutation { table, last_added });
    GradientNoise { lattice, gradients, fade, ..GradientNoise::default() }
}

/// A noise with `gradients[i][j]` and `heights[i][j]` on an n x n grid. i runs fastest in its
/// lists.
fn on_a_grid(table: &Value, fade: Fade) -> GradientNoise<2> {
    fn transpose<T>(rows: &Value, item: impl Fn(&Value) -> T) -> Vec<T> {
        let Some(rows) = rows.as_array() else { return Vec::new() };
        let n = rows.len();
        (0..n * n).map(|at| item(&rows[at % n][at / n])).collect()
    }
    let n = table["gradients"].as_array().unwrap().len() as u32;
    let heights = transpose(&table["heights"], |x| x.as_f64().unwrap() as f32);
    let gradients = transpose(&table["gradients"], vector);
    let lattice = LatticeGrid { size: [n; 2], gradients, values: heights };
    GradientNoise { fade, ..GradientNoise::grid(lattice) }
}

fn listed(table: &Value) -> GradientNoise<1> {
    GradientNoise::grid(LatticeGrid::gradients(list(&table["gradients"])))
}

/// Value noise with the table's values and its fade; without a fade, through four points.
fn value_noise(table: &Value) -> GradientNoise<1> {
    let noise = GradientNoise::grid(LatticeGrid::values(list(&table["values"])));
    let fade = match table["fade"].as_str().map(|fade| fade.split(' ').next().unwrap()) {
        Some("linear") => Fade::Linear,
        Some("cosine") => Fade::Cosine,
        Some("cubic") => Fade::Cubic,
        Some(other) => panic!("unknown fade {other}"),
        None => return GradientNoise { values: LatticeValues::FourPoint, ..noise },
    };
    GradientNoise { fade, ..noise }
}

/// The axis and the angle of a rotation matrix.
fn rotation(matrix: &Value) -> Rotate {
    let rows: Vec<Vec<f64>> = matrix.as_array().unwrap().iter().map(numbers).collect();
    let part = |k: usize| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        rows[j][i] - rows[i][j]
    };
    let axis = [part(0), part(1), part(2)];
    let twice_sine = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let trace: f64 = (0..3).map(|k| rows[k][k]).sum();
    Rotate { degrees: twice_sine.atan2(trace - 1.0).to_degrees(), axis }
}

/// The sums of amplitudes and of amplitude times frequency over octaves.
fn sums(octaves: f64, gain: f64, lacunarity: f64) -> [f64; 2] {
    [gain, gain * lacunarity].map(|ratio| (0..octaves as i32).map(|i| ratio.powi(i)).sum())
}

/// A single noise.
fn single<const N: usize>(table: &Value, noise: impl Into<Node<N>>) -> Checked {
    assert!(table["octaves"].is_null(), "the table has octaves");
    compare(table, noise, [1.0; 2])
}

/// The table's sum of octaves of one lattice, without offsets or separate seeds.
fn series<const N: usize>(table: &Value, noise: GradientNoise<N>) -> Checked {
    let [octaves, gain, lacunarity] =
        ["octaves", "persistence", "lacunarity"].map(|key| number(table, key));
    let sum = Fractal { gain: gain as f32, lacunarity, ..Fractal::fbm(octaves, noise) };
    let plain = Fractal { reseed: false, offset: false, ..sum };
    compare(table, plain, sums(octaves, gain, lacunarity))
}
