//! The tab Tools: what the mouse does to the ground.

use bevy::prelude::*;
use bevy_egui::egui::{ComboBox, Ui};
use bevy_orogeny::TerrainQuery;
use orogeny::Cover;
use orogeny::edits::{Blend, Edit, Path, Plant};
use orogeny::limits::Number;
use orogeny::scatter::{KindId, Scatter};
use strum::{IntoEnumIterator, VariantArray};

use crate::controls;
use crate::editing::Editing;
use crate::recipe::typed::decimals;
use crate::recipe::{Fault, choose, explain, help, name, number, numbers, row, wrong};
use crate::tabs::plant_kind::title;
use crate::tabs::terrain::undo_and_redo;
use crate::tools::clicks::{planted, read};
use crate::tools::course::Section;
use crate::tools::{FALLOFF, LIFT, OPACITY, RADIUS, STRENGTH, Tool, Tools};
use crate::window::keys::PanelKeys;

const NONE: Fault<'static> = Fault::NONE;

/// The hover text of how a stamp is combined with the ground.
pub const BLEND: &str = "How the stamp and the ground are combined";

/// The image file of the stamp, and what reading it gave: a description or an error.
#[derive(Default)]
pub struct ImageFile {
    name: String,
    outcome: Option<Result<String, String>>,
}

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut tools: ResMut<Tools>,
    mut editing: ResMut<Editing>,
    keys: Res<PanelKeys>,
    terrains: TerrainQuery,
    mut image: Local<ImageFile>,
) {
    let ui = &mut *ui;
    ui.horizontal(|ui| undo_and_redo(ui, &mut editing, &keys));
    ui.horizontal_wrapped(|ui| {
        let about = "No tool: the game gets the mouse";
        if controls::option(ui, tools.tool.is_none(), "None", about) {
            tools.tool = None;
        }
        for &tool in Tool::VARIANTS {
            if controls::option(ui, tools.tool == Some(tool), name(&tool), &help(&tool)) {
                tools.tool = Some(tool);
            }
        }
    });
    let Some(tool) = tools.tool else {
        ui.label("Choose a tool, then click or drag on the ground with the left mouse button.");
        return;
    };
    let mut edited = tools.clone();
    let ground = editing.ground_of(&terrains);
    let appearance = ground.as_ref().map(|ground| ground.query().appearance());
    let scatter = appearance.map(|appearance| &appearance.scatter);
    match tool {
        Tool::Path => path(ui, &mut edited),
        Tool::Stamp => stamp(ui, &mut edited, &mut image),
        Tool::Plant => plant(ui, scatter, &mut edited.plant),
        _ => number(ui, &RADIUS, Number::F64(&mut edited.radius), NONE),
    }
    if tool.has_falloff() {
        number(ui, &FALLOFF, Number::F64(&mut edited.falloff), NONE);
    }
    if tool.has_strength() {
        number(ui, &STRENGTH, Number::F64(&mut edited.strength), NONE);
    }
    if tool == Tool::Paint {
        layer(ui, appearance.map(|appearance| &appearance.cover), &mut edited.layer);
        number(ui, &OPACITY, Number::F64(&mut edited.opacity), NONE);
    }
    if matches!(tool, Tool::Clear | Tool::Fell) {
        kind(ui, scatter, &mut edited.kind, true);
    }
    tools.set_if_neq(edited);
    ui.label(help(&tool));
}

/// A combo box of the layers of cover.
pub fn layer(ui: &mut Ui, cover: Option<&Cover>, layer: &mut u32) {
    let title = |i: u32| {
        let layer = cover.and_then(|cover| cover.layers.get(i as usize));
        layer.map_or_else(|| format!("{i}"), |layer| format!("{i}: {}", layer.kind.name()))
    };
    let count = cover.map_or(0, |cover| cover.layers.len() as u32);
    let about = "The layer of cover to paint, counted from the bottom";
    row(ui, "Layer", about, NONE, |ui, about| {
        let combo = ComboBox::from_id_salt("layer").selected_text(title(*layer));
        controls::combo(ui, combo, about, |ui| {
            for i in 0..count {
                if controls::option(ui, *layer == i, title(i), "Paint this layer") {
                    *layer = i;
                }
            }
        });
    });
}

