//! The recipe of the terrain.

use bevy::prelude::*;
use bevy_egui::egui::{self, Key, KeyboardShortcut, Modifiers, Ui};
use bevy_orogeny::TerrainProblems;
use documented::DocumentedFields;
use orogeny::Recipe;
use orogeny::limits::{HEIGHT, Number};

use super::files;
use crate::document::{Document, Step};
use crate::editing::Editing;
use crate::fault::Fault;
use crate::layers::free_seed;
use crate::recipe::{Editor, number, seed, wrong};

/// Counts presses of the pointer: what one press changes is one step to undo.
#[derive(Default)]
pub struct Presses(u64);

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut editing: ResMut<Editing>,
    problems: Res<TerrainProblems>,
    mut clipboard: files::Clipboard,
    mut presses: Local<Presses>,
) {
    let editing = &mut *editing;
    files::show(&mut ui, editing, &mut clipboard);
    for (_, problem) in problems.iter() {
        wrong(&mut ui, &problem.to_string());
    }
    let Some(document) = &mut editing.document else {
        ui.label("The ground is a field of the game's own: it has no recipe to edit. The other tabs show it.");
        return;
    };
    if let Some(error) = &editing.error {
        wrong(&mut ui, &format!("The terrain stays as it was. {error}"));
    }
    ui.separator();
    let gesture = gesture(&ui, &mut presses);

    let mut draft = document.draft().clone();
    let fault = Fault::new(editing.error.as_ref());
    let about = Recipe::get_field_docs("seed").unwrap_or_default();
    seed(&mut ui, about, &mut draft.recipe.seed);
    number(&mut ui, &HEIGHT, Number::F32(&mut draft.recipe.height), fault.under(HEIGHT.name));
    let mut editor = Editor::new(free_seed(&draft.recipe.field));
    editor.tree(&mut ui, &mut draft.recipe.field, &mut draft.marks, fault.under("field"));
    let step = if editor.changes.is_empty() { Step::Gesture(gesture) } else { Step::Single };
    editor.changes.into_iter().for_each(|change| draft.change(change));
    document.edit(draft, step);
    // Room for the last menu.
    ui.add_space(8.0);
}

/// What the person is in the middle of.
pub fn gesture(ui: &Ui, presses: &mut Presses) -> u64 {
    presses.0 += u64::from(ui.input(|input| input.pointer.any_pressed()));
    let focus = ui.memory(|memory| memory.focused());
    egui::Id::new((presses.0, focus)).value()
}

/// Undoes and redoes by keys, whichever tab is in front; not while text is typed, which has an undo
/// of its own.
pub fn read_keys(context: &egui::Context, document: &mut Document) {
    if context.text_edit_focused() {
        return;
    }
    let redo = [(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z), (Modifiers::COMMAND, Key::Y)];
    let pressed = |(modifiers, key)| {
        context.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key)))
    };
    // The longer one first: it holds the shorter one.
    if redo.into_iter().any(pressed) {
        document.redo();
    } else if pressed((Modifiers::COMMAND, Key::Z)) {
        document.undo();
    }
}
