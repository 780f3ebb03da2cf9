//! Worlds in files: opening one by name, and saving every change of it.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::orogeny::edits::EditLog;
use bevy_orogeny::{EditApplied, Ground, Terrain, TerrainEdits};
use bevy_orogeny_panel::{PanelMessage, Shortcuts};
use orogeny_world::{Saver, World, WorldFile};

use super::keys::SAVE;
use super::presets;

/// The folder of worlds that are named without a path.
pub const FOLDER: &str = "worlds";
const ENDING: &str = "world";
/// A world is compacted when it is opened, if that saves more edits than this.
const MUCH: usize = 1000;

/// The world whose changes are saved, if there is one, and the last message about it.
#[derive(Resource, Default)]
pub struct OpenWorld {
    path: PathBuf,
    saver: Option<Saver>,
    /// The recipe in the file.
    recipe: Option<Recipe>,
    message: String,
}

/// Opens a world, or creates it with the ground of a preset, and adds the edits of a log.
///
/// # Errors
/// A message for the user.
pub fn open(name: &str, preset: &str, log: &EditLog) -> Result<(OpenWorld, World), String> {
    let path = path(FOLDER.as_ref(), name);
    if !path.exists() {
        let world = World { recipe: presets::read(preset)?, log: log.clone() };
        return Ok((create(path, &world)?, world));
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
    Ok((OpenWorld::new(path, file, &world), world))
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

fn create(path: PathBuf, world: &World) -> Result<OpenWorld, String> {
    if let Some(folder) = path.parent() {
        let failed = |error| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let file = WorldFile::create(&path, world).map_err(|error| error.to_string())?;
    Ok(OpenWorld::new(path, file, world))
}

impl OpenWorld {
    fn new(path: PathBuf, file: WorldFile, world: &World) -> Self {
        let edits = world.log.len();
        let s = if edits == 1 { "" } else { "s" };
        let message = format!("{}: {edits} edit{s}", path.display());
        info!("{message}");
        let recipe = Some(world.recipe.clone());
        Self { path, saver: Some(Saver::new(file)), recipe, message }
    }
}

/// Saves worlds while somebody plays.
pub struct WorldsPlugin {
    /// The folder of new worlds.
    pub folder: PathBuf,
}

/// The folder of new worlds.
#[derive(Resource)]
struct NewWorlds(PathBuf);

impl Plugin for WorldsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<OpenWorld>()
            .insert_resource(NewWorlds(self.folder.clone()))
            .add_systems(PostUpdate, (create_on_key, save).chain())
            .add_systems(Last, finish.run_if(on_message::<AppExit>));
    }
}

/// Saves the present ground as a new world, unless one is open.
fn create_on_key(
    keys: Shortcuts,
    folder: Res<NewWorlds>,
    terrains: Query<(&Terrain, &TerrainEdits)>,
    mut open: ResMut<OpenWorld>,
    mut message: ResMut<PanelMessage>,
) {
    if !keys.just_pressed(SAVE) {
        return;
    }
    if open.saver.is_some() {
        return message.say(format!("{} is saved as you go", open.path.display()));
    }
    let Ok((Terrain { ground: Ground::Recipe(recipe), .. }, edits)) = terrains.single() else {
        return message.say("There is no ground yet that could be saved");
    };
    let world = World { recipe: recipe.clone(), log: edits.log.clone() };
    let free = (1..).map(|n| path(&folder.0, &format!("world-{n}"))).find(|path| !path.exists());
    match create(free.unwrap_or_default(), &world) {
        Ok(created) => *open = created,
        Err(error) => {
            warn!("{error}");
            open.message = error;
        }
    }
    message.say(&open.message);
}

/// Saves changes of the log and of the recipe.
fn save(
    mut edits: MessageReader<EditApplied>,
    terrains: Query<&Terrain, Changed<Terrain>>,
    mut open: ResMut<OpenWorld>,
) {
    let OpenWorld { saver: Some(saver), recipe: saved, .. } = &mut *open else { return };
    for EditApplied { applied, .. } in edits.read() {
        if let Err(error) = saver.save(applied.change.clone()) {
            warn!("{error}");
        }
    }
    for terrain in &terrains {
        let Ground::Recipe(recipe) = &terrain.ground else { continue };
        if saved.as_ref() != Some(recipe) {
            *saved = Some(recipe.clone());
            if let Err(error) = saver.save_recipe(recipe.clone()) {
                warn!("{error}");
            }
        }
    }
}

/// Waits for the disk at the end.
fn finish(mut open: ResMut<OpenWorld>) {
    if let Some(Err(unsaved)) = open.saver.take().map(Saver::finish) {
        error!("{unsaved}");
    }
}

/// The panel's tab.
pub fn show(mut ui: InMut<egui::Ui>, open: Res<OpenWorld>) {
    let Some(saver) = &open.saver else {
        ui.label("No world is open: edits are lost at the end.");
        ui.label("L saves this ground and its edits as a new world.");
        ui.label(&open.message);
        return;
    };
    ui.label(format!("World: {}", open.path.display()));
    match (saver.error(), saver.waiting()) {
        (Some(error), _) => ui.colored_label(egui::Color32::LIGHT_RED, error),
        (None, 0) => ui.label("All changes are saved."),
        (None, waiting) => ui.label(format!("{waiting} changes are being saved.")),
    };
}
