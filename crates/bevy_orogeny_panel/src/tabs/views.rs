//! The tab Views: debug views, freezing, screenshots.

use bevy::prelude::*;
use bevy_egui::egui::{Color32, RichText, Ui};
use strum::IntoEnumIterator;

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
        if ui.radio(*view == option, option.name()).on_hover_text(option.help()).clicked() {
            *view = option;
        }
    }
    ui.label(RichText::new(view.help()).weak());
    ui.separator();
    let mut frozen = freeze.0;
    let help = format!(
        "Keep the chunks selected now while the camera flies on, to see levels of detail from \
         outside. Key: {}",
        names(&keys.freeze)
    );
    if ui.checkbox(&mut frozen, "freeze the viewer").on_hover_text(help).changed() {
        freeze.0 = frozen;
    }
    if frozen {
        ui.colored_label(Color32::YELLOW, "Frozen: chunks do not follow the camera.");
    }
    ui.separator();
    if ui.button("screenshot").on_hover_text(names(&keys.screenshot)).clicked() {
        shots.wanted = true;
    }
    ui.label(RichText::new(format!("Folder: {}", shots.folder.display())).weak());
}
