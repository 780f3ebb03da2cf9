//! `inspect`: what recipes, presets and elevation files are.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::support::{fail, load, orogeny, output_path, printed, succeed};
use orogeny::Field;

fn run(file: &Path, more: &[&str]) -> Output {
    orogeny().arg("inspect").arg(file).args(more).output().unwrap()
}

/// The object of a file, and the exit code.
fn object(file: &Path, more: &[&str]) -> (Value, Option<i32>) {
    let Output { status, stdout, stderr } =
        orogeny().arg("inspect").arg(file).arg("--json").args(more).output().unwrap();
    assert!(stderr.is_empty(), "{}", String::from_utf8_lossy(&stderr));
    let text = String::from_utf8(stdout).unwrap();
    assert_eq!(text.lines().count(), 1);
    (serde_json::from_str(&text).unwrap(), status.code())
}

#[test]
fn presets_say_their_bounds_lands_and_plants() {
    let (recipe, field) = load("world");
    let (found, code) = object(Path::new("world"), &[]);
    assert_eq!((code, &found["kind"]), (Some(0), &"recipe".into()));
    assert_eq!(found["seed"], recipe.seed);
    assert_eq!(found["bounds"]["max"], field.bounds().max);
    assert_eq!(found["lands"][0], "meadows");
    assert_eq!(found["plants"].as_array().unwrap().len(), recipe.scatter.kinds.len());
    assert_eq!(found["problems"], Value::Array(Vec::new()));
    let text = printed(run(Path::new("world"), &[]));
    for words in ["lands        meadows, steppe, ", "plants       ", "sea          at "] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn a_recipe_that_is_not_valid_says_why() {
    let (_folder, file) = output_path("faulty.ron");
    fs::write(&file, "(field: Add([Constant(1), Fractal(octaves: 77)]))").unwrap();
    let (found, code) = object(&file, &[]);
    assert_eq!((code, &found["kind"]), (Some(1), &"recipe".into()));
    let problem = found["problems"][0].as_str().unwrap();
    assert!(problem.contains("field.Add[1].Fractal.octaves"), "{problem}");
    fail(&run(Path::new("nowhere"), &[]), 2, &["nowhere", "alpine, "]);
    fail(&run(Path::new("world"), &["--format=gif"]), 2, &["--format", "terrain-rgb"]);
}

#[test]
fn elevation_says_its_place_unit_and_range() {
    let (folder, file) = output_path("terrain.tif");
    succeed("export alpine --size 12x7 --origin 300,-500 --spacing 2.5", &file);
    let (found, code) = object(&file, &[]);
    assert_eq!((code, &found["kind"]), (Some(0), &"elevation".into()));
    assert_eq!(found["size"], serde_json::json!([12, 7]));
    assert_eq!(found["spacing"], serde_json::json!([2.5, 2.5]));
    assert_eq!(found["warnings"], Value::Array(Vec::new()));
    assert!(found["heights"][0].as_f64() < found["heights"][1].as_f64());
    assert!(found["height_source"].as_str().unwrap().starts_with("metres in the file"));
    assert!(printed(run(&file, &[])).contains("size         12 x 7 samples\n"));

    // What a raw file does not say is missing, which is no problem of the file.
    let raw = folder.path().join("terrain.r16");
    succeed("export alpine --size 9", &raw);
    let (found, code) = object(&raw, &[]);
    assert_eq!((code, found["spacing"].is_null()), (Some(0), true));
    assert_eq!(found["missing"].as_array().unwrap().len(), 2);
}

#[test]
fn images_of_weights_say_whether_they_add_up() {
    let (folder, file) = output_path("land.png");
    succeed("export hills --size 9 --kind cover", &file);
    let (found, code) = object(&folder.path().join("land_splat0.png"), &[]);
    assert_eq!((code, &found["kind"]), (Some(0), &"weights".into()));
    assert_eq!(found["layers"], 4);

    let other = folder.path().join("other.png");
    fs::write(&other, "no picture").unwrap();
    let (found, code) = object(&other, &[]);
    assert_eq!((code, &found["kind"]), (Some(1), &"elevation".into()));
    assert!(found["problems"][0].as_str().unwrap().contains("other.png"));
}
