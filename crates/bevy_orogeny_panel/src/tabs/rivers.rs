//! The tab Rivers: the river network, the relief that it follows, and the detail between rivers.

use bevy::prelude::*;
use bevy_egui::egui::Ui;
use documented::DocumentedFields;
use orogeny::drainage::Drainage;
use orogeny::limits::{FINEST_RIVERS, Limit};
use orogeny::{Fractal, GradientNoise, Node, Recipe};

use super::{Presses, edit_recipe};
use crate::controls;
use crate::document::choices::unused_seed;
use crate::document::draft::{Draft, Part};
use crate::editing::Editing;
use crate::recipe::labels::label;
use crate::recipe::{Editor, Fault, numbers_within, ordered, plain, seed};

/// Draws the tab.
pub fn show(mut ui: InMut<Ui>, mut editing: ResMut<Editing>, mut presses: Local<Presses>) {
    let custom = "The ground is a custom field without a recipe. Add its rivers in code.";
    edit_recipe(&mut ui, &mut editing, &mut presses, custom, |ui, draft, fault| {
        let fault = fault.under("rivers");
        let mut is_single = false;
        let mut has_rivers = draft.recipe.rivers.is_some();
        let about = Recipe::get_field_docs("rivers").unwrap_or_default();
        if controls::checkbox(ui, &mut has_rivers, "River network", &plain(about)) {
            draft.recipe.rivers = has_rivers.then(Drainage::default);
            draft.fit();
            is_single = true;
        }
        if let Some(rivers) = &mut draft.recipe.rivers {
            seed(ui, Drainage::get_field_docs("seed").unwrap_or_default(), &mut rivers.seed);
            numbers_within(ui, rivers, &limits, fault);
            ui.separator();
            is_single |= tree(ui, draft, Part::Relief, "relief", fault.under("relief"));
            is_single |= tree(ui, draft, Part::Detail, "detail", fault.under("detail"));
        }
        is_single
    });
}

/// The limits of a network's numbers. The finest rivers must not be closer than the core allows.
fn limits(rivers: &mut Drainage) -> Vec<Limit> {
    let (spacing, levels) = (rivers.spacing, rivers.levels);
    let closest = FINEST_RIVERS.min;
    let mut limits = ordered(rivers);
    for limit in &mut limits {
        match limit.name {
            "levels" if spacing >= closest => {
                let most = 1.0 + (spacing / closest).log(4.0).floor();
                limit.max = limit.max.min(most).max(levels.ceil());
            }
            "spacing" => {
                let least = closest * 4f64.powf(levels.ceil() - 1.0);
                limit.min = limit.min.max(least).min(spacing);
            }
            _ => {}
        }
    }
    limits
}

/// A tree that may be absent. Returns whether its structure changed.
fn tree(ui: &mut Ui, draft: &mut Draft, part: Part, name: &str, fault: Fault<'_>) -> bool {
    let mut is_there = draft.tree(part).is_some();
    let about = plain(Drainage::get_field_docs(name).unwrap_or_default());
    let is_changed = controls::checkbox(ui, &mut is_there, label(name), &about);
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
    let title = format!("{} layers", label(name));
    controls::section(ui, title, name, true, &about, |ui| editor.tree(ui, node, marks, fault));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivers_stay_far_enough_apart() {
        let limit = |rivers: &Drainage, name: &str| {
            let limits = limits(&mut rivers.clone());
            *limits.iter().find(|limit| limit.name == name).unwrap()
        };
        let is_valid = |rivers: &Drainage| {
            let rivers = Some(rivers.clone());
            Recipe { rivers, ..Recipe::new(1, 1.0, Node::Constant(0.0)) }.build().is_ok()
        };
        for spacing in [10.0, 39.0, 40.0, 2560.0, 6400.0, 1e6] {
            let mut rivers = Drainage { spacing, levels: 1.0, ..Drainage::default() };
            rivers.levels = limit(&rivers, "levels").max;
            assert!(is_valid(&rivers), "{} levels of {spacing} m", rivers.levels);
            rivers.spacing = limit(&rivers, "spacing").min;
            assert!(rivers.spacing <= spacing && is_valid(&rivers), "{} m", rivers.spacing);
        }
    }
}
