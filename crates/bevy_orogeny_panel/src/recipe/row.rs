//! One parameter in a row: its name, its widget and its hover text.

use bevy_egui::egui::{
    Align, Color32, DragValue, Label, Layout, Response, RichText, SliderClamping, Ui, emath, vec2,
};
use orogeny::limits::{Limit, Number, Parameters};

use super::typed::{drag_value, slider};
use crate::recipe::fault::Fault;

/// The colour of errors.
pub const WRONG: Color32 = Color32::from_rgb(255, 120, 110);

/// The width of names, and of the number next to a slider, in points.
const NAME: f32 = 100.0;
const VALUE: f32 = 84.0;
/// Ranges up to this width get a slider, wider ones a drag value. The limit fits angles of one turn
/// in either direction.
const NEAR: f64 = 720.0;

/// A named row. The help is the hover text of the name and of the widget; an error goes below.
pub fn row(
    ui: &mut Ui,
    name: &str,
    help: &str,
    fault: Fault<'_>,
    add: impl FnOnce(&mut Ui) -> Response,
) {
    ui.horizontal(|ui| {
        let text = match fault.inside() {
            Some(_) => RichText::new(name).color(WRONG),
            None => RichText::new(name),
        };
        let size = vec2(NAME, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(NAME);
            ui.add(Label::new(text).truncate()).on_hover_text(help);
        });
        add(ui).on_hover_text(help);
    });
    explain(ui, fault);
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

/// A number within its limits: a slider for a narrow range, a drag value for a wide one.
pub fn number(ui: &mut Ui, limit: &Limit, number: Number<'_>, fault: Fault<'_>) {
    named_number(ui, limit.name, limit, number, fault);
}

/// A row for every numeric parameter of a struct.
pub fn numbers<P: Parameters>(ui: &mut Ui, parameters: &mut P, fault: Fault<'_>) {
    for (limit, own) in P::LIMITS.iter().zip(parameters.numbers()) {
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
    row(ui, name, &help(limit), fault, |ui| {
        if limit.max - limit.min <= NEAR {
            ui.spacing_mut().slider_width = (ui.available_width() - VALUE).clamp(40.0, 180.0);
            let slider = slider(ui, &mut value, limit.min..=limit.max);
            ui.add(slider.clamping(SliderClamping::Always).suffix(suffix(limit)))
        } else {
            ui.add(drag(ui, &mut value, limit))
        }
    });
    if value != number.get() {
        number.set(value);
    }
}

/// A drag value whose speed is proportional to the number, for ranges over orders of magnitude.
pub fn drag<'a, T: emath::Numeric>(ui: &Ui, value: &'a mut T, limit: &Limit) -> DragValue<'a> {
    // A minimum speed, so that a drag can leave zero.
    let min = if limit.min > 0.0 { limit.min } else { limit.default.abs().max(0.2) };
    let speed = 0.005 * value.to_f64().abs().max(min);
    drag_value(ui, value)
        .speed(speed)
        .max_decimals(7)
        .range(T::from_f64(limit.min)..=T::from_f64(limit.max))
        .suffix(suffix(limit))
}

/// The unit behind a number. Long units only appear in the hover text.
fn suffix(limit: &Limit) -> String {
    match limit.unit {
        "degrees" => "°".into(),
        unit if (1..=2).contains(&unit.chars().count()) => format!(" {unit}"),
        _ => String::new(),
    }
}

fn help(limit: &Limit) -> String {
    format!("{}\n{limit}", plain(limit.help))
}

/// Documentation as plain text, without Markdown.
pub fn plain(documentation: &str) -> String {
    let paragraphs = documentation.split("\n\n").map(|paragraph| {
        let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        line.chars().filter(|c| !matches!(c, '`' | '[' | ']' | '\\')).collect::<String>()
    });
    paragraphs.filter(|paragraph| !paragraph.is_empty()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_removed() {
        let text = "The table `p`, see [`PERLIN`]:\n p\\[i\\].\n\n\n\nDefault 1.";
        assert_eq!(plain(text), "The table p, see PERLIN: pi.\nDefault 1.");
    }
}
