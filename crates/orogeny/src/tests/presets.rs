//! The presets of the repository, which no package contains.

use std::fs;
use std::path::Path;

/// The text of a preset, or `None` outside of the repository: its tests are skipped there.
pub fn preset(name: &str) -> Option<String> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/presets"));
    let read = || fs::read_to_string(folder.join(name).with_extension("terrain.ron"));
    folder.exists().then(|| read().unwrap_or_else(|error| panic!("{name}: {error}")))
}
