//! One parameter in a row: its label, its control, its hover text, and the error that it causes.

use core::mem::discriminant;

use bevy_egui::egui::{
    Align, Color32, ComboBox, Label, Layout, RichText, SliderClamping, Ui, vec2,
};
use orogeny::DataError;
use orogeny::limits::{Limit, Number, Parameters};
use strum::EnumMessage;

use super::labels::{describe, label, split};
use super::scale::{Scale, ordered};
use super::typed::{COMMAS, drag, slider};
use crate::controls;

/// The colour of errors.
pub const WRONG: Color32 = Color32::from_rgb(255, 120, 110);

/// The width of labels, and of the number next to a slider, in points.
const NAME: f32 = 126.0;
const VALUE: f32 = 84.0;

/// An error seen from a part of a recipe: its path relative to that part, and the problem. `None`
/// if the error is elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fault<'a>(Option<Seen<'a>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen<'a> {
    path: &'a str,
    /// The last part of the path, which an error at the part itself is about.
    own: &'a str,
    problem: &'a str,
}

impl<'a> Fault<'a> {
    /// No error.
    pub const NONE: Self = Self(None);

    /// The error seen from the whole recipe.
    pub fn new(error: Option<&'a DataError>) -> Self {
        Self(error.map(|DataError { path, problem }| {
            let (_, own) = split(path);
            Seen { path, own, problem }
        }))
    }

    /// The error seen from a named part.
    pub fn under(self, part: &str) -> Self {
        Self(self.0.and_then(|seen| {
            let rest = seen.path.strip_prefix(part)?;
            let ends = rest.is_empty() || rest.starts_with(['.', '[']);
            ends.then(|| Seen { path: rest.strip_prefix('.').unwrap_or(rest), ..seen })
        }))
    }

    /// The error seen from item `i` of a list.
    pub fn item(self, i: usize) -> Self {
        self.under(&format!("[{i}]"))
    }

    /// Whether the error is anywhere in this part.
    pub fn is_inside(self) -> bool {
        self.0.is_some()
    }

    /// Whether the error is about this part, rather than a part of it.
    pub fn is_here(self) -> bool {
        self.0.is_some_and(|seen| seen.path.is_empty())
    }

    /// Whether the error is about an item of this list.
    pub fn is_in_item(self) -> bool {
        self.0.is_some_and(|seen| seen.path.starts_with('['))
    }

    /// The error as a sentence.
    pub fn text(self) -> Option<String> {
        let Seen { path, own, problem } = self.0?;
        Some(describe(if path.is_empty() { own } else { path }, problem))
    }
}

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

/// A number within its limits. One that they fix, such as the edge of a sharp band, has no row.
pub fn number(ui: &mut Ui, limit: &Limit, number: Number<'_>, fault: Fault<'_>) {
    if limit.min == limit.max {
        return;
    }
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
    row(ui, name, &help_of(limit), fault, |ui, help| {
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

/// The label of a variant: `CellValue` is "Cell value".
pub fn name<'a, T>(value: &'a T) -> String
where
    &'static str: From<&'a T>,
{
    label(value.into())
}

/// The documentation of a variant as plain text.
pub fn help(value: &impl EnumMessage) -> String {
    plain(value.get_documentation().unwrap_or_default())
}

/// A combo box of `options`. Choosing the current variant again changes nothing.
pub fn choose<T>(
    ui: &mut Ui,
    title: &str,
    about: &str,
    fault: Fault<'_>,
    value: &mut T,
    options: impl IntoIterator<Item = T>,
) where
    T: EnumMessage,
    for<'a> &'static str: From<&'a T>,
{
    let about = format!("{}\n\n{}: {}", plain(about), name(value), help(value));
    row(ui, title, about.trim_start(), fault, |ui, about| {
        let combo = ComboBox::from_id_salt(title).selected_text(name(value));
        controls::combo(ui, combo, about, |ui| {
            for option in options {
                let is = discriminant(&option) == discriminant(value);
                if controls::option(ui, is, name(&option), &help(&option)) && !is {
                    *value = option;
                }
            }
        });
    });
}

/// A menu of variants. Returns the one that was clicked.
pub fn menu_of<T>(
    ui: &mut Ui,
    title: &str,
    about: &str,
    options: impl IntoIterator<Item = T>,
) -> Option<T>
where
    T: EnumMessage,
    for<'a> &'static str: From<&'a T>,
{
    let mut chosen = None;
    controls::menu(ui, title, about, |ui| {
        for option in options {
            if controls::button(ui, name(&option), &help(&option)) {
                chosen = Some(option);
                ui.close();
            }
        }
    });
    chosen
}

/// The hover text of a number: what it does, and its limits.
pub fn help_of(limit: &Limit) -> String {
    with_range(&plain(limit.help), limit)
}

/// The hover text of a number, with its limits.
pub fn with_range(help: &str, limit: &Limit) -> String {
    format!("{help}\nRange: {limit}\n{COMMAS}")
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
    use orogeny::lattice::LatticeValues;
    use orogeny::noise::{CellularOutput, Metric};
    use orogeny::{Fractal, FractalKind, GradientNoise, Node};
    use strum::IntoEnumIterator;

    use super::*;
    use crate::document::choices::{new_layers, shapes, transforms, wrappers};
    use crate::recipe::noise::about;

    #[test]
    fn every_choice_has_documentation() {
        let nodes = wrappers(Node::Constant(0.0), 1).into_iter().chain(new_layers(1));
        let mut helps: Vec<String> = nodes.map(|node| help(&node)).collect();
        helps.extend(shapes().iter().map(help));
        helps.extend(transforms().iter().map(help));
        helps.extend(FractalKind::iter().map(|kind| help(&kind)));
        helps.extend(CellularOutput::iter().map(|output| help(&output)));
        helps.extend(Metric::iter().map(|metric| help(&metric)));
        assert!(helps.iter().all(|help| help.len() > 10), "{helps:?}");
        assert!(help(&Node::<2>::Add(Vec::new())).starts_with("The sum of fields."));
        assert!(about::<Fractal<2>>("reseed").contains("a seed of its own"));
        assert!(about::<GradientNoise<2>>("period").contains("0 means no"));
        assert_eq!(name(&LatticeValues::FourPoint), "Four-point");
    }

    #[test]
    fn markdown_is_removed() {
        let text = "The table `p`, see [`PERLIN`]:\n p\\[i\\].\n\n\n\nDefault 1.";
        assert_eq!(plain(text), "The table p, see PERLIN: pi.\nDefault 1.");
        assert_eq!(plain("The [kinds](Self::kinds) (all)."), "The kinds (all).");
    }
}
