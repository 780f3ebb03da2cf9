//! Worlds in the browser's storage: opening one by name, and what the panel says about it.
//!
//! A world is two texts: its recipe, and the log of its edits. Browsers keep some 5 MB for a site.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::orogeny::edits::EditLog;
use bevy_orogeny::{Ground, Terrain, TerrainEdits};
use bevy_orogeny_panel::{PanelMessage, Shortcuts};

use super::browser::storage;
use super::keys::SAVE;

/// The seconds between a change and the next, and saving them.
const PAUSE: f32 = 2.0;

/// Opens a world; `None` if there is none of that name yet.
///
/// # Errors
/// A message for the user.
pub fn open(name: &str) -> Result<Option<(Recipe, EditLog)>, String> {
    let Some(recipe) = storage::read(&key(name, "recipe"))? else { return Ok(None) };
    let failed = |error: &dyn std::fmt::Display| format!("The world {name} is damaged: {error}");
    let recipe = Recipe::from_ron(&recipe).map_err(|error| failed(&error))?;
    let log = match storage::read(&key(name, "edits"))? {
        Some(edits) => EditLog::from_ron(&edits).map_err(|error| failed(&error))?,
        None => EditLog::new(),
    };
    Ok(Some((recipe, log)))
}

fn save(name: &str, terrain: &Terrain, edits: &TerrainEdits) -> Result<(), String> {
    let Ground::Recipe(recipe) = &terrain.ground else {
        return Err("There is no ground yet that could be saved".into());
    };
    let recipe = recipe.to_ron().map_err(|error| error.to_string())?;
    let log = edits.log.to_ron().map_err(|error| error.to_string())?;
    // Both or none of them: the log is the larger one.
    let old = storage::read(&key(name, "edits"))?;
    storage::write(&key(name, "edits"), &log)?;
    storage::write(&key(name, "recipe"), &recipe).inspect_err(|_| {
        // It fitted before.
        let _ = storage::write(&key(name, "edits"), &old.unwrap_or_default());
    })
}

/// The first name of which no world is stored.
fn free_name() -> Result<String, String> {
    let mut names = (1..).map(|number| format!("world-{number}"));
    loop {
        let name = names.next().expect("numbers do not end");
        if storage::read(&key(&name, "recipe"))?.is_none() {
            return Ok(name);
        }
    }
}

fn key(name: &str, part: &str) -> String {
    format!("orogeny/{name}/{part}")
}

/// Saves a world while somebody plays.
pub struct WorldsPlugin {
    /// The name of the world that the address names; empty without one.
    pub folder: PathBuf,
}

/// The world that is open.
#[derive(Resource)]
pub struct OpenWorld {
    /// Empty until it is saved for the first time.
    name: String,
    /// Whether it was saved by hand, or the address names it. From then on changes are saved as
    /// they are made.
    is_saved: bool,
    /// The seconds since the last change that is not saved.
    unsaved: Option<f32>,
    error: Option<String>,
}

impl Plugin for WorldsPlugin {
    fn build(&self, app: &mut App) {
        let name = self.folder.display().to_string();
        let is_saved = !name.is_empty();
        app.insert_resource(OpenWorld { name, is_saved, unsaved: None, error: None })
            .add_systems(PostUpdate, (save_on_key, save_changes).chain());
    }
}

/// Saves the present ground as a world.
fn save_on_key(
    keys: Shortcuts,
    terrains: Query<(&Terrain, &TerrainEdits)>,
    mut open: ResMut<OpenWorld>,
    mut message: ResMut<PanelMessage>,
) {
    if !keys.just_pressed(SAVE) {
        return;
    }
    let Ok((terrain, edits)) = terrains.single() else {
        return message.say("There is no ground yet that could be saved");
    };
    let name = if open.is_saved { Ok(open.name.clone()) } else { free_name() };
    match name.and_then(|name| save(&name, terrain, edits).map(|()| name)) {
        Ok(name) => {
            message.say(format!("Saved in this browser: ?world={name} opens it again"));
            *open = OpenWorld { name, is_saved: true, unsaved: None, error: None };
        }
        Err(error) => message.say(error),
    }
}

/// Saves changes of an open world a moment after the last one.
fn save_changes(
    terrains: Query<(Ref<Terrain>, Ref<TerrainEdits>)>,
    time: Res<Time>,
    mut open: ResMut<OpenWorld>,
) {
    let Ok((terrain, edits)) = terrains.single() else { return };
    if !open.is_saved || edits.is_added() {
        return;
    }
    if terrain.is_changed() || edits.is_changed() {
        open.unsaved = Some(0.0);
    }
    let Some(unsaved) = &mut open.unsaved else { return };
    *unsaved += time.delta_secs();
    if *unsaved >= PAUSE {
        open.error = save(&open.name, &terrain, &edits).err();
        open.unsaved = None;
    }
}

/// The panel's tab.
pub fn show(mut ui: InMut<egui::Ui>, open: Res<OpenWorld>) {
    if !open.is_saved {
        ui.label("No world is open: edits are lost when this page is closed.");
        ui.label("L saves this ground and its edits in this browser.");
        return;
    }
    ui.label(format!("World: {}, in this browser", open.name));
    match (&open.error, open.unsaved) {
        (Some(error), _) => ui.colored_label(egui::Color32::LIGHT_RED, error),
        (None, None) => ui.label("All changes are saved."),
        (None, Some(_)) => ui.label("Changes are being saved."),
    };
}
