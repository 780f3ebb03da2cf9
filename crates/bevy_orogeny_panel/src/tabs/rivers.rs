//! The tab Rivers: the river network, the relief that it follows, and the detail between rivers.

use bevy::prelude::*;
use bevy_egui::egui::{CollapsingHeader, Ui};
use documented::DocumentedFields;
use orogeny::drainage::Drainage;
use orogeny::{Fractal, GradientNoise, Node, Recipe};

use super::terrain::{Presses, gesture};
use crate::document::Step;
use crate::document::draft::{Draft, Part};
use crate::document::layers::unused_seed;
use crate::editing::Editing;
use crate::recipe::fault::Fault;
use crate::recipe::{Editor, numbers, plain, seed, wrong};

/// Draws the tab.
pub fn show(mut ui: InMut<Ui>, mut editing: ResMut<Editing>, mut presses: Local<Presses>) {
    let editing = &mut *editing;
    let Some(document) = &mut editing.document else {
        ui.label("The ground is a custom field without a recipe: add its rivers in code.");
        return;
    };
    if let Some(error) = &editing.error {
        wrong(&mut ui, &format!("The terrain was not changed. {error}"));
    }
    let gesture = gesture(&ui, &mut presses);
    let fault = Fault::new(editing.error.as_ref()).under("rivers");
    let mut draft = document.draft().clone();
    let mut is_single = false;

    let mut has_rivers = draft.recipe.rivers.is_some();
    let about = Recipe::get_field_docs("rivers").unwrap_or_default();
    if ui.checkbox(&mut has_rivers, "rivers").on_hover_text(plain(about)).changed() {
        draft.recipe.rivers = has_rivers.then(Drainage::default);
        draft.fit();
        is_single = true;
    }
    if let Some(rivers) = &mut draft.recipe.rivers {
        seed(&mut ui, Drainage::get_field_docs("seed").unwrap_or_default(), &mut rivers.seed);
        numbers(&mut ui, rivers, fault);
        ui.separator();
        is_single |= tree(&mut ui, &mut draft, Part::Relief, "relief", fault.under("relief"));
        is_single |= tree(&mut ui, &mut draft, Part::Detail, "detail", fault.under("detail"));
    }
    document.edit(draft, if is_single { Step::Single } else { Step::Gesture(gesture) });
    // Space for the last menu.
    ui.add_space(8.0);
}

/// A tree that may be absent. Returns whether its structure changed.
fn tree(ui: &mut Ui, draft: &mut Draft, part: Part, name: &str, fault: Fault<'_>) -> bool {
    let mut is_there = draft.tree(part).is_some();
    let about = plain(Drainage::get_field_docs(name).unwrap_or_default());
    let is_changed = ui.checkbox(&mut is_there, name).on_hover_text(about).changed();
    if is_changed && let Some(rivers) = &mut draft.recipe.rivers {
        match part {
            Part::Field => {}
            Part::Relief => rivers.relief = is_there.then(relief),
            Part::Detail => rivers.detail = is_there.then(detail),
        }
        draft.fit();
    }
    let Some((node, marks)) = draft.tree(part) else { return is_changed };
    let mut editor = Editor::new(part, unused_seed(node));
    let header = CollapsingHeader::new(format!("{name}: layers")).default_open(true);
    header.show(ui, |ui| editor.tree(ui, node, marks, fault));
    let has_changes = is_changed || !editor.changes.is_empty();
    editor.changes.into_iter().for_each(|change| draft.change(part, change));
    has_changes
}

/// Hills and plains, 20 km wide.
fn relief() -> Node {
    let noise = GradientNoise::seeded(1);
    let hills = Fractal { frequency: 5e-5, ..Fractal::fbm(3.0, noise) };
    Node::Add(vec![Node::Constant(0.5), hills.into()])
}

/// Rough ground: 20 m over half a kilometre.
fn detail() -> Node {
    let noise = GradientNoise::seeded(1);
    let hills = Fractal { frequency: 2e-3, amplitude: 20.0, ..Fractal::fbm(7.0, noise) };
    Node::Add(vec![hills.into()])
}
