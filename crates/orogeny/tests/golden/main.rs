//! The classic noises compared with tables of values and derivatives, computed in f64 from their
//! published descriptions.
//!
//! The JSON files here have the tables and the parameters of the noises: permutations, gradients,
//! octaves, rotations. tables.rs builds each noise, compare.rs checks every row by every sampling
//! method. `--nocapture` prints the largest errors.

#![allow(clippy::disallowed_methods)]

mod compare;
mod tables;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::tables::TABLES;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn load(name: &str) -> Value {
    let path = folder().join(name).with_extension("json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
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
    let found: BTreeSet<String> = names.filter(|name| !name.ends_with(".rs")).collect();
    let checked = TABLES.iter().map(|(name, _)| format!("{name}.json"));
    assert_eq!(found, checked.collect());
}

/// A table with one wrong number fails: a value, a derivative, a position outside the domain, where
/// the noise is NaN, or a setting of the table.
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
