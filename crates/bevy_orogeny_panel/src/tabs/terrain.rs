//! The tab Terrain: files and the recipe.

use bevy::prelude::*;
use bevy_egui::egui::{self, Ui};
use bevy_orogeny::TerrainProblems;
use documented::DocumentedFields;
use orogeny::limits::{HEIGHT, Number};
use orogeny::{DataError, Recipe};

use super::files;
use super::problems::text;
use crate::document::Step;
use crate::document::draft::Part;
use crate::document::layers::unused_seed;
use crate::editing::Editing;
use crate::recipe::fault::Fault;
use crate::recipe::labels::sentence;
use crate::recipe::{Editor, number, seed, wrong};
use crate::window::keys::PanelKeys;

/// Counts presses of the pointer. Edits during one press are one step of undo.
#[derive(Default)]
pub struct Presses(u64);

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut editing: ResMut<Editing>,
    problems: Res<TerrainProblems>,
    mut clipboard: files::Clipboard,
    keys: Res<PanelKeys>,
    mut presses: Local<Presses>,
) {
    let editing = &mut *editing;
    files::show(&mut ui, editing, &mut clipboard, &keys);
    for (_, problem) in problems.iter() {
        wrong(&mut ui, &text(problem));
    }
    let Some(document) = &mut editing.document else {
        ui.label("The ground is a custom field, so there is no recipe to edit.");
        return;
    };
    if let Some(error) = &editing.error {
        wrong(&mut ui, &unchanged(error));
    }
    ui.separator();
    let gesture = gesture(&ui, &mut presses);

    let mut draft = document.draft().clone();
    let fault = Fault::new(editing.error.as_ref());
    let about = Recipe::get_field_docs("seed").unwrap_or_default();
    seed(&mut ui, about, &mut draft.recipe.seed);
    number(&mut ui, &HEIGHT, Number::F32(&mut draft.recipe.height), fault.under(HEIGHT.name));
    let mut editor = Editor::new(Part::Field, unused_seed(&draft.recipe.field));
    editor.tree(&mut ui, &mut draft.recipe.field, &mut draft.marks, fault.under("field"));
    let step = if editor.changes.is_empty() { Step::Gesture(gesture) } else { Step::Single };
    editor.changes.into_iter().for_each(|change| draft.change(Part::Field, change));
    document.edit(draft, step);
    // Space for the last menu.
    ui.add_space(8.0);
}

/// Why the terrain does not show the latest edit.
pub fn unchanged(error: &DataError) -> String {
    format!("The terrain was not changed. {}", sentence(error))
}

/// Identifies what the user is doing now, such as one drag.
pub fn gesture(ui: &Ui, presses: &mut Presses) -> u64 {
    presses.0 += u64::from(ui.input(|input| input.pointer.any_pressed()));
    let focus = ui.memory(|memory| memory.focused());
    egui::Id::new((presses.0, focus)).value()
}
