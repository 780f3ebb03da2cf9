// The README's links are files beside it. Here they are what these lines say: of several
// definitions of a link the first wins.
#![cfg_attr(doc, doc = concat!(
    "[panel]: ", env!("CARGO_PKG_REPOSITORY"), "/raw/v", env!("CARGO_PKG_VERSION"),
    "/crates/bevy_orogeny_panel/pictures/panel.png\n",
))]
#![doc = include_str!("../README.md")]

mod controls;
mod document;
mod editing;
mod map;
mod plugin;
mod recipe;
mod tabs;
#[cfg(test)]
mod tests;
mod tools;
mod viewer;
mod views;
mod window;
mod worker;

pub use bevy_egui::egui;
pub use editing::history::PanelStep;
pub use plugin::TerrainPanelPlugin;
pub use views::{DebugView, DebugViewPlugin};
pub use window::keys::{KeyLabels, PanelKeys, Shortcuts};
pub use window::{PanelMessage, TerrainPanel, TerrainPanelApp};

// For the example `fly`, and for tests.
#[doc(hidden)]
pub use recipe::typed::reader;
#[doc(hidden)]
pub use strum::VariantNames;
#[doc(hidden)]
pub use tools::{Tool, Tools};
#[doc(hidden)]
pub use viewer::{Freeze, Frozen};
#[doc(hidden)]
pub use window::PanelTabs;
