//! The tab Plants: the kinds of plants and rocks, how many there are, and what they cost.

use bevy::prelude::*;
use bevy_egui::egui::{Button, CollapsingHeader, Label, RichText, Ui};
use bevy_orogeny::{ScatterStats, TerrainOrigin, TerrainQuery, TerrainViewer};
use documented::DocumentedFields;
use orogeny::Recipe;
use orogeny::limits::Parameters;
use orogeny::scatter::{Climate, ClimatePoint, Model, Scatter, ScatterKind};
use strum::IntoEnumIterator;

use super::plant_counts::{Counts, REACH, REACH_IN_RADII};
use super::terrain::{Presses, gesture};
use crate::document::Step;
use crate::document::kinds::{new_kind, unused_seed};
use crate::editing::Editing;
use crate::recipe::fault::Fault;
use crate::recipe::{WRONG, choose, explain, help, name, number, numbers, plain, row, seed, wrong};
use crate::tools::density_map::DensityMap;

/// The headings of the numbers of a kind, each above the number with this name.
const HEADINGS: [(&str, &str); 9] = [
    ("radius", "How dense"),
    ("rock", "On which cover"),
    ("height_min", "At which height, slope and curvature"),
    ("temperature_min", "In which climate"),
    ("bank_min", "How near to water"),
    ("disturbed", "Edited ground and clusters"),
    ("size_min", "Size and shape"),
    ("tint", "Colour"),
    ("solid_radius", "Collisions"),
];

/// A change of the list of kinds.
enum Change {
    Up(usize),
    Down(usize),
    Duplicate(usize),
    Remove(usize),
    Add(Model),
}

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut editing: ResMut<Editing>,
    mut presses: Local<Presses>,
    stats: Res<ScatterStats>,
    mut counts: Local<Counts>,
    mut map: ResMut<DensityMap>,
    terrains: TerrainQuery,
    viewers: Query<&GlobalTransform, With<TerrainViewer>>,
    origin: Res<TerrainOrigin>,
) {
    let ui = &mut *ui;
    let editing = &mut *editing;
    let ground = editing.terrain().and_then(|terrain| terrains.get(terrain).ok());
    let mut here = None;
    if let (Some(ground), Some(viewer)) = (&ground, viewers.iter().next())
        && let Some(scattered) = ground.query().scatter()
    {
        let [x, _, z] = origin.position(viewer.translation());
        let [ox, _, oz] = ground.offset();
        here = Some(scattered.climate([x - ox, z - oz]));
        counts.update(scattered, [x - ox, z - oz]);
    }
    let Some(document) = &mut editing.document else {
        ui.label("The ground is a custom field without a recipe: edit its scatter in code.");
        return;
    };
    if let Some(error) = &editing.error {
        wrong(ui, &format!("The terrain was not changed. {error}"));
    }
    let gesture = gesture(ui, &mut presses);
    let fault = Fault::new(editing.error.as_ref()).under("scatter");
    let mut draft = document.draft().clone();
    let scatter = &mut draft.recipe.scatter;
    numbers(ui, scatter, fault);
    costs(ui, &stats);
    show_climate(ui, &mut scatter.climate, here, fault.under("climate"));
    ui.separator();
    let about = Recipe::get_field_docs("scatter").unwrap_or_default();
    ui.label("kinds, those that stand first").on_hover_text(plain(about));
    let fault = fault.under("kinds");
    let mut change = None;
    let count = scatter.kinds.len();
    for (i, kind) in scatter.kinds.iter_mut().enumerate() {
        change = show_kind(ui, i, count, kind, (&counts, &mut map.kind), fault.item(i)).or(change);
    }
    ui.add_enabled_ui(count < Scatter::MAX_KINDS, |ui| {
        ui.menu_button("add a kind", |ui| {
            for model in Model::iter() {
                if ui.button(name(&model)).on_hover_text(help(&model)).clicked() {
                    change = Some(Change::Add(model));
                }
            }
        });
    });
    let step = if change.is_some() { Step::Single } else { Step::Gesture(gesture) };
    if let Some(change) = change {
        apply(scatter, change);
    }
    document.edit(draft, step);
    // Space for the last menu.
    ui.add_space(8.0);
}

