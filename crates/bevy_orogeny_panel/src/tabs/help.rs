//! What the keys do, and how the panel is used.

use bevy::prelude::*;
use bevy_egui::egui::{Grid, Ui};

use crate::keys::PanelKeys;

const HINTS: [&str; 6] = [
    "Names and values have hover texts that say what they do.",
    "Drag a number to change it, or click it and type.",
    "M mutes a layer, S hears it alone; ☰ wraps, unwraps, replaces and duplicates.",
    "What is wrong turns red, and the terrain stays as it was.",
    "• behind the name of the file marks unsaved changes.",
    "Preset files that change on disk are taken over at once; unsaved changes are never lost without a question.",
];

/// Draws the tab.
pub fn show(mut ui: InMut<Ui>, keys: Res<PanelKeys>) {
    Grid::new("keys").num_columns(2).spacing([12.0, 3.0]).show(&mut ui, |ui| {
        for (keys, action) in &keys.0 {
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
