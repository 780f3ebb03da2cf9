//! Debug views, the frozen viewer, and screenshots.

use bevy::prelude::*;
use bevy_egui::egui::{Color32, RichText, Ui};
use strum::IntoEnumIterator;

use crate::screenshot::Screenshots;
use crate::views::{DebugView, Freeze};

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut view: ResMut<DebugView>,
    mut freeze: ResMut<Freeze>,
    mut shots: ResMut<Screenshots>,
) {
    let ui = &mut *ui;
    ui.strong("Draw the terrain as");
    for option in DebugView::iter() {
        if ui.radio(*view == option, option.name()).on_hover_text(option.help()).clicked() {
            *view = option;
        }
    }
    ui.label(RichText::new(view.help()).weak());
    ui.separator();
    let mut frozen = freeze.0;
    let help = "Chunks stay as they are selected now, while the camera flies on: to see levels of detail from outside. Key K";
    if ui.checkbox(&mut frozen, "freeze the viewer").on_hover_text(help).changed() {
        freeze.0 = frozen;
    }
    if frozen {
        ui.colored_label(Color32::YELLOW, "Frozen: terrain does not follow the camera.");
    }
    ui.separator();
    if ui.button("screenshot").on_hover_text("F12 or P").clicked() {
        shots.wanted = true;
    }
    ui.label(RichText::new(format!("Pictures go to {}", shots.folder.display())).weak());
}
