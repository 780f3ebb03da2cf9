//! Synchronises the document with the terrain and with the preset file on disk.

use bevy::asset::AssetLoadFailedEvent;
use bevy::prelude::*;
use bevy_orogeny::advanced::Preset;
use bevy_orogeny::{Ground, Terrain, TerrainPreset};

use super::Editing;
use crate::document::draft::Draft;
use crate::document::{Document, Step};

/// Edits the first terrain for as long as it exists, and follows changes that the game makes to it.
///
/// Another terrain gets another document. Its recipe must not become an edit of the old document,
/// since the next save would overwrite that one's file.
pub fn follow_terrain(
    mut commands: Commands,
    mut editing: ResMut<Editing>,
    terrains: Query<(Entity, &Terrain, Option<&TerrainPreset>)>,
    presets: Res<Assets<Preset>>,
    assets: Res<AssetServer>,
) {
    let editing = &mut *editing;
    let edited = editing.terrain.and_then(|entity| terrains.get(entity).ok());
    let Some((entity, terrain, preset)) = edited.or_else(|| terrains.iter().next()) else { return };
    if editing.terrain != Some(entity) {
        if let Some(document) = editing.document.as_ref().filter(|old| old.is_unsaved()) {
            let file = document.file().unwrap_or("a recipe without a file");
            warn!("the terrain was removed, so unsaved changes of {file} are lost");
        }
        editing.close();
        editing.terrain = Some(entity);
    }
    let Ground::Recipe(recipe) = &terrain.ground else {
        if editing.document.is_some() {
            editing.close();
            editing.terrain = Some(entity);
        }
        return;
    };
    if let Some(TerrainPreset(handle)) = preset {
        // The plugin and others wait for the file; the panel takes it over once it is there.
        let loaded = presets.get(handle).map(|Preset(recipe)| recipe);
        let is_faulty = assets.load_state(handle.id()).is_failed();
        let Some(recipe) = loaded.or(is_faulty.then_some(recipe)) else { return };
        // From here on the panel reads the file, so that a change on disk cannot discard edits.
        commands.entity(entity).remove::<TerrainPreset>();
        let path = assets.get_path(handle.id());
        let name = path.and_then(|path| editing.presets.name_of(path.path()));
        if let Some(name) = name.as_ref().filter(|_| is_faulty) {
            editing.file_error = editing.presets.read(name).err();
        }
        editing.watched = name.clone().map(|name| (name, handle.clone()));
        editing.document = Some(Document::new(recipe.clone(), name));
        editing.taken = None;
        editing.given = Some(recipe.clone());
    } else if editing.given.as_ref() != Some(recipe) {
        editing.given = Some(recipe.clone());
        match &mut editing.document {
            Some(document) => document.edit(Draft::new(recipe.clone()), Step::Single),
            None => editing.document = Some(Document::new(recipe.clone(), None)),
        }
    }
}

/// Reads the document's file when the asset server reloads it.
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
        // Pending events are about the previous file.
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
        // Read it again for an error without a backtrace. It may be valid by now.
        editing.file_error = editing.presets.read(name).err();
    }
}

/// Gives the terrain the active layers of the document, if they are a valid recipe.
pub fn give_to_terrain(mut editing: ResMut<Editing>, mut terrains: Query<&mut Terrain>) {
    let Some(document) = &editing.document else { return };
    let revision = document.revision();
    if editing.taken == Some(revision) {
        return;
    }
    let recipe = document.draft().active_recipe();
    editing.taken = Some(revision);
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
