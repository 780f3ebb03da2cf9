//! The tab Views: debug views, freezing, screenshots.

use bevy::prelude::*;
use bevy_egui::egui::{Color32, RichText, Ui};
use strum::IntoEnumIterator;

use crate::controls;
use crate::recipe::labels::label;
use crate::viewer::freeze::Freeze;
use crate::views::DebugView;
use crate::window::keys::{PanelKeys, names};
use crate::window::screenshot::Screenshots;

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut view: ResMut<DebugView>,
    mut freeze: ResMut<Freeze>,
    mut shots: ResMut<Screenshots>,
    keys: Res<PanelKeys>,
) {
    let ui = &mut *ui;
    ui.strong("View");
    for option in DebugView::iter() {
        if controls::radio(ui, *view == option, label(option.name()), &option.help()) {
            *view = option;
        }
    }
    ui.label(RichText::new(view.help()).weak());
    ui.separator();
    let mut frozen = freeze.0;
    let help = format!(
        "Stop updating the selection of chunks, so that the camera can look at the levels of \
         detail from elsewhere. Key: {}",
        names(&keys.freeze)
    );
    if controls::checkbox(ui, &mut frozen, "Freeze the viewer", &help) {
        freeze.0 = frozen;
    }
    if frozen {
        ui.colored_label(Color32::YELLOW, "Frozen: the chunks do not follow the camera.");
    }
    ui.separator();
    let help = format!("Save a picture of the window. Key: {}", names(&keys.screenshot));
    if controls::button(ui, "Take screenshot", &help) {
        shots.wanted = true;
    }
    ui.label(RichText::new(format!("Folder: {}", shots.folder.display())).weak());
}
