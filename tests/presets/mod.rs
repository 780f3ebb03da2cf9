//! Preset files: those of the project are valid and differ from each other, all that should grow
//! there does, and changes on disk reach the terrain. All in apps without rendering.

mod editors;
mod loading;
mod project;
mod scenes;

use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::prelude::*;

/// The assets of the project.
pub const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");

/// An app with its assets in a folder. They are reloaded when they change.
pub fn app(folder: &str) -> App {
    let assets = AssetPlugin {
        file_path: folder.into(),
        watch_for_changes_override: Some(true),
        ..default()
    };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, assets, TerrainPlugins));
    app
}

/// Flat ground at a height.
pub fn recipe(height: u64) -> Recipe {
    Recipe::new(height, 10.0, Node::Constant(height as f32))
}

/// Updates until a condition holds, for at most half a minute.
pub fn wait(app: &mut App, what: &str, holds: impl Fn(&World) -> bool) {
    let start = Instant::now();
    while !holds(app.world()) {
        assert!(start.elapsed() < Duration::from_secs(120), "timeout while waiting for {what}");
        app.update();
        sleep(Duration::from_millis(2));
    }
}

/// The first problem, if a preset file has one.
pub fn problem(world: &World) -> Option<String> {
    let (_, problem) = world.resource::<TerrainProblems>().iter().next()?;
    matches!(problem, TerrainProblem::Preset { .. }).then(|| problem.to_string())
}
