//! The tab Terrain: files, problems and the recipe.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::EguiClipboard;
use bevy_egui::egui::{ComboBox, Event, RichText, TextEdit, Ui};
use bevy_orogeny::TerrainProblems;
use bevy_orogeny::advanced::{TerrainError, TerrainProblem};
use documented::DocumentedFields;
use orogeny::Recipe;
use orogeny::limits::{HEIGHT, Number};

use super::{Presses, edit_recipe};
use crate::controls;
use crate::document::Document;
use crate::document::choices::unused_seed;
use crate::document::draft::Part;
use crate::editing::{Editing, Way};
use crate::recipe::labels::{capitalised, describe, sentence};
use crate::recipe::{Editor, number, seed, wrong};
use crate::window::has_attention;
use crate::window::keys::{PanelKeys, shortcuts};

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut editing: ResMut<Editing>,
    problems: Res<TerrainProblems>,
    mut clipboard: Clipboard,
    keys: Res<PanelKeys>,
    mut presses: Local<Presses>,
) {
    files(&mut ui, &mut editing, &mut clipboard, &keys);
    for (_, problem) in problems.iter() {
        wrong(&mut ui, &text(problem));
    }
    let custom = "The ground is a custom field, so there is no recipe to edit.";
    edit_recipe(&mut ui, &mut editing, &mut presses, custom, |ui, draft, fault| {
        ui.separator();
        let about = Recipe::get_field_docs("seed").unwrap_or_default();
        seed(ui, about, &mut draft.recipe.seed);
        number(ui, &HEIGHT, Number::F32(&mut draft.recipe.height), fault.under(HEIGHT.name));
        let mut editor = Editor::new(Part::Field, unused_seed(&draft.recipe.field));
        editor.tree(ui, &mut draft.recipe.field, &mut draft.marks, fault.under("field"));
        let is_changed = !editor.changes.is_empty();
        editor.changes.into_iter().for_each(|change| draft.change(Part::Field, change));
        is_changed
    });
}

/// A problem as a sentence without names of fields.
fn text(problem: &TerrainProblem) -> String {
    match problem {
        TerrainProblem::Terrain(TerrainError::Recipe(error)) => {
            format!("The terrain keeps its last valid recipe. {}", sentence(error))
        }
        TerrainProblem::Terrain(TerrainError::OutOfLimits(error)) => {
            let reason = describe(error.limit.name, &error.to_string());
            format!("The terrain keeps its last valid settings. {reason}")
        }
        other => capitalised(&other.to_string()),
    }
}

/// The system clipboard, if there is one.
#[derive(SystemParam)]
pub struct Clipboard<'w> {
    system: Option<ResMut<'w, EguiClipboard>>,
}

/// Files, clipboard, undo and redo.
fn files(ui: &mut Ui, editing: &mut Editing, clipboard: &mut Clipboard<'_>, keys: &PanelKeys) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        choose(ui, editing);
        save(ui, editing);
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        edit(ui, editing, clipboard, keys);
    });
    ask(ui, editing);
    if let Some(error) = &editing.file_error {
        let mut seen = false;
        ui.horizontal_top(|ui| {
            seen = controls::small(ui, true, "✖", "Dismiss this message");
            wrong(ui, error);
        });
        if seen {
            editing.file_error = None;
        }
    }
}

/// The list of files, with a mark for unsaved changes.
fn choose(ui: &mut Ui, editing: &mut Editing) {
    let file = editing.document.as_ref().and_then(Document::file).map(String::from);
    let unsaved = editing.document.as_ref().is_some_and(Document::is_unsaved);
    let name = file.as_deref().unwrap_or("(no file)");
    let text = if unsaved { format!("{name} •") } else { name.into() };
    let mut chosen = None;
    let combo = ComboBox::from_id_salt("file").selected_text(text).width(120.0);
    let about = if unsaved {
        "The preset file. • marks unsaved changes"
    } else {
        "The preset file. It is reloaded when it changes on disk"
    };
    controls::combo(ui, combo, about, |ui| {
        let names = editing.presets.names();
        if names.is_empty() {
            ui.weak("There are no preset files yet");
        }
        for name in names {
            let is = file.as_deref() == Some(&name);
            if controls::option(ui, is, &name, "Load this preset. Undo takes it back") {
                chosen = Some(name);
            }
        }
    });
    if let Some(name) = chosen {
        editing.load(name);
    }
}

