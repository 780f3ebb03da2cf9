//! The classic noises against tables of values and derivatives, worked out in f64 from their
//! published descriptions.
//!
//! `tests/golden/*.json` hold the tables and what the noises were built from: permutations,
//! gradients, octaves, rotations. `TABLES` says how each is built. Every row is checked at its
//! point, in a batch and in the middle of a grid, with and without second derivatives, at every
//! SIMD level. `--nocapture` prints the largest errors.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use orogeny::lattice::{
    Fade, Gradients, Lattice, LatticeGrid, LatticeValues, Permutation, PermutationTable,
};
use orogeny::node::Rotate;
use orogeny::simd::levels;
use orogeny::{Field, Fractal, GradientNoise, Grid, Jets, Node, Sample, Samples, Transform, Tree};
use serde_json::Value;

/// What f32 can hold: of the sum of amplitudes in value, of the sum of amplitude times frequency in
/// derivatives.
const VALUE: f64 = 2e-6;
const DERIVATIVE: f64 = 2e-5;

/// The largest errors of values and derivatives, or what is wrong.
type Checked = Result<[f64; 2], String>;

/// Every table with the noise that it describes.
const TABLES: &[(&str, fn(&Value) -> Checked)] = &[
    ("improved_perlin_3d", |table| {
        assert_eq!(numbers(&table["permutation"]), orogeny::lattice::PERLIN.map(f64::from));
        single(table, GradientNoise::<3>::improved())
    }),
    // The plane z = 0 of the same noise.
    ("improved_perlin_2d_slice", |table| single(table, GradientNoise::<3>::improved())),
    ("classic_perlin_1d", |table| single(table, permuted::<1>(table, Fade::Cubic, false))),
    ("classic_perlin_2d", |table| single(table, permuted::<2>(table, Fade::Cubic, false))),
    ("classic_perlin_3d", |table| single(table, permuted::<3>(table, Fade::Cubic, true))),
    ("classic_perlin_3d_rotated", |table| {
        let turned = Node::from(permuted::<3>(table, Fade::Cubic, true));
        single(table, turned.transform(Transform::Rotate(rotation(&table["rotation"]))))
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

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn load(name: &str) -> Value {
    let path = folder().join(name).with_extension("json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn number(table: &Value, key: &str) -> f64 {
    table[key].as_f64().unwrap_or_else(|| panic!("no number {key}"))
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

/// A noise of `gradients[i][j]` and `heights[i][j]` on an n x n grid, in whose lists i runs fastest.
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

/// Value noise of the table's values, with its fade; without one, through four points.
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

/// A noise by itself.
fn single<const N: usize>(table: &Value, noise: impl Into<Node<N>>) -> Checked {
    assert!(table["octaves"].is_null(), "the table is of octaves");
    compare(table, noise, [1.0; 2])
}

/// The table's sum of octaves of one lattice, nothing moved or reseeded.
fn series<const N: usize>(table: &Value, noise: GradientNoise<N>) -> Checked {
    let [octaves, gain, lacunarity] =
        ["octaves", "persistence", "lacunarity"].map(|key| number(table, key));
    let sum = Fractal { gain: gain as f32, lacunarity, ..Fractal::fbm(octaves, noise) };
    let plain = Fractal { reseed: false, offset: false, ..sum };
    compare(table, plain, sums(octaves, gain, lacunarity))
}

/// Compares a field with the rows of a table: coordinates, the value, and the derivatives along the
/// same axes.
fn compare<const N: usize>(table: &Value, node: impl Into<Node<N>>, scales: [f64; 2]) -> Checked {
    let field = node.into().build().unwrap();
    let columns = table["columns"].as_array().unwrap().len();
    let dimensions = (columns - 1) / 2;
    let rows: Vec<Vec<f64>> = table["rows"].as_array().unwrap().iter().map(numbers).collect();
    if rows.len() < 60 || rows.iter().any(|row| row.len() != columns) {
        return Err("rows are missing".into());
    }
    let place = |row: &Vec<f64>| std::array::from_fn(|k| if k < dimensions { row[k] } else { 0.0 });
    let points: Vec<[f64; N]> = rows.iter().map(place).collect();
    let mut errors = [0f64; 2];
    for (way, samples) in ways(&field, &points) {
        assert_eq!(samples.len(), rows.len());
        for (row, sample) in rows.iter().zip(samples) {
            let value = (f64::from(sample.value) - row[dimensions]).abs() / scales[0];
            let slopes = (0..dimensions).map(|k| {
                (f64::from(sample.gradient[k]) - row[dimensions + 1 + k]).abs() / scales[1]
            });
            let slope = slopes.fold(0.0, larger);
            // A comparison with NaN is false.
            if !(value < VALUE && slope < DERIVATIVE) {
                return Err(format!("{way} at {row:?}: {sample:?}, errors {value}, {slope}"));
            }
            errors = [larger(errors[0], value), larger(errors[1], slope)];
        }
    }
    Ok(errors)
}

/// The larger one, or NaN if either is: `f64::max` would drop it.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// The samples at all points, by every way that a field can be asked for them.
fn ways<const N: usize>(field: &Tree<N>, points: &[[f64; N]]) -> Vec<(String, Vec<Sample<N>>)> {
    let mut ways = vec![
        ("sample".into(), points.iter().map(|&p| field.sample(p)).collect()),
        ("jet".into(), points.iter().map(|&p| field.jet(p).sample).collect()),
    ];
    // Each point is in the middle of a grid.
    const SIDE: usize = 5;
    let grids = points.iter().map(|p| Grid {
        origin: p.map(|x| x - 0.25 * (SIDE / 2) as f64),
        spacing: 0.25,
        size: [SIDE; N],
    });
    let grids: Vec<Grid<N>> = grids.collect();
    let middle = SIDE.pow(N as u32) / 2;
    for (level, simd) in levels() {
        let mut samples = Samples::new().with_level(simd);
        field.sample_points(points, &mut samples);
        ways.push((format!("batch, {level}"), samples.iter().collect()));
        let found = grids.iter().map(|grid| {
            field.sample_grid(grid, &mut samples);
            samples.get(middle)
        });
        ways.push((format!("grid, {level}"), found.collect()));
        let mut jets = Jets::new().with_level(simd);
        field.jet_points(points, &mut jets);
        ways.push((format!("batch of jets, {level}"), jets.iter().map(|jet| jet.sample).collect()));
        let found = grids.iter().map(|grid| {
            field.jet_grid(grid, &mut jets);
            jets.get(middle).sample
        });
        ways.push((format!("grid of jets, {level}"), found.collect()));
    }
    ways
}

#[test]
fn every_table_matches() {
    for (name, check) in TABLES {
        let [value, derivative] = check(&load(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        println!("{name:<36} value {value:.1e}  derivatives {derivative:.1e}");
    }
}

#[test]
fn every_file_is_checked() {
    let files = std::fs::read_dir(folder()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let found: BTreeSet<String> = names.collect();
    let checked = TABLES.iter().map(|(name, _)| format!("{name}.json"));
    assert_eq!(found, checked.collect());
}

/// A table with one number wrong does not pass: not a value, not a derivative, not a place outside
/// the domain, where the noise is NaN, nor settings that the table states.
#[test]
fn one_wrong_number_is_found() {
    for (name, check) in TABLES {
        let table = load(name);
        let columns = table["columns"].as_array().unwrap().len();
        let dimensions = (columns - 1) / 2;
        let last = table["rows"].as_array().unwrap().len() - 1;
        for (row, column, add) in [
            (7, 0, 1e300),
            (0, dimensions, 1e-3),
            (last, dimensions, -1e-3),
            (last, columns - 1, 1e-2),
        ] {
            let mut wrong = table.clone();
            let number = &mut wrong["rows"][row][column];
            *number = (number.as_f64().unwrap() + add).into();
            assert!(check(&wrong).is_err(), "{name}: row {row}, column {column}");
        }
        for key in ["octaves", "persistence", "lacunarity", "a", "b", "rotation_degrees"] {
            let Some(number) = table[key].as_f64() else { continue };
            // Of one octave the ratios do not matter.
            if key != "octaves" && table["octaves"] == 1 {
                continue;
            }
            let mut wrong = table.clone();
            wrong[key] = if key == "octaves" { number + 1.0 } else { number * 1.01 }.into();
            assert!(check(&wrong).is_err(), "{name}: {key}");
        }
    }
}
