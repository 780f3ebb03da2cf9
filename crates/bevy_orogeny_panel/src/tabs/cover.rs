//! The tab Cover: layers of ground cover, and the sea.

use bevy::prelude::*;
use bevy_egui::egui::{RichText, Ui};
use documented::DocumentedFields;
use orogeny::cover::{CoverKind, CoverLayer};
use orogeny::limits::{Number, SEA_LEVEL};
use orogeny::{Cover, Recipe};
use strum::IntoEnumIterator;

use super::{Presses, edit_recipe};
use crate::controls;
use crate::editing::Editing;
use crate::recipe::{Fault, WRONG, choose, explain, menu_of, number, numbers, plain, row};

/// A change of the list of layers.
enum Change {
    Up(usize),
    Down(usize),
    Remove(usize),
    Add(CoverKind),
}

/// Draws the tab.
pub fn show(mut ui: InMut<Ui>, mut editing: ResMut<Editing>, mut presses: Local<Presses>) {
    let custom = "The ground is a custom field without a recipe. Edit its cover in code.";
    edit_recipe(&mut ui, &mut editing, &mut presses, custom, |ui, draft, fault| {
        sea(ui, &mut draft.recipe.sea_level, fault.under(SEA_LEVEL.name));
        ui.separator();
        show_layers(ui, &mut draft.recipe.cover, fault.under("cover"))
    });
}

/// The list of layers. Returns whether it has changed.
fn show_layers(ui: &mut Ui, Cover { layers }: &mut Cover, fault: Fault<'_>) -> bool {
    let about = Recipe::get_field_docs("cover").unwrap_or_default();
    ui.label("Layers, bottom first").on_hover_text(plain(about));
    let mut change = None;
    let count = layers.len();
    for (i, layer) in layers.iter_mut().enumerate() {
        change = show_layer(ui, i, count, layer, fault.item(i)).or(change);
    }
    ui.add_enabled_ui(count < Cover::MAX_LAYERS, |ui| {
        let about = format!("Add a layer on top. At most {}", Cover::MAX_LAYERS);
        let added = menu_of(ui, "Add layer", &about, CoverKind::iter());
        change = added.map(Change::Add).or(change.take());
    });
    let is_changed = change.is_some();
    match change {
        Some(Change::Up(i)) => layers.swap(i - 1, i),
        Some(Change::Down(i)) => layers.swap(i, i + 1),
        Some(Change::Remove(i)) => drop(layers.remove(i)),
        Some(Change::Add(kind)) => layers.push(CoverLayer::of(kind)),
        None => {}
    }
    is_changed
}

fn sea(ui: &mut Ui, level: &mut Option<f32>, fault: Fault<'_>) {
    let mut wet = level.is_some();
    let about = Recipe::get_field_docs(SEA_LEVEL.name).unwrap_or_default();
    controls::checkbox(ui, &mut wet, "Sea", &plain(about));
    *level = wet.then_some(level.unwrap_or_default());
    match level {
        Some(level) => number(ui, &SEA_LEVEL, Number::F32(level), fault),
        None => explain(ui, fault),
    }
}

fn show_layer(
    ui: &mut Ui,
    i: usize,
    count: usize,
    layer: &mut CoverLayer,
    fault: Fault<'_>,
) -> Option<Change> {
    let mut change = None;
    let [r, g, b] = layer.colour().map(|part| (255.0 * part).round() as u8);
    let title = RichText::new(format!("{} {}", i + 1, layer.kind.name()));
    let title = if fault.is_inside() { title.color(WRONG) } else { title };
    ui.horizontal(|ui| {
        let mut colour = [r, g, b];
        let about = plain(CoverLayer::get_field_docs("colour").unwrap_or_default());
        controls::colour(ui, &mut colour, &about);
        if colour != [r, g, b] {
            layer.colour = Some(colour.map(|part| f32::from(part) / 255.0));
        }
        let mut small = |ui: &mut Ui, text, help, enabled, on_click: Change| {
            if controls::small(ui, enabled, text, help) {
                change = Some(on_click);
            }
        };
        small(ui, "⬆", "Move it below the previous layer", i > 0, Change::Up(i));
        small(ui, "⬇", "Move it above the next layer", i + 1 < count, Change::Down(i));
        small(ui, "✖", "Remove this layer", count > 1, Change::Remove(i));
        ui.label(title);
    });
    let about = "Where this layer lies, and how it looks";
    controls::section(ui, "Bands", ("cover", i), false, about, |ui| {
        let about = CoverLayer::get_field_docs("kind").unwrap_or_default();
        choose(ui, "Kind", about, fault.under("kind"), &mut layer.kind, CoverKind::iter());
        if let CoverKind::Custom(name) = &mut layer.kind {
            let about = "The name under which the game provides textures and plants for it";
            row(ui, "Name", about, Fault::NONE, |ui, about| controls::text_field(ui, name, about));
        }
        if layer.colour.is_some() {
            let about = "Use the default colour of this kind";
            row(ui, "Colour", about, fault.under("colour"), |ui, about| {
                if controls::button(ui, "Reset", about) {
                    layer.colour = None;
                }
            });
        }
        numbers(ui, layer, fault);
    });
    change
}
