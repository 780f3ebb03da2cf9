//! The tab Plants: the kinds of plants and rocks, how many there are, and what they cost.

use bevy::prelude::*;
use bevy_egui::egui::{CollapsingHeader, RichText, Ui};
use bevy_orogeny::{ScatterStats, TerrainOrigin, TerrainQuery, TerrainViewer};
use documented::DocumentedFields;
use orogeny::climate::ClimatePoint;
use orogeny::scatter::{Model, Scatter};
use orogeny::{Climate, Recipe};
use strum::IntoEnumIterator;

use super::plant_counts::Counts;
use super::plant_kind::{Change, Spot, apply, show as show_kind};
use super::plant_reasons::Reasons;
use super::terrain::{Presses, gesture};
use crate::document::Step;
use crate::editing::Editing;
use crate::recipe::fault::Fault;
use crate::recipe::{WRONG, help, name, numbers, plain, row, wrong};
use crate::tools::cursor::Cursor;
use crate::tools::density_map::DensityMap;

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut editing: ResMut<Editing>,
    mut presses: Local<Presses>,
    stats: Res<ScatterStats>,
    mut counts: Local<Counts>,
    mut reasons: Local<Reasons>,
    cursor: Res<Cursor>,
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
        && let Some(placement) = ground.query().scatter()
    {
        let viewer = origin.position(viewer.translation());
        let [ox, _, oz] = ground.offset();
        let local = |[x, _, z]: [f64; 3]| [x - ox, z - oz];
        here = Some(placement.climate(local(viewer)));
        reasons.update(placement.clone(), local(cursor.0.unwrap_or(viewer)));
        counts.update(placement, local(viewer));
    }
    let Some(document) = &mut editing.document else {
        ui.label("The ground is a custom field without a recipe: edit its scatter in code.");
        return;
    };
    if let Some(error) = &editing.error {
        wrong(ui, &format!("The terrain was not changed. {error}"));
    }
    let gesture = gesture(ui, &mut presses);
    let whole = Fault::new(editing.error.as_ref());
    let fault = whole.under("scatter");
    let mut draft = document.draft().clone();
    let Recipe { scatter, climate, .. } = &mut draft.recipe;
    numbers(ui, scatter, fault);
    costs(ui, &stats);
    show_climate(ui, climate, here, whole.under("climate"));
    ui.separator();
    let about = Recipe::get_field_docs("scatter").unwrap_or_default();
    ui.label("kinds, those that stand first").on_hover_text(plain(about));
    let fault = fault.under("kinds");
    let mut change = None;
    let count = scatter.kinds.len();
    for (i, kind) in scatter.kinds.iter_mut().enumerate() {
        let spot = Spot { index: i, count };
        let (fault, reason) = (fault.item(i), reasons.of(kind.id()));
        change = show_kind(ui, spot, kind, &counts, reason, &mut map.kind, fault).or(change);
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
        // There is none in a hole.
        Some(ClimatePoint { temperature, moisture }) if temperature.is_finite() => {
            format!("climate: here {temperature:.1} °C, moisture {moisture:.2}")
        }
        _ => "climate".into(),
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
