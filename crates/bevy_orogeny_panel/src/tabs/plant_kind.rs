//! A kind of plants or rocks in the tab Plants: its title with buttons, and its numbers.

use bevy_egui::egui::{Id, Label, Response, RichText, Sense, Ui};
use documented::DocumentedFields;
use orogeny::limits::Parameters;
use orogeny::scatter::{KindId, Model, Scatter, ScatterKind};
use strum::IntoEnumIterator;

use super::plants_here::{Counts, REACH, REACH_IN_RADII};
use crate::controls;
use crate::document::choices::{new_kind, unused_kind_seed};
use crate::recipe::{Fault, WRONG, choose, explain, name, number, plain, row, seed};

/// The headings of the numbers of a kind, each above the number with this name.
const HEADINGS: [(&str, &str); 9] = [
    ("radius", "Density"),
    ("rock", "Density by cover"),
    ("height.min", "Height, slope and curvature"),
    ("temperature.min", "Climate"),
    ("bank.min", "Water"),
    ("disturbed", "Edited ground and clusters"),
    ("size_min", "Size and shape"),
    ("tint", "Colour"),
    ("solid_radius", "Collisions"),
];

/// The hover text of the reason why there is none of a kind, or of its density.
const HERE: &str = "Why it does not grow here, or its density if it does. Here is the pointer \
                    while a tool is active, otherwise the viewer";

/// A change of the list of kinds.
pub enum Change {
    Up(usize),
    Down(usize),
    Duplicate(usize),
    Remove(usize),
    Add(Model),
}

/// Changes the list.
pub fn apply(scatter: &mut Scatter, change: Change) {
    match change {
        Change::Up(i) => scatter.kinds.swap(i - 1, i),
        Change::Down(i) => scatter.kinds.swap(i, i + 1),
        Change::Duplicate(i) => {
            let copy = ScatterKind { seed: unused_kind_seed(scatter), ..scatter.kinds[i].clone() };
            scatter.kinds.insert(i + 1, copy);
        }
        Change::Remove(i) => drop(scatter.kinds.remove(i)),
        Change::Add(model) => scatter.kinds.push(new_kind(model, scatter)),
    }
}

/// The name of a kind, or that of its model.
pub fn title(kind: &ScatterKind) -> String {
    match (kind.name.trim(), &kind.model) {
        ("", Model::Custom(custom)) if !custom.is_empty() => custom.clone(),
        ("", model) => name(model),
        (own, _) => own.into(),
    }
}

/// Where a kind is in the list.
#[derive(Clone, Copy)]
pub struct Spot {
    pub index: usize,
    pub count: usize,
}

/// Draws a kind. `reason` is why there is none of it at the pointer or the viewer, or its density.
/// `map` is the seed of the kind whose density is drawn on the ground.
pub fn show(
    ui: &mut Ui,
    spot: Spot,
    kind: &mut ScatterKind,
    counts: &Counts,
    reason: Option<&str>,
    map: &mut Option<KindId>,
    fault: Fault<'_>,
) -> Option<Change> {
    let id = Id::new(("kind", spot.index));
    let mut change = None;
    let title = |ui: &mut Ui| headline(ui, spot, kind, counts, fault);
    let (mut state, header) =
        controls::header(ui, id, false, |ui| change = buttons(ui, spot, kind, map), title);
    state.show_body_indented(&header, ui, |ui| {
        ui.push_id(id, |ui| {
            // In one line, also before it is known: the rows below stay where they are.
            let text = format!("Here: {}", reason.unwrap_or("…"));
            ui.add(Label::new(&text).truncate()).on_hover_text(format!("{text}\n\n{HERE}"));
            show_numbers(ui, kind, fault);
        });
    });
    change
}

/// The title, with how many there are.
fn headline(
    ui: &mut Ui,
    spot: Spot,
    kind: &ScatterKind,
    counts: &Counts,
    fault: Fault<'_>,
) -> Response {
    let on_hectare = counts.of(kind.id()).map(|count| match count {
        Ok(count) => format!(": {count:.0} per ha"),
        Err(_) => ": too many to count".into(),
    });
    let text = format!("{} {}{}", spot.index + 1, title(kind), on_hectare.unwrap_or_default());
    let text = RichText::new(text);
    let text = if fault.is_inside() { text.color(WRONG) } else { text };
    let about = format!(
        "Plants per hectare, counted within {REACH} m of the viewer, or within {REACH_IN_RADII} \
         radii of the kind if that is less"
    );
    ui.add(Label::new(text).truncate().sense(Sense::click())).on_hover_text(about)
}

/// The buttons of a kind, from right to left.
fn buttons(
    ui: &mut Ui,
    Spot { index, count }: Spot,
    kind: &ScatterKind,
    map: &mut Option<KindId>,
) -> Option<Change> {
    let mut change = None;
    let mut small = |ui: &mut Ui, text, help, enabled, on_click: Change| {
        if controls::small(ui, enabled, text, help) {
            change = Some(on_click);
        }
    };
    let may_grow = count < Scatter::MAX_KINDS;
    small(ui, "✖", "Remove this kind", true, Change::Remove(index));
    small(ui, "➕", "Duplicate this kind", may_grow, Change::Duplicate(index));
    small(
        ui,
        "⬇",
        "Move down: kinds above it keep their distance first",
        index + 1 < count,
        Change::Down(index),
    );
    small(
        ui,
        "⬆",
        "Move up: it takes its place before the kinds below",
        index > 0,
        Change::Up(index),
    );
    let is_drawn = *map == Some(kind.id());
    if controls::toggle(ui, is_drawn, "Draw", "Draw its density on the ground around the viewer") {
        *map = Some(kind.id()).filter(|_| !is_drawn);
    }
    change
}

fn show_numbers(ui: &mut Ui, kind: &mut ScatterKind, fault: Fault<'_>) {
    let about = |field| ScatterKind::get_field_docs(field).unwrap_or_default();
    row(ui, "Name", &plain(about("name")), fault.under("name"), |ui, about| {
        controls::text_field(ui, &mut kind.name, about);
    });
    let of = fault.under("model");
    choose(ui, "Model", about("model"), of, &mut kind.model, Model::iter());
    if let Model::Custom(custom) = &mut kind.model {
        let about = "The name under which the game provides the model";
        row(ui, "Mesh", about, of, |ui, about| controls::text_field(ui, custom, about));
    }
    seed(ui, about("seed"), &mut kind.seed);
    explain(ui, fault.under("seed"));
    for (limit, own) in ScatterKind::LIMITS.iter().zip(kind.numbers()) {
        if let Some((_, heading)) = HEADINGS.iter().find(|(first, _)| *first == limit.name) {
            ui.weak(*heading);
        }
        number(ui, limit, own, fault.under(limit.name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_stand_above_numbers_in_their_order() {
        let at = |first: &str| ScatterKind::LIMITS.iter().position(|limit| limit.name == first);
        let places: Vec<_> = HEADINGS.iter().map(|(first, _)| at(first)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
    }

    #[test]
    fn kinds_without_a_name_have_that_of_their_model() {
        let kind =
            |name: &str, model| ScatterKind { name: name.into(), model, ..ScatterKind::default() };
        assert_eq!(title(&kind("", Model::Spruce)), "Spruce");
        assert_eq!(title(&kind("", Model::Custom("mill".into()))), "mill");
        assert_eq!(title(&kind("old oak", Model::Broadleaf)), "old oak");
    }
}
