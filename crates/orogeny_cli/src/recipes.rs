//! Presets by name, and recipes by path.

use std::fs;
use std::path::Path;

use orogeny::scatter::{Model, ScatterKind};
use orogeny::{Landscape, Recipe};

use crate::cli::Failure;

macro_rules! presets {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../presets/", $name, ".terrain.ron")))),*]
    };
}

/// The presets: their names and texts.
pub const PRESETS: &[(&str, &str)] = presets!(
    "alpine" "archipelago" "badlands" "canyon" "craters" "dunes" "fjords" "highlands" "hills"
    "lowlands" "ridges" "sierra" "valleys" "world"
);

/// Whether an argument can only be a recipe: the name of a preset, or a path of one by its ending.
pub fn is_recipe(argument: &str) -> bool {
    is_json(argument) || has_ending(argument, "ron") || preset(argument).is_some()
}

/// Reads and validates a recipe, given by the name of a preset or by a path, and builds its field.
///
/// # Errors
/// A message of one line: there is no such preset, the file cannot be read, or the invalid field in
/// it with its limit.
pub fn read(argument: &str) -> Result<(Recipe, Landscape), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::request(argument, error);
    if !is_recipe(argument) {
        let names: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
        let problem = format!(
            "is neither a path ending in .ron or .json, nor a preset: {}",
            names.join(", ")
        );
        return Err(failed(&problem));
    }
    let built = match preset(argument) {
        Some(text) => Recipe::build_ron(text),
        None => {
            let text = fs::read_to_string(argument).map_err(|error| failed(&error))?;
            if is_json(argument) { Recipe::build_json(&text) } else { Recipe::build_ron(&text) }
        }
    };
    built.map_err(|error| failed(&error))
}

/// The name of the model of a kind of plants.
pub fn model(kind: &ScatterKind) -> String {
    match &kind.model {
        Model::Custom(name) => name.clone(),
        model => format!("{model:?}"),
    }
}

fn preset(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(preset, _)| *preset == name).map(|(_, text)| *text)
}

fn is_json(path: &str) -> bool {
    has_ending(path, "json")
}

fn has_ending(path: &str, ending: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_presets_of_the_project_are_there() {
        let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/presets")).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        let expected = PRESETS.iter().map(|(name, _)| format!("{name}.terrain.ron"));
        assert_eq!(names, expected.collect::<Vec<_>>());
    }
}
