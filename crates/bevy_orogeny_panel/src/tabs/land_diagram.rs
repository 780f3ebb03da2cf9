//! The lands in their climate, as a part of the tab Map.

use bevy_egui::egui::{CollapsingHeader, Ui};
use bevy_orogeny::GroundQuery;

use super::terrain::{Presses, gesture};
use crate::document::Step;
use crate::editing::Editing;
use crate::map::TerrainMap;
use crate::map::diagram::{Axis, show as diagram};
use crate::recipe::fault::Fault;
use crate::recipe::{numbers, wrong};

/// Says which lands are at a position, and draws all of them along the first two fields that
/// decide. Does nothing without lands.
pub fn show(
    ui: &mut Ui,
    map: &TerrainMap,
    editing: &mut Editing,
    presses: &mut Presses,
    at: Option<[f64; 2]>,
) {
    let Some(ground) = map.ground.as_ref().filter(|ground| !ground.lands().lands().is_empty())
    else {
        return;
    };
    if let Some(at) = at {
        ui.label(here(ground, at));
    }
    let Some(document) = &mut editing.document else { return };
    let fault = Fault::new(editing.error.as_ref()).under("lands");
    if let Some(error) = &editing.error {
        wrong(ui, &format!("The terrain was not changed. {error}"));
    }
    let gesture = gesture(ui, presses);
    let mut draft = document.draft().clone();
    let lands = &mut draft.recipe.lands;
    let header = CollapsingHeader::new("lands in their climate").default_open(true);
    let help = "Drag the edges of a land. The cross is where the camera is";
    header
        .show(ui, |ui| {
            let along = ground.lands().along();
            let axes = [0, 1].map(|k| along.get(k).map_or(Axis { min: 0.0, max: 1.0 }, axis));
            let here =
                at.map(|at| [0, 1].map(|k| along.get(k).map_or(0.5, |field| field.value(at))));
            diagram(ui, &mut lands.of, axes, here);
            let fault = fault.under("of");
            for (i, land) in lands.of.iter_mut().enumerate().skip(1) {
                let fault = fault.item(i).under("within");
                CollapsingHeader::new(&land.name).show(ui, |ui| {
                    for (k, band) in land.within.iter_mut().enumerate() {
                        ui.push_id(k, |ui| numbers(ui, band, fault.item(k)));
                    }
                });
            }
        })
        .header_response
        .on_hover_text(help);
    document.edit(draft, Step::Gesture(gesture));
}

/// The lands at a position, the heaviest first, and the climate there.
fn here(ground: &GroundQuery, at: [f64; 2]) -> String {
    let lands = ground.lands();
    let weights = lands.weights(at);
    let named = lands.lands().iter().zip(weights).filter(|(_, weight)| *weight >= 0.005);
    let mut named: Vec<_> = named.collect();
    named.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let named = named.iter().map(|(land, weight)| format!("{} {:.0} %", land.name, 100.0 * weight));
    let named = named.collect::<Vec<_>>().join(", ");
    match ground.climate(at) {
        Ok(climate) => {
            let (temperature, moisture) = (climate.temperature, climate.moisture);
            format!("here: {named}; {temperature:.1} °C, moisture {moisture:.2}")
        }
        Err(_) => format!("here: {named}"),
    }
}

/// The range of a field that decides, a little less than what is proven, which is seldom reached.
fn axis(field: &orogeny::Tree<2>) -> Axis {
    let bounds = orogeny::Field::bounds(field);
    let (middle, half) = (0.5 * (bounds.min + bounds.max), 0.5 * (bounds.max - bounds.min));
    let half = (0.8 * half).max(1e-3);
    Axis { min: middle - half, max: middle + half }
}
