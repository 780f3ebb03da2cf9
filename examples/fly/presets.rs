//! The preset files in assets/presets. In a browser, which has no folder to list, they are part of
//! the program.

#[cfg(not(target_family = "wasm"))]
use std::path::PathBuf;

#[cfg(not(target_family = "wasm"))]
use bevy::asset::io::file::FileAssetReader;
use bevy_orogeny::orogeny::Recipe;

use super::place::Place;

/// The folder of presets inside the asset folder.
pub const FOLDER: &str = "presets";
const ENDING: &str = ".terrain.ron";

/// The default preset.
const FIRST: &str = "world";

/// Where a flight by hand starts, as for `--at`, where the origin is not the best place.
const STARTS: [(&str, &str); 1] = [("world", "40000,-4000,5,-4,-4")];

#[cfg(any(test, target_family = "wasm"))]
macro_rules! built_in {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../assets/presets/", $name, ".terrain.ron")))),*]
    };
}

/// The presets that are part of the program: their names and texts.
#[cfg(all(not(test), not(target_family = "wasm")))]
pub const BUILT_IN: &[(&str, &str)] = &[];
#[cfg(any(test, target_family = "wasm"))]
pub const BUILT_IN: &[(&str, &str)] = &built_in!(
    "alpine" "archipelago" "badlands" "canyon" "craters" "dunes" "fjords" "highlands" "hills"
    "lowlands" "ridges" "sierra" "valleys" "world"
);

#[cfg(not(target_family = "wasm"))]
fn folder() -> PathBuf {
    FileAssetReader::get_base_path().join("assets").join(FOLDER)
}

/// The names of all presets, sorted.
#[cfg(target_family = "wasm")]
pub fn names() -> Vec<String> {
    BUILT_IN.iter().map(|(name, _)| name.to_string()).collect()
}

/// The names of all presets, sorted.
#[cfg(not(target_family = "wasm"))]
pub fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).into_iter().flatten().flatten();
    let mut names: Vec<String> = files
        .filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(ENDING)?.to_string()))
        .collect();
    names.sort();
    names
}

/// The name of the preset to start with.
///
/// # Errors
/// A message for the user if there is no such preset.
pub fn find(name: Option<&str>) -> Result<String, String> {
    let names = names();
    let wanted = name.unwrap_or(FIRST);
    if names.iter().any(|known| known == wanted) {
        return Ok(wanted.to_string());
    }
    #[cfg(target_family = "wasm")]
    return Err(format!("There is no preset {wanted}. The presets are {}.", names.join(", ")));
    #[cfg(not(target_family = "wasm"))]
    Err(format!(
        "There is no preset {wanted} in {}. The presets are: {}. Run fly with cargo, or set \
         BEVY_ASSET_ROOT to the folder that contains assets/.",
        folder().display(),
        names.join(", ")
    ))
}

/// The recipe of a preset.
///
/// # Errors
/// A message for the user if there is none of that name, or if it is not valid.
#[cfg(target_family = "wasm")]
pub fn read(name: &str) -> Result<Recipe, String> {
    let found = BUILT_IN.iter().find(|(known, _)| *known == name);
    let (_, text) = found.ok_or_else(|| format!("There is no preset {name}"))?;
    Recipe::from_ron(text).map_err(|error| format!("{name}: {error}"))
}

/// The recipe of a preset.
///
/// # Errors
/// A message for the user if the file cannot be read or is not valid.
#[cfg(not(target_family = "wasm"))]
pub fn read(name: &str) -> Result<Recipe, String> {
    let path = folder().join(format!("{name}{ENDING}"));
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| failed(&error))?;
    Recipe::from_ron(&text).map_err(|error| failed(&error))
}

/// Where a flight by hand over a preset starts; `None` for above the origin.
pub fn start(name: &str) -> Option<Place> {
    let (_, place) = STARTS.iter().find(|(preset, _)| *preset == name)?;
    Some(place.parse().expect("a place"))
}

/// The path of a preset for the asset server.
pub fn asset_path(name: &str) -> String {
    format!("{FOLDER}/{name}{ENDING}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_has_all_presets() {
        let built_in: Vec<_> = BUILT_IN.iter().map(|(name, _)| name.to_string()).collect();
        assert_eq!(built_in, names());
    }
}
