//! Follows changes of the preset file on disk.

use bevy::asset::AssetLoadFailedEvent;
use bevy::prelude::*;
use bevy_orogeny::Preset;

use super::Editing;
use crate::document::Document;

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
