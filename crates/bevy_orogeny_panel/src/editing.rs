//! The terrain that is edited: from the world into the document and back, and from and to files.

use bevy::asset::AssetLoadFailedEvent;
use bevy::prelude::*;
use bevy_orogeny::{Ground, Preset, Terrain, TerrainPreset};
use orogeny::{Recipe, RecipeError};

use crate::document::{Document, Step};
use crate::draft::Draft;
use crate::presets::Presets;

/// What the panel edits, and where it comes from.
#[derive(Resource)]
pub struct Editing {
    /// The recipe of the terrain. There is none where the ground is a field of the game's own.
    pub document: Option<Document>,
    /// The folder of files.
    pub presets: Presets,
    /// What is wrong with the recipe: the terrain stays as it was.
    pub error: Option<RecipeError>,
    /// What went wrong last with files or the clipboard.
    pub file_error: Option<String>,
    /// The preset that waits for somebody to throw away unsaved edits.
    pub asked_for: Option<String>,
    /// The name that is typed to save as.
    pub save_as: Option<String>,
    /// The terrain, and the recipe that it was given last.
    terrain: Option<Entity>,
    given: Option<Recipe>,
    /// The document's revision that was taken over.
    taken: u64,
    /// The file that is watched.
    watched: Option<(String, Handle<Preset>)>,
}

impl Editing {
    pub fn new(presets: Presets) -> Self {
        Self {
            document: None,
            presets,
            error: None,
            file_error: None,
            asked_for: None,
            save_as: None,
            terrain: None,
            given: None,
            taken: 0,
            watched: None,
        }
    }

    /// Loads a preset; where edits would be lost, asks first.
    pub fn load(&mut self, name: String) {
        if self.document.as_ref().is_some_and(Document::is_unsaved) {
            self.asked_for = Some(name);
        } else {
            self.load_anyway(name);
        }
    }

    /// Loads a preset, in one step that can be undone.
    pub fn load_anyway(&mut self, name: String) {
        self.asked_for = None;
        match self.presets.read(&name) {
            Ok(recipe) => {
                self.file_error = None;
                match &mut self.document {
                    Some(document) => document.opened(recipe, name),
                    None => self.document = Some(Document::new(recipe, Some(name))),
                }
            }
            Err(error) => self.file_error = Some(error),
        }
    }

    /// Writes the recipe to a preset.
    pub fn save(&mut self, name: &str) {
        let Some(document) = &mut self.document else { return };
        let text = document.copy().map_err(|error| error.to_string());
        match text.and_then(|text| self.presets.write(name, &text)) {
            Ok(()) => {
                document.saved_as(name.into());
                self.file_error = None;
                self.save_as = None;
            }
            Err(error) => self.file_error = Some(error),
        }
    }

    /// Takes RON text from the clipboard.
    pub fn paste(&mut self, text: &str) {
        if let Some(document) = &mut self.document {
            self.file_error = document.paste(text).err().map(|error| format!("clipboard: {error}"));
        }
    }
}

/// Takes over terrains from the game: the first one, its file, and changes that the game makes to
/// it.
pub fn follow_terrain(
    mut commands: Commands,
    mut editing: ResMut<Editing>,
    terrains: Query<(Entity, &Terrain, Option<&TerrainPreset>)>,
    assets: Res<AssetServer>,
) {
    let editing = &mut *editing;
    let chosen = editing.terrain.and_then(|entity| terrains.get(entity).ok());
    let Some((entity, terrain, preset)) = chosen.or_else(|| terrains.iter().next()) else { return };
    editing.terrain = Some(entity);
    let Ground::Recipe(recipe) = &terrain.ground else {
        editing.document = None;
        return;
    };
    if let Some(TerrainPreset(handle)) = preset {
        // From now on the panel decides what becomes of a changed file: unsaved edits must not be
        // lost.
        commands.entity(entity).remove::<TerrainPreset>();
        let path = assets.get_path(handle.id());
        let name = path.and_then(|path| editing.presets.name_of(path.path()));
        editing.watched = name.clone().map(|name| (name, handle.clone()));
        editing.document = Some(Document::new(recipe.clone(), name));
        editing.taken = 0;
        editing.given = Some(recipe.clone());
    } else if editing.given.as_ref() != Some(recipe) {
        editing.given = Some(recipe.clone());
        match &mut editing.document {
            Some(document) => document.edit(Draft::new(recipe.clone()), Step::Single),
            None => editing.document = Some(Document::new(recipe.clone(), None)),
        }
    }
}

/// Reads the file when it changes.
pub fn watch_file(
    mut editing: ResMut<Editing>,
    mut loaded: MessageReader<AssetEvent<Preset>>,
    mut failed: MessageReader<AssetLoadFailedEvent<Preset>>,
    presets: Res<Assets<Preset>>,
    assets: Res<AssetServer>,
) {
    let editing = &mut *editing;
    let file = editing.document.as_ref().and_then(Document::file);
    if let Some(file) = file
        && editing.watched.as_ref().is_none_or(|(name, _)| name != file)
    {
        let handle = assets.load(editing.presets.asset_path(file));
        editing.watched = Some((file.into(), handle));
        // What the server may hold of that file was read before.
        loaded.clear();
        return;
    }
    let Some((name, handle)) = &editing.watched else { return };
    for event in loaded.read() {
        let (AssetEvent::Added { id } | AssetEvent::Modified { id }) = event else { continue };
        if *id == handle.id()
            && let Some(Preset(recipe)) = presets.get(*id)
            && let Some(document) = &mut editing.document
        {
            document.read(recipe.clone());
            editing.file_error = None;
        }
    }
    if failed.read().any(|event| event.id == handle.id()) {
        // Read once more, for an error without a backtrace. It may be mended by now.
        editing.file_error = editing.presets.read(name).err();
    }
}

/// Gives the terrain what is heard of the document, if it is valid.
pub fn give_to_terrain(mut editing: ResMut<Editing>, mut terrains: Query<&mut Terrain>) {
    let Some(document) = &editing.document else { return };
    let revision = document.revision();
    if editing.taken == revision {
        return;
    }
    let recipe = document.draft().heard();
    editing.taken = revision;
    editing.error = recipe.build().err();
    if editing.error.is_none()
        && let Some(Ok(mut terrain)) = editing.terrain.map(|entity| terrains.get_mut(entity))
    {
        let ground = Ground::Recipe(recipe.clone());
        if terrain.ground != ground {
            terrain.ground = ground;
        }
        editing.given = Some(recipe);
    }
}
