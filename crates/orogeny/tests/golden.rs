//! The classic noises against tables of values and derivatives, worked out in f64 from their
//! published descriptions.
//!
//! `tests/golden/*.json` hold the tables and what the noises were built from. Each table prints its
//! largest errors (`--nocapture`).

use std::path::Path;

use orogeny::lattice::{
    Fade, Gradients, Lattice, LatticeGrid, LatticeValues, Permutation, PermutationTable,
};
use orogeny::node::Rotate;
use orogeny::{Field, Fractal, GradientNoise, Node, Transform};
use serde_json::Value;

/// What f32 can hold: of the sum of amplitudes in value, of the sum of amplitude times frequency in
/// derivatives.
const VALUE: f64 = 2e-6;
const DERIVATIVE: f64 = 2e-5;

fn load(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn vector<const N: usize>(value: &Value) -> [f32; N] {
    let numbers = numbers(value);
    std::array::from_fn(|k| numbers[k] as f32)
}

fn list(value: &Value) -> Vec<f32> {
    numbers(value).into_iter().map(|x| x as f32).collect()
}

/// Compares a field with the rows of a table: N coordinates, the value, and the derivatives along
/// the first axes.
fn compare<const N: usize>(
    name: &str,
    table: &Value,
    node: impl Into<Node<N>>,
    [amplitude, slope]: [f64; 2],
) {
    let field = node.into().build().unwrap();
    let columns = table["columns"].as_array().unwrap().len();
    let dimensions = (columns - 1) / 2;
    let rows = table["rows"].as_array().unwrap();
    assert!(rows.len() >= 60);
    let mut errors = [0f64; 2];
    for row in rows {
        let row = numbers(row);
        let p = std::array::from_fn(|k| if k < dimensions { row[k] } else { 0.0 });
        let sample = field.sample(p);
        let mut error = |i: usize, found: f32, exact: f64, scale: f64| {
            errors[i] = errors[i].max((f64::from(found) - exact).abs() / scale);
        };
        error(0, sample.value, row[dimensions], amplitude);
        for k in 0..dimensions {
            error(1, sample.gradient[k], row[dimensions + 1 + k], slope);
        }
    }
    println!("{name:<36} value {:.1e}  derivatives {:.1e}", errors[0], errors[1]);
    assert!(errors[0] < VALUE && errors[1] < DERIVATIVE, "{name}: {errors:?}");
}

/// The sums of amplitudes and of amplitude times frequency over octaves.
fn sums(octaves: i32, gain: f64, lacunarity: f64) -> [f64; 2] {
    [gain, gain * lacunarity].map(|ratio| (0..octaves).map(|i| ratio.powi(i)).sum())
}

/// A noise of the table's permutation and gradients.
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

/// `gradients[i][j]` and `heights[i][j]` of an n x n grid, as lists in which i runs fastest.
fn grid(table: &Value) -> LatticeGrid<2> {
    fn transpose<T>(rows: &Value, item: impl Fn(&Value) -> T) -> Vec<T> {
        let Some(rows) = rows.as_array() else { return Vec::new() };
        let n = rows.len();
        (0..n * n).map(|at| item(&rows[at % n][at / n])).collect()
    }
    let n = table["gradients"].as_array().unwrap().len() as u32;
    let heights = transpose(&table["heights"], |x| x.as_f64().unwrap() as f32);
    LatticeGrid { size: [n; 2], gradients: transpose(&table["gradients"], vector), values: heights }
}

/// An octave sum of one lattice, nothing moved or reseeded.
fn plain<const N: usize>(
    noise: GradientNoise<N>,
    octaves: i32,
    gain: f64,
    lacunarity: f64,
) -> Fractal<N> {
    let sum = Fractal { gain: gain as f32, lacunarity, ..Fractal::fbm(octaves.into(), noise) };
    Fractal { reseed: false, offset: false, ..sum }
}

#[test]
fn improved_noise_of_2002() {
    let table = load("improved_perlin_3d.json");
    compare("improved_perlin_3d", &table, GradientNoise::<3>::improved(), [1.0; 2]);
    assert_eq!(numbers(&table["permutation"]), orogeny::lattice::PERLIN.map(f64::from));
    // The plane z = 0 of the same noise.
    let slice = load("improved_perlin_2d_slice.json");
    compare("improved_perlin_2d_slice", &slice, GradientNoise::<3>::improved(), [1.0; 2]);
}

#[test]
fn classic_noise_of_1985() {
    let table = load("classic_perlin_1d.json");
    compare("classic_perlin_1d", &table, permuted::<1>(&table, Fade::Cubic, false), [1.0; 2]);
    let table = load("classic_perlin_2d.json");
    compare("classic_perlin_2d", &table, permuted::<2>(&table, Fade::Cubic, false), [1.0; 2]);
    let table = load("classic_perlin_3d.json");
    compare("classic_perlin_3d", &table, permuted::<3>(&table, Fade::Cubic, true), [1.0; 2]);
    let table = load("classic_perlin_3d_rotated.json");
    let turned = Node::from(permuted::<3>(&table, Fade::Cubic, true)).rotate(40.0);
    compare("classic_perlin_3d_rotated", &table, turned, [1.0; 2]);
}

#[test]
fn noise_in_four_dimensions() {
    let table = load("permuted_gradients_4d.json");
    compare("permuted_gradients_4d", &table, permuted::<4>(&table, Fade::Quintic, false), [1.0; 2]);
}

#[test]
fn square_and_diagonal_gradients() {
    let table = load("square_gradients_2d.json");
    compare("square_gradients_2d", &table, permuted::<2>(&table, Fade::Cubic, false), [1.0; 2]);
    let table = load("square_gradients_2d_rotated.json");
    let degrees = table["rotation_degrees"].as_f64().unwrap();
    let turn = Transform::Rotate(Rotate { degrees, ..Rotate::default() });
    let turned = Node::from(permuted::<2>(&table, Fade::Cubic, false)).transform(turn);
    compare("square_gradients_2d_rotated", &table, turned, [1.0; 2]);
    let table = load("diagonal_gradients_2d.json");
    compare("diagonal_gradients_2d", &table, permuted::<2>(&table, Fade::Quintic, false), [1.0; 2]);
}

#[test]
fn explicit_grids() {
    for (name, fade) in
        [("unit_gradients_cubic_2d", Fade::Cubic), ("unit_gradients_quintic_2d", Fade::Quintic)]
    {
        let table = load(&format!("{name}.json"));
        let noise = GradientNoise { fade, ..GradientNoise::grid(grid(&table)) };
        assert_eq!(noise.values, LatticeValues::Zero);
        compare(name, &table, noise, [1.0; 2]);
    }
    for octaves in [1, 5, 6] {
        let name = format!("grid_lattice_2d_{octaves}_octaves");
        let table = load(&format!("{name}.json"));
        let [gain, lacunarity] =
            ["persistence", "lacunarity"].map(|key| table[key].as_f64().unwrap());
        let noise = GradientNoise::grid(grid(&table));
        assert_eq!(noise.values, LatticeValues::Added);
        compare(
            &name,
            &table,
            plain(noise, octaves, gain, lacunarity),
            sums(octaves, gain, lacunarity),
        );
    }
}

#[test]
fn lists_of_gradients() {
    let table = load("list_gradients_quintic_1d.json");
    let noise =
        |table: &Value| GradientNoise::grid(LatticeGrid::gradients(list(&table["gradients"])));
    compare("list_gradients_quintic_1d", &table, noise(&table), [1.0; 2]);
    let table = load("list_gradients_fractal_b_over_a_1d.json");
    let [a, b] = ["a", "b"].map(|key| table[key].as_f64().unwrap());
    let fractal = Fractal::b_over_a(5.0, noise(&table), a, b);
    compare("list_gradients_fractal_b_over_a_1d", &table, fractal, sums(5, 1.0 / a, b));
}

#[test]
fn value_noise() {
    let settings = [
        ("linear", Fade::Linear, LatticeValues::Alone),
        ("cosine", Fade::Cosine, LatticeValues::Alone),
        ("cubic", Fade::Cubic, LatticeValues::Alone),
        ("four_point_cubic", Fade::Quintic, LatticeValues::FourPoint),
    ];
    for (name, fade, values) in settings {
        let name = format!("value_noise_1d_{name}");
        let table = load(&format!("{name}.json"));
        let lattice = LatticeGrid::values(list(&table["values"]));
        let noise = GradientNoise { fade, values, ..GradientNoise::grid(lattice) };
        compare(&name, &table, plain(noise, 4, 0.5, 2.0), sums(4, 0.5, 2.0));
    }
}

/// No table is left out.
#[test]
fn every_table_is_used() {
    let source = include_str!("golden.rs");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut tables = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(name) = name.strip_suffix(".json") else { continue };
        tables += 1;
        // As the tests above name it: alone, or by what differs within a series.
        let named = match name.strip_prefix("value_noise_1d_") {
            Some(kind) => format!("(\"{kind}\", Fade::"),
            None if name.starts_with("grid_lattice_2d_") => {
                let octaves = &name["grid_lattice_2d_".len()..][..1];
                assert!(["1", "5", "6"].contains(&octaves), "{name}");
                "for octaves in [1, 5, 6]".into()
            }
            None => format!("\"{name}\""),
        };
        assert!(source.contains(&named), "{name}");
    }
    assert_eq!(tables, 21);
}
