//! Preset files.

use std::path::PathBuf;

use orogeny::Recipe;

/// The recipe of a preset.
///
/// # Errors
/// A message for the user if the file cannot be read or is not valid.
pub fn read(name: &str) -> Result<Recipe, String> {
    let root = std::env::var_os("BEVY_ASSET_ROOT").map_or_else(PathBuf::new, PathBuf::from);
    let path = root.join(format!("assets/presets/{name}.terrain.ron"));
    let text = std::fs::read_to_string(&path).map_err(|error| {
        format!(
            "{}: {error}. Run gpu_bench where assets/ is, or set BEVY_ASSET_ROOT to that folder.",
            path.display()
        )
    })?;
    Recipe::from_ron(&text).map_err(|error| format!("{}: {error}", path.display()))
}
