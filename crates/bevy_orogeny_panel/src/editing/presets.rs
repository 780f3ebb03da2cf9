//! The folder of preset files.

use std::fs;
use std::path::{Path, PathBuf};

use orogeny::Recipe;

const ENDING: &str = ".terrain.ron";

/// The folder of preset files, inside the asset folder.
#[derive(Clone, Debug)]
pub struct Presets {
    /// Its path on disk.
    folder: PathBuf,
    /// Its path for the asset server.
    below_assets: String,
    /// The names and texts of presets that are part of the program.
    built_in: &'static [(&'static str, &'static str)],
}

impl Presets {
    /// A folder inside the asset folder.
    pub fn new(assets: &Path, below_assets: &str) -> Self {
        let folder = assets.join(below_assets);
        Self { folder, below_assets: below_assets.into(), built_in: &[] }
    }

    /// The same, with presets that are part of the program. A file of the same name replaces one.
    pub fn with_built_in(self, built_in: &'static [(&'static str, &'static str)]) -> Self {
        Self { built_in, ..self }
    }

    /// The names of all presets, sorted: file names without the extension.
    pub fn names(&self) -> Vec<String> {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut names: Vec<String> = files
            .filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(ENDING)?.to_string()))
            .chain(self.built_in.iter().map(|(name, _)| name.to_string()))
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// The path of a preset for the asset server.
    pub fn asset_path(&self, name: &str) -> String {
        format!("{}/{name}{ENDING}", self.below_assets)
    }

    /// The name of the preset at a path of the asset server, if it is in this folder.
    pub fn name_of(&self, asset_path: &Path) -> Option<String> {
        let file = asset_path.strip_prefix(&self.below_assets).ok()?.to_str()?;
        Some(file.strip_suffix(ENDING)?.to_string())
    }

    /// The recipe of a preset.
    ///
    /// # Errors
    /// A message that names the file, if it cannot be read or is not valid.
    pub fn read(&self, name: &str) -> Result<Recipe, String> {
        let built_in = |error| {
            let text = self.built_in.iter().find(|(known, _)| *known == name);
            text.map(|(_, text)| text.to_string()).ok_or(error)
        };
        let text = fs::read_to_string(self.path(name))
            .or_else(built_in)
            .map_err(|error| self.failed(name, &error))?;
        Recipe::from_ron(&text).map_err(|error| self.failed(name, &error))
    }

    /// Writes a preset.
    ///
    /// # Errors
    /// A message that says what is wrong with the name or the file.
    pub fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let allowed = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(allowed) {
            return Err("A file name may only contain letters, digits, - and _".into());
        }
        fs::create_dir_all(&self.folder)
            .and_then(|()| fs::write(self.path(name), text))
            .map_err(|error| self.failed(name, &error))
    }

    /// Whether a preset of this name exists.
    pub fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{ENDING}"))
    }

    fn failed(&self, name: &str, error: &dyn core::fmt::Display) -> String {
        format!("{}: {error}", self.asset_path(name))
    }
}
