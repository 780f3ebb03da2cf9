//! The tab Tools: what the mouse does to the ground.

use bevy::prelude::*;
use bevy_egui::egui::Ui;
use orogeny::limits::Number;
use strum::{EnumMessage, VariantArray};

use crate::editing::Editing;
use crate::recipe::fault::Fault;
use crate::recipe::number;
use crate::tabs::files::undo_and_redo;
use crate::tools::{FALLOFF, RADIUS, STRENGTH, Tool, Tools};
use crate::window::keys::PanelKeys;

const NONE: Fault<'static> = Fault::NONE;

/// Draws the tab.
pub fn show(
    mut ui: InMut<Ui>,
    mut tools: ResMut<Tools>,
    mut editing: ResMut<Editing>,
    keys: Res<PanelKeys>,
) {
    let ui = &mut *ui;
    ui.horizontal(|ui| undo_and_redo(ui, &mut editing, &keys));
    ui.horizontal_wrapped(|ui| {
        let none = ui.selectable_label(tools.tool.is_none(), "None");
        if none.on_hover_text("The mouse is the game's").clicked() {
            tools.tool = None;
        }
        for &tool in Tool::VARIANTS {
            let name: &str = tool.into();
            let help = tool.get_documentation().unwrap_or_default();
            if ui.selectable_label(tools.tool == Some(tool), name).on_hover_text(help).clicked() {
                tools.tool = Some(tool);
            }
        }
    });
    let Some(tool) = tools.tool else {
        ui.label("Choose a tool, then click or drag on the ground with the left mouse button.");
        return;
    };
    let mut edited = tools.clone();
    number(ui, &RADIUS, Number::F64(&mut edited.radius), NONE);
    if tool.is_brush() {
        number(ui, &FALLOFF, Number::F64(&mut edited.falloff), NONE);
    }
    if tool.has_strength() {
        number(ui, &STRENGTH, Number::F64(&mut edited.strength), NONE);
    }
    tools.set_if_neq(edited);
    ui.label(tool.get_documentation().unwrap_or_default());
}
