//! The presets of the project, each built and measured once for all tests.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock, OnceLock};

use bevy_orogeny::orogeny::{Landscape, Recipe};
use bevy_orogeny::{Layout, LevelErrors};

/// The default layout of chunks.
pub const LAYOUT: Layout = Layout { cells: 64, spacing: 1.0 };

pub struct Preset {
    pub name: String,
    pub recipe: Recipe,
    pub ground: Arc<Landscape>,
    errors: OnceLock<LevelErrors>,
}

impl Preset {
    fn read(path: &Path) -> Self {
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some(name) = name.strip_suffix(".terrain.ron") else {
            panic!("{path:?}");
        };
        let (recipe, ground) = Recipe::build_ron(&fs::read_to_string(path).unwrap())
            .unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let ground = Arc::new(ground);
        Self { name: name.to_string(), recipe, ground, errors: OnceLock::new() }
    }

    /// The errors of the levels of [`LAYOUT`].
    pub fn errors(&self) -> &LevelErrors {
        self.errors.get_or_init(|| LevelErrors::measure(&self.ground, &LAYOUT))
    }
}

/// All presets, by name.
pub fn presets() -> &'static [Preset] {
    static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/presets");
        let files = fs::read_dir(folder).unwrap();
        let mut presets: Vec<_> = files.map(|file| Preset::read(&file.unwrap().path())).collect();
        presets.sort_by(|a, b| a.name.cmp(&b.name));
        presets
    });
    &PRESETS
}
