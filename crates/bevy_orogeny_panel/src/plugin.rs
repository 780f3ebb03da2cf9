//! The plugin: registers the tabs and orders the systems.

use std::path::PathBuf;

#[cfg(not(target_family = "wasm"))]
use bevy::asset::io::file::FileAssetReader;
use bevy::input::InputSystems;
use bevy::input::keyboard::KeyboardInput;
use bevy::prelude::*;
use bevy_egui::{EguiGlobalSettings, EguiPlugin, EguiPreUpdateSet, EguiPrimaryContextPass};
use bevy_orogeny::advanced::{StreamTerrain, TerrainSystems};

use crate::editing::history::{self, PanelStep};
use crate::editing::presets::Presets;
use crate::editing::{Editing, follow};
use crate::map::TerrainMap;
use crate::tabs;
use crate::tabs::statistics::{self, History};
use crate::tabs::views::{self, Screenshots};
use crate::tools::cursor::{self, Cursor};
use crate::tools::density_map::{self, DensityMap};
use crate::tools::selected::{self, Selected};
use crate::tools::{self, Tools, brush, clicks, course};
use crate::viewer::{self, Freeze, Teleport};
use crate::views::DebugViewPlugin;
use crate::window::keys::{self, KeyLabels, PanelKeys};
use crate::window::{self, PanelMessage, TerrainPanel};

/// Adds the panel to a game. Add it after `DefaultPlugins` and `TerrainPlugins`.
///
/// The panel edits one terrain, the first that it finds, and shows the position of the camera with
/// a [`TerrainViewer`](bevy_orogeny::TerrainViewer). If the terrain has a
/// [`TerrainPreset`](bevy_orogeny::TerrainPreset), the panel removes that component and watches the
/// file itself, so that a change on disk cannot discard edits.
#[derive(Clone, Debug)]
pub struct TerrainPanelPlugin {
    /// The folder of preset files, inside the asset folder.
    pub presets: String,
    /// The names and texts (RON) of presets that are part of the program, for a browser.
    pub built_in: &'static [(&'static str, &'static str)],
    /// The folder for screenshots.
    pub screenshots: PathBuf,
}

impl Default for TerrainPanelPlugin {
    /// `assets/presets`, and `screenshots`.
    fn default() -> Self {
        Self { presets: "presets".into(), built_in: &[], screenshots: "screenshots".into() }
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
        tools::build_lines(app);
        let drawn = (
            cursor::draw,
            selected::draw,
            course::draw,
            clicks::draw_stamp,
            clicks::draw_plant,
            density_map::draw,
        );
        app.add_systems(Update, drawn.after(selected::drag))
            .add_systems(Startup, keep_input_from_camera)
            .add_systems(EguiPrimaryContextPass, window::show);
    }
}

/// Everything except what needs a window and a GPU.
pub fn build(plugin: &TerrainPanelPlugin, app: &mut App) {
    let settings = app.get_added_plugins::<AssetPlugin>();
    let below = settings.first().map_or_else(|| "assets".into(), |plugin| plugin.file_path.clone());
    // A browser has no folders: only presets that are part of the program.
    #[cfg(target_family = "wasm")]
    let base = PathBuf::new();
    #[cfg(not(target_family = "wasm"))]
    let base = FileAssetReader::get_base_path();
    let presets = Presets::new(&base.join(below), &plugin.presets);
    app.insert_resource(Editing::new(presets.with_built_in(plugin.built_in)))
        .insert_resource(Screenshots { folder: plugin.screenshots.clone(), wanted: false })
        .init_resource::<TerrainPanel>()
        .init_resource::<PanelKeys>()
        .init_resource::<KeyLabels>()
        .init_resource::<ButtonInput<KeyCode>>()
        .add_message::<KeyboardInput>()
        .init_resource::<PanelMessage>()
        .init_resource::<Teleport>()
        .init_resource::<TerrainMap>()
        .init_resource::<Freeze>()
        .init_resource::<Tools>()
        .init_resource::<Cursor>()
        .init_resource::<Selected>()
        .init_resource::<DensityMap>()
        .init_resource::<ButtonInput<MouseButton>>()
        .add_message::<PanelStep>()
        .init_resource::<History>();
    tabs::build(app);
    // egui takes the messages of keys that are typed into it.
    let learn = keys::learn.after(InputSystems).before(EguiPreUpdateSet::ProcessInput);
    app.add_systems(PreUpdate, learn);
    app.add_systems(
        Update,
        (
            (follow::follow_terrain, follow::watch_file, follow::give_to_terrain).chain(),
            (keys::read, views::take_screenshot, viewer::freeze, viewer::teleport).chain(),
            (
                cursor::find,
                (
                    brush::draw,
                    course::lay,
                    clicks::stamp,
                    clicks::fell,
                    clicks::plant,
                    selected::drag,
                )
                    .chain(),
                (history::collect, history::go).chain(),
            )
                .chain(),
            statistics::record,
        ),
    )
    .add_systems(
        StreamTerrain,
        (
            statistics::begin.before(TerrainSystems::Adopt),
            statistics::end.after(TerrainSystems::Report),
        ),
    );
}

/// Hides clicks on the panel and keys typed into it from the game.
fn keep_input_from_camera(mut settings: ResMut<EguiGlobalSettings>) {
    settings.enable_absorb_bevy_input_system = true;
}
