//! The lands in their climate, as a part of the tab Map.

use bevy_egui::egui::Ui;
use bevy_orogeny::GroundQuery;
use orogeny::Node;

use super::terrain::{Presses, gesture, unchanged};
use crate::controls;
use crate::document::Step;
use crate::editing::Editing;
use crate::map::TerrainMap;
use crate::map::diagram::{Axis, show as diagram};
use crate::recipe::fault::Fault;
use crate::recipe::labels::capitalised;
use crate::recipe::{decimals, numbers, title, wrong};

/// Shows which lands are at a position, and all lands along the first two fields that decide. Does
/// nothing without lands.
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
        wrong(ui, &unchanged(error));
    }
    let gesture = gesture(ui, presses);
    let mut draft = document.draft().clone();
    let lands = &mut draft.recipe.lands;
    let help = "Each land by the climate that it needs. Drag its edges";
    controls::section(ui, "Lands by climate", "lands", true, help, |ui| {
        let along = ground.lands().along();
        let axes = [0, 1].map(|k| along.get(k).map_or(Axis { min: 0.0, max: 1.0 }, axis));
        let here = at.map(|at| [0, 1].map(|k| along.get(k).map_or(0.5, |field| field.value(at))));
        diagram(ui, &mut lands.of, axes, here);
        ui.weak(caption(&lands.along));
        let fault = fault.under("of");
        for (i, land) in lands.of.iter_mut().enumerate().skip(1) {
            let fault = fault.item(i).under("within");
            let help = "The climate that this land needs, as numbers";
            controls::section(ui, &land.name, ("land", i), false, help, |ui| {
                for (k, band) in land.within.iter_mut().enumerate() {
                    if let Some(field) = lands.along.get(k) {
                        ui.weak(capitalised(&title(field)));
                    }
                    ui.push_id(k, |ui| numbers(ui, band, fault.item(k)));
                }
            });
        }
    });
    document.edit(draft, Step::Gesture(gesture));
}

/// What the diagram has along its axes.
fn caption(along: &[Node]) -> String {
    let axes = ["Left to right", "bottom to top"].into_iter().zip(along);
    let axes: Vec<_> = axes.map(|(way, field)| format!("{way}: {}", title(field))).collect();
    format!("{}. The cross marks the camera.", axes.join(", "))
}

/// The lands at a position, the heaviest first, and the climate there.
fn here(ground: &GroundQuery, at: [f64; 2]) -> String {
    let lands = ground.lands();
    let weights = lands.weights(at);
    let named = lands.lands().iter().zip(weights).filter(|(_, weight)| *weight >= 0.005);
    let mut named: Vec<_> = named.collect();
    named.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let named = named.iter().map(|(land, weight)| format!("{} {:.0}%", land.name, 100.0 * weight));
    let named = named.collect::<Vec<_>>().join(", ");
    match ground.climate(at) {
        Ok(climate) => {
            let (temperature, moisture) = (climate.temperature, climate.moisture);
            let temperature = decimals(temperature.into(), 1);
            format!("Here: {named}; {temperature} °C, moisture {moisture:.2}")
        }
        Err(_) => format!("Here: {named}"),
    }
}

/// The range of a field that decides, a little less than what is proven, which is seldom reached.
fn axis(field: &orogeny::Tree<2>) -> Axis {
    let bounds = orogeny::Field::bounds(field);
    let (middle, half) = (0.5 * (bounds.min + bounds.max), 0.5 * (bounds.max - bounds.min));
    let half = (0.8 * half).max(1e-3);
    Axis { min: middle - half, max: middle + half }
}
