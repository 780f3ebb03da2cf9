//! The tab Help: keys and hints.

use bevy::prelude::*;
use bevy_egui::egui::{Grid, Ui};

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

/// Draws the tab.
pub fn show(mut ui: InMut<Ui>, keys: Res<PanelKeys>) {
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
