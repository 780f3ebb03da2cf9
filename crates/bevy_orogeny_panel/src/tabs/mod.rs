//! The tabs of the panel, one file each.
//!
//! A tab is a Bevy system that draws into an egui `Ui`. Those that edit the recipe do it in
//! [`edit_recipe`]. `plant_kind` is an item of the tab `plants`, and `plants_here` its data.

mod cover;
mod edits;
mod map;
mod plant_kind;
mod plants;
mod plants_here;
mod rivers;
pub mod statistics;
mod terrain;
mod tools;
mod viewer;
pub mod views;

use bevy::prelude::*;
use bevy_egui::egui::{self, Grid, Ui};
use orogeny::DataError;

use crate::document::Step;
use crate::document::draft::Draft;
use crate::editing::Editing;
use crate::recipe::labels::sentence;
use crate::recipe::{Fault, wrong};
use crate::window::TerrainPanelApp;
use crate::window::keys::PanelKeys;

const HINTS: [&str; 6] = [
    "Hover over a label or a control to see what it does.",
    "Drag a number to change it, or click it and type.",
    "M mutes a layer, S solos it. ☰ duplicates, wraps, unwraps or replaces a node.",
    "An invalid parameter turns red, and the terrain stays as it was.",
    "A • after the file name marks unsaved changes.",
    "A preset file is reloaded when it changes on disk. If there are unsaved changes, the panel \
     asks first.",
];

/// Adds the panel's own tabs.
pub fn build(app: &mut App) {
    app.add_panel_tab("Terrain", "All layers of the recipe and their parameters", terrain::show)
        .add_panel_tab("Rivers", "Rivers, their valleys, and lakes", rivers::show)
        .add_panel_tab("Cover", "Ground cover and sea level", cover::show)
        .add_panel_tab("Plants", "Trees, grass and rocks, and where they grow", plants::show)
        .add_panel_tab(
            "Tools",
            "Brushes, craters, holes, floods, stamps, paths and plants",
            tools::show,
        )
        .add_panel_tab(
            "Edits",
            "All edits of the ground, to select, change, hide or delete",
            edits::show,
        )
        .add_panel_tab("Viewer", "Level of detail, budget, and the camera's position", viewer::show)
        .add_panel_tab("Map", "A map of heights, lands, climate, rivers and edits", map::show)
        .add_panel_tab(
            "Statistics",
            "What the terrain has cost in the last frames",
            statistics::show,
        )
        .add_panel_tab("Views", "Debug views, freezing the viewer, and screenshots", views::show)
        .add_panel_tab("Help", "Keys and hints", help);
}

/// The tab Help: keys and hints.
fn help(mut ui: InMut<Ui>, keys: Res<PanelKeys>) {
    Grid::new("keys").num_columns(2).spacing([12.0, 3.0]).show(&mut ui, |ui| {
        for (keys, action) in keys.list() {
            ui.strong(keys);
            ui.label(action);
            ui.end_row();
        }
    });
    ui.separator();
    for hint in HINTS {
        ui.label(hint);
    }
}

/// Counts presses of the pointer. Edits during one press are one step of undo.
#[derive(Default)]
pub struct Presses(u64);

/// Edits the recipe, or says that there is none. `edit` draws the rows, with the error of the last
/// edit, and returns whether the structure has changed: that is a step of its own.
fn edit_recipe(
    ui: &mut Ui,
    editing: &mut Editing,
    presses: &mut Presses,
    custom: &str,
    edit: impl FnOnce(&mut Ui, &mut Draft, Fault<'_>) -> bool,
) {
    let Some(document) = &mut editing.document else {
        ui.label(custom);
        return;
    };
    if let Some(error) = &editing.error {
        wrong(ui, &unchanged(error));
    }
    let gesture = gesture(ui, presses);
    let mut draft = document.draft().clone();
    let is_single = edit(ui, &mut draft, Fault::new(editing.error.as_ref()));
    document.edit(draft, if is_single { Step::Single } else { Step::Gesture(gesture) });
    // Space for the last menu.
    ui.add_space(8.0);
}

/// Why the terrain does not show the latest edit.
fn unchanged(error: &DataError) -> String {
    format!("The terrain was not changed. {}", sentence(error))
}

/// Identifies what the user is doing now, such as one drag.
fn gesture(ui: &Ui, presses: &mut Presses) -> u64 {
    presses.0 += u64::from(ui.input(|input| input.pointer.any_pressed()));
    let focus = ui.memory(|memory| memory.focused());
    egui::Id::new((presses.0, focus)).value()
}
