//! The tab Plants: the kinds of plants and rocks, how many there are, and what they cost.

use bevy::prelude::*;
use bevy_egui::egui::{RichText, Ui};
use bevy_orogeny::advanced::ScatterStats;
use bevy_orogeny::{TerrainQuery, TerrainViewer};
use documented::DocumentedFields;
use orogeny::climate::ClimatePoint;
use orogeny::scatter::{Model, Scatter};
use orogeny::{Climate, Recipe};
use strum::IntoEnumIterator;

use super::plant_kind::{Change, Spot, apply, show as show_kind};
use super::plants_here::{Counts, Reasons};
use super::{Presses, edit_recipe};
use crate::controls;
use crate::editing::Editing;
use crate::recipe::typed::decimals;
use crate::recipe::{Fault, WRONG, menu_of, numbers, plain, value};
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
) {
    let mut here = None;
    if let (Some(ground), Some(viewer)) = (editing.ground_of(&terrains), viewers.iter().next()) {
        let placement = ground.query().placement();
        let viewer = ground.position(viewer.translation());
        let [ox, _, oz] = ground.offset();
        let local = |[x, _, z]: [f64; 3]| [x - ox, z - oz];
        here = Some(placement.climate(local(viewer)));
        reasons.update(placement, local(cursor.0.unwrap_or(viewer)));
        counts.update(placement.clone(), local(viewer));
    }
    let custom = "The ground is a custom field without a recipe. Edit its plants in code.";
    edit_recipe(&mut ui, &mut editing, &mut presses, custom, |ui, draft, whole| {
        let fault = whole.under("scatter");
        let Recipe { scatter, climate, .. } = &mut draft.recipe;
        numbers(ui, scatter, fault);
        costs(ui, &stats);
        show_climate(ui, climate, here, whole.under("climate"));
        ui.separator();
        let about = Recipe::get_field_docs("scatter").unwrap_or_default();
        ui.label("Kinds, in order of placement").on_hover_text(plain(about));
        let fault = fault.under("kinds");
        let mut change = None;
        let count = scatter.kinds.len();
        for (i, kind) in scatter.kinds.iter_mut().enumerate() {
            let spot = Spot { index: i, count };
            let (fault, reason) = (fault.item(i), reasons.of(kind.id()));
            change = show_kind(ui, spot, kind, &counts, reason, &mut map.kind, fault).or(change);
        }
        ui.add_enabled_ui(count < Scatter::MAX_KINDS, |ui| {
            let about = format!("Add a kind after the last one. At most {}", Scatter::MAX_KINDS);
            let added = menu_of(ui, "Add kind", &about, Model::iter());
            change = added.map(Change::Add).or(change.take());
        });
        let is_changed = change.is_some();
        if let Some(change) = change {
            apply(scatter, change);
        }
        is_changed
    });
}

/// The climate, and what it is at the viewer.
fn show_climate(ui: &mut Ui, climate: &mut Climate, here: Option<ClimatePoint>, fault: Fault<'_>) {
    let text = RichText::new(match here {
        // There is none in a hole.
        Some(ClimatePoint { temperature, moisture }) if temperature.is_finite() => {
            let temperature = decimals(temperature.into(), 1);
            format!("Climate: {temperature} °C here, moisture {moisture:.2}")
        }
        _ => "Climate".into(),
    });
    let text = if fault.is_inside() { text.color(WRONG) } else { text };
    let about = plain(Recipe::get_field_docs("climate").unwrap_or_default());
    controls::section(ui, text, "climate", false, &about, |ui| numbers(ui, climate, fault));
}

/// What all kinds together cost.
fn costs(ui: &mut Ui, stats: &ScatterStats) {
    for (name, field, text) in [
        ("Tiles", "tiles", stats.tiles.to_string()),
        ("Instances", "instances", stats.instances.to_string()),
        ("Memory", "bytes", format!("{:.1} MB", stats.bytes as f64 / 1e6)),
        ("Pending", "missing", format!("{}, {} nearby", stats.missing, stats.missing_near)),
    ] {
        let about = ScatterStats::get_field_docs(field).unwrap_or_default();
        value(ui, name, &plain(about), text);
    }
}
