//! What tests of several folders use: ground with nothing on it, apps without a GPU, the presets of
//! the project, and the errors that this program logs.

use std::fmt::Debug;
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};

use bevy::log::tracing::field::Field;
use bevy::log::tracing::{self, Event, Level, Subscriber};
use bevy::log::tracing_subscriber::layer::{Context, SubscriberExt};
use bevy::log::tracing_subscriber::{self, Layer};
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy_orogeny::orogeny::scatter::Scatter;
use bevy_orogeny::orogeny::{Landscape, Recipe};
use bevy_orogeny::{Ground, Terrain};

/// The default terrain without water and plants, which move, for what looks at the ground alone.
pub fn bare() -> Terrain {
    let mut terrain = Terrain::default().with_scatter(Scatter::default());
    let Ground::Recipe(recipe) = &mut terrain.ground else { panic!("the default is a recipe") };
    recipe.sea_level = None;
    terrain
}

/// Bevy's renderer without a device.
pub fn no_gpu() -> RenderPlugin {
    let settings = WgpuSettings { backends: None, ..default() };
    let render_creation = RenderCreation::Automatic(Box::new(settings));
    RenderPlugin { render_creation, ..default() }
}

pub struct Preset {
    pub name: String,
    pub recipe: Recipe,
    pub ground: Arc<Landscape>,
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
        Self { name: name.to_string(), recipe, ground }
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

/// The errors that this program logs. A process has one subscriber, so the apps of the tests have
/// no `LogPlugin`. Tests run side by side: look for words of your own.
static ERRORS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Collector;

impl<S: Subscriber> Layer<S> for Collector {
    fn on_event(&self, event: &Event, _: Context<S>) {
        if *event.metadata().level() == Level::ERROR {
            let mut text = String::new();
            let mut add = |_: &Field, value: &dyn Debug| text += &format!("{value:?}");
            event.record(&mut add);
            ERRORS.lock().unwrap().push(text);
        }
    }
}

/// Begins to collect errors.
pub fn collect_errors() {
    static STARTED: LazyLock<()> = LazyLock::new(|| {
        let subscriber = tracing_subscriber::registry().with(Collector);
        tracing::subscriber::set_global_default(subscriber).expect("no app has a LogPlugin");
    });
    LazyLock::force(&STARTED);
}

/// The collected errors that contain a text.
pub fn errors_with(text: &str) -> Vec<String> {
    let errors = ERRORS.lock().unwrap();
    errors.iter().filter(|error| error.contains(text)).cloned().collect()
}
