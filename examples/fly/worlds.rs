//! Worlds in files: opening one by name, and what the panel says about it.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_orogeny::orogeny::edits::EditLog;
use bevy_orogeny::{Terrain, TerrainEdits};
use bevy_orogeny_panel::{PanelMessage, Shortcuts};
use bevy_orogeny_world::orogeny_world::{World, WorldFile};
use bevy_orogeny_world::{TerrainWorld, TerrainWorldPlugin, world_of};

use super::keys::SAVE;
use super::presets;

/// The folder of worlds that are named without a path.
pub const FOLDER: &str = "worlds";
const ENDING: &str = "world";
/// A world is compacted when it is opened, if that saves more edits than this.
const MUCH: usize = 1000;

/// Opens a world, or creates it with the ground of a preset, and adds the edits of a log.
///
/// # Errors
/// A message for the user.
pub fn open(name: &str, preset: &str, log: &EditLog) -> Result<TerrainWorld, String> {
    let path = path(FOLDER.as_ref(), name);
    if !path.exists() {
        let world = World { log: log.clone(), ..World::new(presets::read(preset)?) };
        return TerrainWorld::create(path, world).map_err(|error| error.to_string()).inspect(tell);
    }
    let (file, mut world) = WorldFile::open(&path).map_err(|error| error.to_string())?;
    // A log that is added has edits that are to stay removed, and strokes that are to count once.
    if log.changes().next().is_none() && is_worth_compacting(&world.log) {
        // The world opens without it, too.
        match file.compact() {
            Ok(log) => world.log = log,
            Err(error) => warn!("{error}"),
        }
    }
    for change in log.changes() {
        world.log.apply(change).map_err(|error| error.to_string())?;
    }
    file.save(log.changes()).map_err(|error| error.to_string())?;
    let open = TerrainWorld::from_file(file, world);
    tell(&open);
    Ok(open)
}

/// Whether compaction makes a log much shorter. Nobody else has it, so no late change can arrive.
fn is_worth_compacting(log: &EditLog) -> bool {
    let mut log = log.clone();
    log.compact(log.time()) + log.merge_strokes() > MUCH
}

/// A name with a folder or an ending is a path; any other one is a file in the folder of worlds.
fn path(folder: &Path, name: &str) -> PathBuf {
    let path = PathBuf::from(name);
    if path.components().count() > 1 || path.extension().is_some() {
        return path;
    }
    folder.join(path).with_extension(ENDING)
}

/// The file and the number of its edits.
fn summary(open: &TerrainWorld) -> String {
    let edits = open.world().log.len();
    let s = if edits == 1 { "" } else { "s" };
    format!("{}: {edits} edit{s}", open.path().display())
}

fn tell(open: &TerrainWorld) {
    info!("{}", summary(open));
}

/// Saves worlds while somebody plays.
#[derive(Clone)]
pub struct WorldsPlugin {
    /// The folder of new worlds.
    pub folder: PathBuf,
}

/// The folder of new worlds.
#[derive(Resource)]
struct NewWorlds(PathBuf);

impl Plugin for WorldsPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(TerrainWorldPlugin)
            .insert_resource(NewWorlds(self.folder.clone()))
            .add_systems(PostUpdate, create_on_key);
    }
}

/// Saves the present ground as a new world, unless one is open.
fn create_on_key(
    keys: Shortcuts,
    folder: Res<NewWorlds>,
    terrains: Query<(&Terrain, &TerrainEdits)>,
    open: Option<Res<TerrainWorld>>,
    mut message: ResMut<PanelMessage>,
    mut commands: Commands,
) {
    if !keys.just_pressed(SAVE) {
        return;
    }
    if let Some(open) = open {
        return message
            .say(format!("{} is open, and every change is saved to it", open.path().display()));
    }
    let Ok((terrain, edits)) = terrains.single() else {
        return message.say("There is no ground to save yet");
    };
    let free = (1..).map(|n| path(&folder.0, &format!("world-{n}"))).find(|path| !path.exists());
    let create = |world| TerrainWorld::create(free.unwrap_or_default(), world);
    match world_of(terrain, edits).and_then(create) {
        Ok(created) => {
            tell(&created);
            message.say(summary(&created));
            commands.insert_resource(created);
        }
        Err(error) => {
            warn!("{error}");
            message.say(error.to_string());
        }
    }
}

/// The panel's tab.
pub fn show(mut ui: InMut<egui::Ui>, open: Option<Res<TerrainWorld>>) {
    let Some(open) = open else {
        ui.label("No world is open, so your edits are lost when you quit.");
        ui.label("Press L to save the ground and your edits as a new world.");
        return;
    };
    ui.label(format!("World: {}", open.path().display()));
    match (open.error(), open.waiting()) {
        (Some(error), _) => ui.colored_label(egui::Color32::LIGHT_RED, error),
        (None, 0) => ui.label("All changes are saved."),
        (None, waiting) => ui.label(format!("Changes to save: {waiting}")),
    };
}
