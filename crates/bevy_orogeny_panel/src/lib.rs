#![doc = include_str!("../README.md")]

mod document;
mod draft;
mod editing;
mod fault;
mod history;
mod keys;
mod layers;
mod marks;
mod message;
mod panel;
mod plugin;
mod presets;
mod preview;
mod recipe;
mod screenshot;
mod tabs;
mod teleport;
#[cfg(test)]
mod tests;
mod views;

pub use bevy_egui::egui;
pub use keys::PanelKeys;
pub use panel::{TerrainPanel, TerrainPanelApp};
pub use plugin::TerrainPanelPlugin;
pub use strum::VariantNames;
pub use views::{DebugView, DebugViewPlugin, Freeze, Frozen};
