//! Compares fields with the rows of tables, by every sampling method.

use orogeny::simd::levels;
use orogeny::{Field, Grid, Jets, Node, Sample, Samples, Tree};
use serde_json::Value;

use crate::tables::numbers;

/// The precision of f32, relative to the sum of amplitudes for values, and to the sum of amplitude
/// times frequency for derivatives.
const VALUE: f64 = 2e-6;
const DERIVATIVE: f64 = 2e-5;

/// The largest errors of values and derivatives, or a message about the failure.
pub type Checked = Result<[f64; 2], String>;

/// Compares a field with the rows of a table: coordinates, the value, and the derivatives along the
/// same axes.
pub fn compare<const N: usize>(
    table: &Value,
    node: impl Into<Node<N>>,
    scales: [f64; 2],
) -> Checked {
    let field = node.into().build().unwrap();
    let columns = table["columns"].as_array().unwrap().len();
    let dimensions = (columns - 1) / 2;
    let rows: Vec<Vec<f64>> = table["rows"].as_array().unwrap().iter().map(numbers).collect();
    if rows.len() < 60 || rows.iter().any(|row| row.len() != columns) {
        return Err("rows are missing".into());
    }
    let position =
        |row: &Vec<f64>| std::array::from_fn(|k| if k < dimensions { row[k] } else { 0.0 });
    let points: Vec<[f64; N]> = rows.iter().map(position).collect();
    let mut errors = [0f64; 2];
    for (way, samples) in ways(&field, &points) {
        assert_eq!(samples.len(), rows.len());
        for (row, sample) in rows.iter().zip(samples) {
            let value = (f64::from(sample.value) - row[dimensions]).abs() / scales[0];
            let slopes = (0..dimensions).map(|k| {
                (f64::from(sample.gradient[k]) - row[dimensions + 1 + k]).abs() / scales[1]
            });
            let slope = slopes.fold(0.0, larger);
            // Written so that NaN fails.
            let passes = value < VALUE && slope < DERIVATIVE;
            if !passes {
                return Err(format!("{way} at {row:?}: {sample:?}, errors {value}, {slope}"));
            }
            errors = [larger(errors[0], value), larger(errors[1], slope)];
        }
    }
    Ok(errors)
}

/// The larger one, or NaN if either is NaN: `f64::max` would drop it.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// The samples at all points, by every sampling method.
fn ways<const N: usize>(field: &Tree<N>, points: &[[f64; N]]) -> Vec<(String, Vec<Sample<N>>)> {
    let mut ways = vec![
        ("sample".into(), points.iter().map(|&p| field.sample(p)).collect()),
        ("jet".into(), points.iter().map(|&p| field.jet(p).sample).collect()),
    ];
    // Each point is in the middle of a grid.
    const SIDE: usize = 5;
    let grids =
        points.iter().map(|p| Grid::new(p.map(|x| x - 0.25 * (SIDE / 2) as f64), 0.25, [SIDE; N]));
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