/// The climate, and what it is at the viewer.
fn show_climate(ui: &mut Ui, climate: &mut Climate, here: Option<ClimatePoint>, fault: Fault<'_>) {
    let text = RichText::new(match here {
        Some(ClimatePoint { temperature, moisture }) => {
            format!("climate: here {temperature:.1} °C, moisture {moisture:.2}")
        }
        None => "climate".into(),
    });
    let text = if fault.inside().is_some() { text.color(WRONG) } else { text };
    CollapsingHeader::new(text).id_salt("climate").show(ui, |ui| numbers(ui, climate, fault));
}

/// What all kinds together cost.
fn costs(ui: &mut Ui, stats: &ScatterStats) {
    for (name, field, value) in [
        ("tiles", "tiles", stats.tiles.to_string()),
        ("instances", "instances", stats.instances.to_string()),
        ("memory", "bytes", format!("{:.1} MB", stats.bytes as f64 / 1e6)),
        ("missing", "missing", format!("{}, {} near", stats.missing, stats.missing_near)),
    ] {
        let about = ScatterStats::get_field_docs(field).unwrap_or_default();
        row(ui, name, &plain(about), Fault::NONE, |ui| ui.monospace(value));
    }
}

fn apply(scatter: &mut Scatter, change: Change) {
    match change {
        Change::Up(i) => scatter.kinds.swap(i - 1, i),
        Change::Down(i) => scatter.kinds.swap(i, i + 1),
        Change::Duplicate(i) => {
            let copy = ScatterKind { seed: unused_seed(scatter), ..scatter.kinds[i].clone() };
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

fn show_kind(
    ui: &mut Ui,
    i: usize,
    count: usize,
    kind: &mut ScatterKind,
    (counts, map): (&Counts, &mut Option<u64>),
    fault: Fault<'_>,
) -> Option<Change> {
    let mut change = None;
    let on_hectare = counts.of(kind.seed).map(|count| format!(": {count:.0} per ha"));
    let text = format!("{} {}{}", i + 1, title(kind), on_hectare.unwrap_or_default());
    let text = RichText::new(text);
    let text = if fault.inside().is_some() { text.color(WRONG) } else { text };
    ui.horizontal(|ui| {
        let mut small = |ui: &mut Ui, text, help, enabled, on_click: Change| {
            if ui.add_enabled(enabled, Button::new(text).small()).on_hover_text(help).clicked() {
                change = Some(on_click);
            }
        };
        let may_grow = count < Scatter::MAX_KINDS;
        small(ui, "⬆", "Place it before the kind above", i > 0, Change::Up(i));
        small(ui, "⬇", "Place it after the kind below", i + 1 < count, Change::Down(i));
        small(ui, "➕", "Duplicate this kind", may_grow, Change::Duplicate(i));
        small(ui, "✖", "Remove this kind", true, Change::Remove(i));
        let is_drawn = *map == Some(kind.seed);
        let button = ui.add(Button::selectable(is_drawn, "map").small());
        if button.on_hover_text("Draw how dense it is around the viewer, on the ground").clicked() {
            *map = Some(kind.seed).filter(|_| !is_drawn);
        }
        let about = format!(
            "How many stand on a hectare, counted within {REACH} m of the viewer, or within \
             {REACH_IN_RADII} radii of the kind if that is less"
        );
        ui.add(Label::new(text).truncate()).on_hover_text(about);
    });
    CollapsingHeader::new("numbers").id_salt(("kind", i)).show(ui, |ui| {
        let about = |field| ScatterKind::get_field_docs(field).unwrap_or_default();
        row(ui, "name", &plain(about("name")), fault.under("name"), |ui| {
            ui.text_edit_singleline(&mut kind.name)
        });
        let of = fault.under("model");
        choose(ui, "model", about("model"), of, &mut kind.model, Model::iter());
        if let Model::Custom(custom) = &mut kind.model {
            row(ui, "mesh", "The name under which the game provides the model", of, |ui| {
                ui.text_edit_singleline(custom)
            });
        }
        seed(ui, about("seed"), &mut kind.seed);
        explain(ui, fault.under("seed"));
        for (limit, own) in ScatterKind::LIMITS.iter().zip(kind.numbers()) {
            if let Some((_, heading)) = HEADINGS.iter().find(|(first, _)| *first == limit.name) {
                ui.weak(*heading);
            }
            number(ui, limit, own, fault.under(limit.name));
        }
    });
    change
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
        let kind = |name: &str, model| ScatterKind { name: name.into(), model, ..default() };
        assert_eq!(title(&kind("", Model::Spruce)), "spruce");
        assert_eq!(title(&kind("", Model::Custom("mill".into()))), "mill");
        assert_eq!(title(&kind("old oak", Model::Broadleaf)), "old oak");
    }
}