/// A combo box of the kinds of plants and rocks, and of all of them together, if that is a choice.
pub fn kind(ui: &mut Ui, scatter: Option<&Scatter>, kind: &mut Option<KindId>, has_all: bool) {
    let kinds = scatter.map_or(&[][..], |scatter| &scatter.kinds);
    let chosen = kinds.iter().find(|own| Some(own.id()) == *kind);
    let text = match (chosen, *kind) {
        (Some(chosen), _) => title(chosen),
        (None, Some(id)) => format!("Unknown, seed {id}"),
        (None, None) => "All kinds".into(),
    };
    row(ui, "Kind", "The kind of plants or rocks", NONE, |ui, about| {
        let combo = ComboBox::from_id_salt("kind").selected_text(text);
        controls::combo(ui, combo, about, |ui| {
            if has_all && controls::option(ui, kind.is_none(), "All kinds", "Plants and rocks") {
                *kind = None;
            }
            for own in kinds {
                let (is, id) = (*kind == Some(own.id()), own.id());
                if controls::option(ui, is, title(own), &help(&own.model)) {
                    *kind = Some(id);
                }
            }
        });
    });
}

/// The kind, the size and the turn of what is planted.
pub fn plant(ui: &mut Ui, scatter: Option<&Scatter>, plant: &mut Plant) {
    let Some(first) = scatter.and_then(|scatter| planted(scatter, plant)) else {
        ui.label("There is no kind to plant. Add one in the Plants tab.");
        return;
    };
    let mut chosen = Some(first);
    kind(ui, scatter, &mut chosen, false);
    plant.kind = chosen.unwrap_or(first);
    numbers(ui, plant, NONE);
}

/// The image of the stamp, and its numbers.
fn stamp(ui: &mut Ui, tools: &mut Tools, image: &mut ImageFile) {
    let about = "The path of a PNG file. White is high, black is low";
    row(ui, "Image", about, NONE, |ui, about| controls::text_field(ui, &mut image.name, about));
    let about = "Load this image as the shape of the stamp";
    if controls::button_if(ui, !image.name.trim().is_empty(), "Load", about) {
        image.outcome = Some(read(image.name.trim().as_ref()).map(|(raster, description)| {
            tools.stamp.raster = raster;
            description
        }));
    }
    match &image.outcome {
        Some(Ok(description)) => drop(ui.label(description)),
        Some(Err(error)) => wrong(ui, error),
        None => drop(ui.label("Without an image, the stamp is a bump.")),
    }
    let [length, width] =
        tools.stamp.raster.size().map(|count| (count as f64 - 1.0) * tools.stamp.cell);
    let [length, width] = [length, width].map(|side| decimals(side, 1));
    ui.label(format!("Size: {length} m x {width} m"));
    choose(ui, "Blend", BLEND, NONE, &mut tools.stamp.blend, Blend::iter());
    let error = Edit::from(tools.stamp.clone()).check().err();
    let fault = Fault::new(error.as_ref()).under("Stamp");
    numbers(ui, &mut tools.stamp, fault);
}

/// The cross-section of a path, and what to do with its points.
fn path(ui: &mut Ui, tools: &mut Tools) {
    ui.horizontal_wrapped(|ui| {
        for section in Section::VARIANTS {
            if controls::button(ui, name(section), &help(section)) {
                let points = core::mem::take(&mut tools.path.points);
                tools.path = Path { points, ..section.path() };
            }
        }
    });
    let count = tools.path.points.len();
    let error = (count > 1).then(|| Edit::from(tools.path.clone()).check().err()).flatten();
    let fault = Fault::new(error.as_ref()).under("Path");
    numbers(ui, &mut tools.path, fault);
    number(ui, &LIFT, Number::F64(&mut tools.lift), NONE);
    explain(ui, fault.under("points"));
    ui.horizontal(|ui| {
        let can_build = count > 1 && error.is_none();
        let about = "Build the path as one edit. It needs at least two points";
        tools.build |= controls::button_if(ui, can_build, "Build", about);
        if controls::button_if(ui, count > 0, "Remove last point", "Remove the newest point") {
            tools.path.points.pop();
        }
        if controls::button_if(ui, count > 0, "Remove all", "Remove all points and start again") {
            tools.path.points.clear();
        }
    });
    ui.label(format!("{count} {}", if count == 1 { "point" } else { "points" }));
}
