//! Presets by name, and recipes by path.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use orogeny::{Landscape, Recipe};

use crate::failure::Failure;

/// The folder of presets in the project.
const FOLDER: &str = "assets/presets";
const ENDING: &str = ".terrain.ron";

/// Reads and validates a recipe, given by the name of a preset or by a path, and builds its field.
///
/// # Errors
/// A message of one line: there is no such preset, the file cannot be read, or the invalid field in
/// it with its limit.
pub fn read(preset: &str) -> Result<(Recipe, Landscape), Failure> {
    let path = find(preset)?;
    let failed = |error: &dyn std::fmt::Display| Failure::request(path.display(), error);
    let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
    let json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let built = if json { Recipe::build_json(&text) } else { Recipe::build_ron(&text) };
    built.map_err(|error| failed(&error))
}

fn find(preset: &str) -> Result<PathBuf, Failure> {
    let path = Path::new(preset);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if ["ron", "json"].iter().any(|known| ending.eq_ignore_ascii_case(known)) {
        return Ok(path.into());
    }
    let folder = folder();
    let names = names(&folder);
    if names.iter().any(|name| name == preset) {
        return Ok(folder.join(format!("{preset}{ENDING}")));
    }
    let found = if names.is_empty() {
        "none; run it with cargo, or from the project's folder".into()
    } else {
        names.join(", ")
    };
    let problem = format!(
        "is not a path ending in .ron or .json, nor a preset in {} (available: {found})",
        folder.display()
    );
    Err(Failure::request(preset, problem))
}

/// The first folder of presets, searching upwards from the package, or, without Cargo, from the
/// working directory.
fn folder() -> PathBuf {
    let start = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let start = start.or_else(|| env::current_dir().ok()).unwrap_or_default();
    let folders = start.ancestors().map(|folder| folder.join(FOLDER));
    folders.into_iter().find(|folder| folder.is_dir()).unwrap_or_else(|| FOLDER.into())
}

fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = files
        .filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(ENDING)?.to_string()))
        .collect();
    names.sort();
    names
}
