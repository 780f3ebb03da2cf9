//! What the example adds to Bevy's and the terrain's plugins.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_orogeny::TerrainPlugins;
use bevy_orogeny::advanced::TerrainDecals;
use bevy_orogeny_panel::{DebugView, DebugViewPlugin, TerrainPanelApp, TerrainPanelPlugin};

use super::eye::EyePlugin;
use super::pilot::PilotPlugin;
use super::plants::PlantsPlugin;
use super::presets;
use super::sky::{self, SkyPlugin, TimeOfDay};
use super::world::{WorldPlugin, WorldSettings};
use super::worlds::{self, WorldsPlugin};

/// The world: its ground, its plants and its sky.
pub struct ScenePlugin {
    pub world: WorldSettings,
    pub time: TimeOfDay,
    pub view: DebugView,
}

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        // This world has none, and shaders that look for them are slower.
        app.insert_resource(TerrainDecals(false));
        app.add_plugins((
            TerrainPlugins,
            WorldPlugin(self.world.clone()),
            PlantsPlugin,
            SkyPlugin(self.time),
            EyePlugin,
            DebugViewPlugin { view: self.view },
        ));
    }
}

/// What somebody in front of a window does with it. Add it after the scene.
pub struct PlayPlugin {
    /// The folder for screenshots.
    pub screenshots: PathBuf,
    /// Where worlds are saved.
    pub worlds: WorldsPlugin,
}

impl Plugin for PlayPlugin {
    fn build(&self, app: &mut App) {
        let screenshots = self.screenshots.clone();
        app.add_plugins((
            TerrainPanelPlugin { screenshots, built_in: presets::BUILT_IN, ..default() },
            PilotPlugin,
            self.worlds.clone(),
        ))
        .add_panel_tab("Sky", "The time of day", sky::show)
        .add_panel_tab("World", "Where edits are saved", worlds::show);
    }
}