fn save(ui: &mut Ui, editing: &mut Editing) {
    let Some(document) = &editing.document else { return };
    let (file, unsaved) = (document.file().map(String::from), document.is_unsaved());
    let about = "Save the recipe to its file. Comments in the file are lost; mute and solo are not \
                 saved";
    if controls::button_if(ui, unsaved && file.is_some(), "Save", about)
        && let Some(file) = &file
    {
        editing.save(file);
    }
    if controls::button(ui, "Save as", "Save the recipe to another file in the same folder") {
        editing.save_as = match editing.save_as {
            None => Some(file.map_or_else(|| "terrain".into(), |file| format!("{file}-2"))),
            Some(_) => None,
        };
    }
    let about = "Discard all changes since the file was saved. Undo brings them back";
    if controls::button_if(ui, unsaved, "Revert", about)
        && let Some(document) = &mut editing.document
    {
        document.revert();
    }
}

fn edit(ui: &mut Ui, editing: &mut Editing, clipboard: &mut Clipboard<'_>, keys: &PanelKeys) {
    undo_and_redo(ui, editing, keys);
    let Some(document) = &mut editing.document else { return };
    let about = "Copy the recipe to the clipboard as RON, the format of preset files";
    if controls::button(ui, "Copy", about) {
        match document.copy() {
            Ok(text) => ui.copy_text(text),
            Err(error) => editing.file_error = Some(sentence(&error)),
        }
    }
    let paste = controls::button(ui, "Paste", "Replace the recipe with RON from the clipboard");
    let typing = ui.text_edit_focused();
    let events = ui.input(|input| input.events.clone());
    // A paste elsewhere is the game's or a text field's.
    let ours = !typing && has_attention(ui.ctx());
    let pasted = events.into_iter().find_map(|event| match event {
        Event::Paste(text) if ours => Some(text),
        _ => None,
    });
    let text = if paste {
        clipboard.system.as_mut().and_then(|clipboard| clipboard.get_text())
    } else {
        pasted
    };
    match text {
        Some(text) => editing.paste(&text),
        None if paste => editing.file_error = Some("There is no text on the clipboard".into()),
        None => {}
    }
}

/// The buttons that undo and redo.
pub fn undo_and_redo(ui: &mut Ui, editing: &mut Editing, keys: &PanelKeys) {
    let [undo, redo] = editing.can_go();
    let about = |what: &str, keys: String| {
        let about = format!("{what} the last change of the recipe or the ground");
        if keys.is_empty() { about } else { format!("{about} ({keys})") }
    };
    if controls::button_if(ui, undo, "↩ Undo", &about("Undo", shortcuts(&keys.undo))) {
        editing.step(Way::Undo);
    }
    if controls::button_if(ui, redo, "↪ Redo", &about("Redo", shortcuts(&keys.redo))) {
        editing.step(Way::Redo);
    }
}

/// Questions to the user.
fn ask(ui: &mut Ui, editing: &mut Editing) {
    if let Some(name) = editing.asked_for.clone() {
        ui.label(RichText::new(format!("Discard unsaved changes and load {name}?")).strong());
        ui.horizontal(|ui| {
            if controls::button(ui, "Load", "Load the preset. Undo brings the changes back") {
                editing.load_anyway(name);
            }
            if controls::button(ui, "Keep editing", "Keep the changes and load nothing") {
                editing.asked_for = None;
            }
        });
    }
    if let Some(document) = &mut editing.document
        && document.is_contested()
    {
        let text = "The file has changed on disk, and you have unsaved changes.";
        ui.label(RichText::new(text).strong());
        ui.horizontal(|ui| {
            if controls::button(ui, "Use the file", "Undo brings your changes back") {
                document.take_theirs();
            }
            if controls::button(ui, "Keep mine", "Saving will overwrite the file") {
                document.keep_mine();
            }
        });
    }
    let Some(mut name) = editing.save_as.take() else { return };
    let mut open = true;
    ui.horizontal(|ui| {
        let field = TextEdit::singleline(&mut name).desired_width(130.0).char_limit(60);
        controls::add(ui, field, "The file name, without .terrain.ron");
        let exists = editing.presets.exists(&name);
        let (text, about) = if exists {
            ("Overwrite", "A preset with this name exists: replace it")
        } else {
            ("Save", "Save the recipe under this name")
        };
        if controls::button(ui, text, about) {
            editing.save(&name);
            open = editing.file_error.is_some();
        }
        open &= !controls::button(ui, "Cancel", "Save nothing");
    });
    if open {
        editing.save_as = Some(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_have_no_names_of_fields() {
        let wrong = orogeny::Recipe {
            sea_level: Some(f32::NAN),
            ..orogeny::Recipe::new(1, 1.0, orogeny::Node::Constant(0.0))
        };
        let error = TerrainError::Recipe(wrong.build().unwrap_err());
        let text = text(&TerrainProblem::Terrain(error));
        assert!(text.contains("recipe. Sea level is NaN, but must be between"), "{text}");
    }
}
