//! One parameter in a row: its label, its control and its hover text.

use bevy_egui::egui::{Align, Color32, Label, Layout, RichText, SliderClamping, Ui, vec2};
use orogeny::limits::{Limit, Number, Parameters};

use super::labels::label;
use super::scale::{Scale, ordered};
use super::typed::{drag, slider};
use crate::controls;
use crate::recipe::fault::Fault;

/// The colour of errors.
pub const WRONG: Color32 = Color32::from_rgb(255, 120, 110);

/// The width of labels, and of the number next to a slider, in points.
const NAME: f32 = 126.0;
const VALUE: f32 = 84.0;

/// A row with a label. `add` draws the control with the given hover text, which the label has as
/// well; an error goes below.
pub fn row(ui: &mut Ui, name: &str, help: &str, fault: Fault<'_>, add: impl FnOnce(&mut Ui, &str)) {
    ui.horizontal(|ui| {
        let text = RichText::new(name);
        let text = if fault.is_inside() { text.color(WRONG) } else { text };
        let size = vec2(NAME, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(NAME);
            ui.add(Label::new(text).truncate()).on_hover_text(help);
        });
        add(ui, help);
    });
    explain(ui, fault);
}

/// A row with a value to read.
pub fn value(ui: &mut Ui, name: &str, help: &str, text: impl Into<String>) {
    row(ui, name, help, Fault::NONE, |ui, help| {
        ui.monospace(text.into()).on_hover_text(help);
    });
}

/// Writes an error.
pub fn explain(ui: &mut Ui, fault: Fault<'_>) {
    if let Some(text) = fault.text() {
        wrong(ui, &text);
    }
}

/// An error message, wrapped.
pub fn wrong(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).color(WRONG)).wrap());
}

/// A number within its limits.
pub fn number(ui: &mut Ui, limit: &Limit, number: Number<'_>, fault: Fault<'_>) {
    named_number(ui, &label(limit.name), limit, number, fault);
}

/// A row for every numeric parameter of a struct. A minimum goes up to its maximum.
pub fn numbers<P: Parameters>(ui: &mut Ui, parameters: &mut P, fault: Fault<'_>) {
    numbers_within(ui, parameters, &ordered::<P>, fault);
}

/// The same, with limits that depend on the values.
pub fn numbers_within<P: Parameters>(
    ui: &mut Ui,
    parameters: &mut P,
    within: &dyn Fn(&mut P) -> Vec<Limit>,
    fault: Fault<'_>,
) {
    let limits = within(parameters);
    for (limit, own) in limits.iter().zip(parameters.numbers()) {
        number(ui, limit, own, fault.under(limit.name));
    }
}

/// A number with another name than that of its limit, such as an axis.
pub fn named_number(
    ui: &mut Ui,
    name: &str,
    limit: &Limit,
    mut number: Number<'_>,
    fault: Fault<'_>,
) {
    let mut value = number.get();
    row(ui, name, &help(limit), fault, |ui, help| {
        match Scale::of(limit) {
            Scale::Wide => controls::add(ui, drag(ui, name, &mut value, limit), help),
            scale => {
                let space = ui.available_width() - VALUE;
                ui.spacing_mut().slider_width = space.clamp(40.0, 180.0);
                let slider = slider(ui, name, &mut value, limit, scale);
                controls::add(ui, slider.clamping(SliderClamping::Always), help)
            }
        };
    });
    if value != number.get() {
        number.set(value);
    }
}

/// The hover text of a number: what it does, and its limits.
pub fn help(limit: &Limit) -> String {
    format!("{}\nRange: {limit}", plain(limit.help))
}

/// Documentation as plain text, without Markdown.
pub fn plain(documentation: &str) -> String {
    let paragraphs = documentation.split("\n\n").map(|paragraph| {
        let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        without_markup(&line)
    });
    paragraphs.filter(|paragraph| !paragraph.is_empty()).collect::<Vec<_>>().join("\n")
}

/// A line without backticks and the brackets and targets of links.
fn without_markup(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(end) = rest.find("](") {
        text.push_str(&rest[..end]);
        let target = &rest[end..];
        rest = target.find(')').map_or("", |close| &target[close + 1..]);
    }
    text.push_str(rest);
    text.chars().filter(|c| !matches!(c, '`' | '[' | ']' | '\\')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_removed() {
        let text = "The table `p`, see [`PERLIN`]:\n p\\[i\\].\n\n\n\nDefault 1.";
        assert_eq!(plain(text), "The table p, see PERLIN: pi.\nDefault 1.");
        assert_eq!(plain("The [kinds](Self::kinds) (all)."), "The kinds (all).");
    }
}
