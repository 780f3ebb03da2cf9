//! Files, clipboard, undo and redo: the first rows of the tab Terrain.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::EguiClipboard;
use bevy_egui::egui::{Button, ComboBox, Event, Response, RichText, TextEdit, Ui};

use crate::document::Document;
use crate::editing::Editing;
use crate::editing::ground_steps::Way;
use crate::recipe::wrong;
use crate::window::attention::has_attention;
use crate::window::keys::{PanelKeys, shortcuts};

/// The system clipboard, if there is one.
#[derive(SystemParam)]
pub struct Clipboard<'w> {
    system: Option<ResMut<'w, EguiClipboard>>,
}

/// Draws the rows.
pub fn show(ui: &mut Ui, editing: &mut Editing, clipboard: &mut Clipboard<'_>, keys: &PanelKeys) {
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
            seen = ui.small_button("✖").on_hover_text("Dismiss").clicked();
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
    let combo = ComboBox::from_id_salt("file").selected_text(text).width(120.0).show_ui(ui, |ui| {
        let names = editing.presets.names();
        if names.is_empty() {
            ui.weak("no preset files yet");
        }
        for name in names {
            let is = file.as_deref() == Some(&name);
            if ui.selectable_label(is, &name).clicked() {
                chosen = Some(name);
            }
        }
    });
    combo.response.on_hover_text(if unsaved {
        "Preset file. • marks unsaved changes"
    } else {
        "Preset file. It is reloaded when it changes on disk"
    });
    if let Some(name) = chosen {
        editing.load(name);
    }
}

fn save(ui: &mut Ui, editing: &mut Editing) {
    let Some(document) = &editing.document else { return };
    let (file, unsaved) = (document.file().map(String::from), document.is_unsaved());
    let button = ui.add_enabled(unsaved && file.is_some(), Button::new("save"));
    let about =
        "Save the recipe to its file. Comments in the file are lost, mute and solo are not saved";
    if clicked(button, about)
        && let Some(file) = &file
    {
        editing.save(file);
    }
    if clicked(ui.button("save as"), "Save the recipe to another file of the same folder") {
        editing.save_as = match editing.save_as {
            None => Some(file.map_or_else(|| "terrain".into(), |file| format!("{file}-2"))),
            Some(_) => None,
        };
    }
    let button = ui.add_enabled(unsaved, Button::new("revert"));
    if clicked(button, "Go back to the recipe of the file. Undo takes this back")
        && let Some(document) = &mut editing.document
    {
        document.revert();
    }
}

fn edit(ui: &mut Ui, editing: &mut Editing, clipboard: &mut Clipboard<'_>, keys: &PanelKeys) {
    undo_and_redo(ui, editing, keys);
    let Some(document) = &mut editing.document else { return };
    if clicked(
        ui.button("copy"),
        "Copy the recipe to the clipboard as RON, the format of preset files",
    ) {
        match document.copy() {
            Ok(text) => ui.copy_text(text),
            Err(error) => editing.file_error = Some(error.to_string()),
        }
    }
    let about = "Replace the recipe by the RON text on the clipboard";
    let paste = clicked(ui.button("paste"), about);
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
        None if paste => editing.file_error = Some("The clipboard has no text".into()),
        None => {}
    }
}

/// The buttons that undo and redo.
pub fn undo_and_redo(ui: &mut Ui, editing: &mut Editing, keys: &PanelKeys) {
    let [undo, redo] = editing.can_go();
    if clicked(ui.add_enabled(undo, Button::new("↩ undo")), shortcuts(&keys.undo)) {
        editing.step(Way::Undo);
    }
    if clicked(ui.add_enabled(redo, Button::new("↪ redo")), shortcuts(&keys.redo)) {
        editing.step(Way::Redo);
    }
}

/// Questions to the user.
fn ask(ui: &mut Ui, editing: &mut Editing) {
    if let Some(name) = editing.asked_for.clone() {
        ui.label(RichText::new(format!("Discard unsaved changes and load {name}?")).strong());
        ui.horizontal(|ui| {
            if ui.button("load").clicked() {
                editing.load_anyway(name);
            }
            if ui.button("keep editing").clicked() {
                editing.asked_for = None;
            }
        });
    }
    if let Some(document) = &mut editing.document
        && document.is_contested()
    {
        ui.label(
            RichText::new("The file changed on disk, and there are unsaved changes here.").strong(),
        );
        ui.horizontal(|ui| {
            if clicked(ui.button("take the file"), "Undo brings the changes here back") {
                document.take_theirs();
            }
            if clicked(ui.button("keep mine"), "The next save overwrites the file") {
                document.keep_mine();
            }
        });
    }
    let Some(mut name) = editing.save_as.take() else { return };
    let mut open = true;
    ui.horizontal(|ui| {
        let field = ui.add(TextEdit::singleline(&mut name).desired_width(130.0).char_limit(60));
        field.on_hover_text("File name without .terrain.ron");
        let exists = editing.presets.exists(&name);
        if ui.button(if exists { "overwrite" } else { "save" }).clicked() {
            editing.save(&name);
            open = editing.file_error.is_some();
        }
        open &= !ui.button("cancel").clicked();
    });
    if open {
        editing.save_as = Some(name);
    }
}

fn clicked(button: Response, about: impl AsRef<str>) -> bool {
    let about = about.as_ref();
    button.on_hover_text(about).on_disabled_hover_text(about).clicked()
}
