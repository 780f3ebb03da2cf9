//! The header of a part that folds.

use bevy_egui::egui::collapsing_header::{CollapsingState, paint_default_icon};
use bevy_egui::egui::{Align, Id, Layout, Response, Ui};

use crate::controls;

/// Draws a title, and buttons from right to left. A click on the title folds or unfolds the part,
/// which is open at first or not. Returns what draws the rest of it below the header.
pub fn header(
    ui: &mut Ui,
    id: Id,
    is_open: bool,
    buttons: impl FnOnce(&mut Ui),
    title: impl FnOnce(&mut Ui) -> Response,
) -> (CollapsingState, Response) {
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, is_open);
    let header = ui.horizontal(|ui| {
        let icon = state.show_toggle_button(ui, paint_default_icon);
        controls::with_help(icon, "Fold or unfold");
        // From the right, so that a long title is truncated rather than the buttons.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            buttons(ui);
            ui.with_layout(Layout::left_to_right(Align::Center), title).inner
        })
        .inner
    });
    if header.inner.clicked() {
        state.toggle(ui);
    }
    (state, header.response)
}
