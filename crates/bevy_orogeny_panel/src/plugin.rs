//! The plugin: what runs when.

use std::path::PathBuf;

use bevy::asset::io::file::FileAssetReader;
use bevy::prelude::*;
use bevy_egui::{EguiGlobalSettings, EguiPlugin, EguiPrimaryContextPass};
use bevy_orogeny::{StreamTerrain, TerrainSystems};

use crate::editing::{self, Editing};
use crate::history::{self, History};
use crate::keys::{self, PanelKeys};
use crate::message::Message;
use crate::panel::{self, TerrainPanel, TerrainPanelApp};
use crate::presets::Presets;
use crate::preview::{self, Preview};
use crate::screenshot::{self, Screenshots};
use crate::tabs;
use crate::teleport::{self, Teleport};
use crate::views::{self, DebugViewPlugin};

/// Adds the panel to a game. Add it after `DefaultPlugins` and `TerrainPlugin`.
///
/// It edits the terrain that was spawned first, and follows the camera with a
/// [`TerrainViewer`](bevy_orogeny::TerrainViewer). Where that terrain has a
/// [`TerrainPreset`](bevy_orogeny::TerrainPreset), the panel takes it over: it edits and watches
/// the file in its place.
#[derive(Clone, Debug)]
pub struct TerrainPanelPlugin {
    /// The folder of preset files, below that of the assets.
    pub presets: String,
    /// The folder that screenshots go to.
    pub screenshots: PathBuf,
}

impl Default for TerrainPanelPlugin {
    /// `assets/presets`, and `screenshots`.
    fn default() -> Self {
        Self { presets: "presets".into(), screenshots: "screenshots".into() }
    }
}

impl Plugin for TerrainPanelPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        if !app.is_plugin_added::<DebugViewPlugin>() {
            app.add_plugins(DebugViewPlugin::default());
        }
        build(self, app);
        app.add_systems(Startup, keep_input_from_camera)
            .add_systems(EguiPrimaryContextPass, panel::show);
    }
}

/// All of it but what needs a window and a graphics card.
pub fn build(plugin: &TerrainPanelPlugin, app: &mut App) {
    let settings = app.get_added_plugins::<AssetPlugin>();
    let below = settings.first().map_or_else(|| "assets".into(), |plugin| plugin.file_path.clone());
    let assets = FileAssetReader::get_base_path().join(below);
    app.insert_resource(Editing::new(Presets::new(&assets, &plugin.presets)))
        .insert_resource(Screenshots { folder: plugin.screenshots.clone(), wanted: false })
        .init_resource::<TerrainPanel>()
        .init_resource::<PanelKeys>()
        .init_resource::<Message>()
        .init_resource::<Teleport>()
        .init_resource::<Preview>()
        .init_resource::<History>();
    views::build_freeze(app);
    app.add_panel_tab(
        "Terrain",
        "The recipe: every layer and every number of it",
        tabs::terrain::show,
    )
    .add_panel_tab("Cover", "What covers the ground, and the sea", tabs::cover::show)
    .add_panel_tab(
        "Viewer",
        "How far and how fine terrain is, and where you are",
        tabs::viewer::show,
    )
    .add_panel_tab("Preview", "A map and a profile of the terrain", tabs::preview::show)
    .add_panel_tab("Statistics", "What it costs, over the last frames", tabs::statistics::show)
    .add_panel_tab("Views", "Other ways to look at the terrain", tabs::views::show)
    .add_panel_tab("Help", "What the keys do", tabs::help::show);
    app.add_systems(
        Update,
        (
            (editing::follow_terrain, editing::watch_file, editing::give_to_terrain).chain(),
            (keys::read, screenshot::take, teleport::go).chain(),
            preview::follow_field,
            history::record,
        ),
    )
    .add_systems(
        StreamTerrain,
        (history::begin.before(TerrainSystems::Adopt), history::end.after(TerrainSystems::Report)),
    );
}

/// Keys and clicks that the panel uses do not fly the camera.
fn keep_input_from_camera(mut settings: ResMut<EguiGlobalSettings>) {
    settings.enable_absorb_bevy_input_system = true;
}
