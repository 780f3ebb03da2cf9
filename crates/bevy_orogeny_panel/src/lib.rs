#![doc = include_str!("../README.md")]

mod document;
mod editing;
mod plugin;
mod preview;
mod recipe;
mod tabs;
#[cfg(test)]
mod tests;
mod viewer;
mod views;
mod window;

pub use bevy_egui::egui;
pub use plugin::TerrainPanelPlugin;
pub use strum::VariantNames;
pub use viewer::freeze::{Freeze, Frozen};
pub use views::{DebugView, DebugViewPlugin};
pub use window::keys::PanelKeys;
pub use window::{TerrainPanel, TerrainPanelApp};
