//! The controls of the panel. Each takes its hover text, so none is without one.

use bevy_egui::egui::collapsing_header::{CollapsingState, paint_default_icon};
use bevy_egui::egui::{
    Align, Button, CollapsingHeader, ComboBox, Id, IntoAtoms, Layout, Response, RichText, TextEdit,
    Ui, Widget,
};

/// A widget with its hover text, which it also has while it is disabled.
pub fn add(ui: &mut Ui, widget: impl Widget, help: &str) -> Response {
    with_help(ui.add(widget), help)
}

/// The same, if it is enabled; greyed out otherwise.
pub fn add_enabled(ui: &mut Ui, is_enabled: bool, widget: impl Widget, help: &str) -> Response {
    with_help(ui.add_enabled(is_enabled, widget), help)
}

/// A button. Returns whether it was clicked.
pub fn button<'a>(ui: &mut Ui, text: impl IntoAtoms<'a>, help: &str) -> bool {
    add(ui, Button::new(text), help).clicked()
}

/// A button that may be disabled. Returns whether it was clicked.
pub fn button_if<'a>(ui: &mut Ui, is_enabled: bool, text: impl IntoAtoms<'a>, help: &str) -> bool {
    add_enabled(ui, is_enabled, Button::new(text), help).clicked()
}

/// A small button that may be disabled. Returns whether it was clicked.
pub fn small<'a>(ui: &mut Ui, is_enabled: bool, text: impl IntoAtoms<'a>, help: &str) -> bool {
    add_enabled(ui, is_enabled, Button::new(text).small(), help).clicked()
}

/// A small button that stays pressed. Returns whether it was clicked.
pub fn toggle<'a>(ui: &mut Ui, is_on: bool, text: impl IntoAtoms<'a>, help: &str) -> bool {
    add(ui, Button::selectable(is_on, text).small(), help).clicked()
}

/// A choice among several. Returns whether it was clicked.
pub fn option<'a>(ui: &mut Ui, is_chosen: bool, text: impl IntoAtoms<'a>, help: &str) -> bool {
    add(ui, Button::selectable(is_chosen, text), help).clicked()
}

/// A radio button. Returns whether it was clicked.
pub fn radio<'a>(ui: &mut Ui, is_chosen: bool, text: impl IntoAtoms<'a>, help: &str) -> bool {
    with_help(ui.radio(is_chosen, text), help).clicked()
}

/// A checkbox. Returns whether it was changed.
pub fn checkbox<'a>(
    ui: &mut Ui,
    is_on: &'a mut bool,
    text: impl IntoAtoms<'a>,
    help: &str,
) -> bool {
    with_help(ui.checkbox(is_on, text), help).changed()
}

/// A line of text to edit.
pub fn text_field(ui: &mut Ui, text: &mut String, help: &str) {
    add(ui, TextEdit::singleline(text), help);
}

/// A button for an sRGB colour.
pub fn colour(ui: &mut Ui, colour: &mut [u8; 3], help: &str) {
    with_help(ui.color_edit_button_srgb(colour), help);
}

/// A combo box, whose items `show` draws.
pub fn combo(ui: &mut Ui, combo: ComboBox, help: &str, show: impl FnOnce(&mut Ui)) {
    with_help(combo.show_ui(ui, show).response, help);
}

/// A button that opens a menu.
pub fn menu<'a>(ui: &mut Ui, text: impl IntoAtoms<'a>, help: &str, show: impl FnOnce(&mut Ui)) {
    with_help(ui.menu_button(text, show).response, help);
}

/// A section that folds.
pub fn section(
    ui: &mut Ui,
    title: impl Into<RichText>,
    id: impl core::hash::Hash + core::fmt::Debug,
    is_open: bool,
    help: &str,
    show: impl FnOnce(&mut Ui),
) {
    let header = CollapsingHeader::new(title.into()).id_salt(id).default_open(is_open);
    with_help(header.show(ui, show).header_response, help);
}

/// The header of a part that folds: a title, and buttons from right to left. A click on the title
/// folds or unfolds the part, which is open at first or not. Returns what draws the rest of it
/// below the header.
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
        with_help(icon, "Fold or unfold");
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

/// Adds a hover text to what a widget has drawn.
pub fn with_help(response: Response, help: &str) -> Response {
    debug_assert!(!cfg!(test) || !help.trim().is_empty(), "a control without a hover text");
    response.on_hover_text(help).on_disabled_hover_text(help)
}
