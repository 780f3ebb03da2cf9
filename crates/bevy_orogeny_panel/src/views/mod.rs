//! Debug views: other ways to draw the terrain.
//!
//! `materials` swaps the materials of terrains and chunks, which `debug.wgsl` draws. This module
//! works without the panel.

mod materials;

use bevy::asset::embedded_asset;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy_orogeny::advanced::TerrainMaterialPlugin;
use strum::{EnumIter, EnumMessage, EnumString, IntoEnumIterator, IntoStaticStr, VariantNames};

use materials::DebugMaterial;
pub use materials::level_color;

/// How the ground is drawn. [`FromStr`](core::str::FromStr) and
/// [`VARIANTS`](VariantNames::VARIANTS) use the variants' names in lower case.
#[derive(
    Resource,
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    EnumIter,
    EnumMessage,
    EnumString,
    IntoStaticStr,
    VariantNames,
)]
#[strum(serialize_all = "lowercase")]
#[repr(u32)]
pub enum DebugView {
    /// The terrain's own material.
    #[default]
    Ground,
    /// One colour for each level of detail.
    Levels,
    /// The borders of chunks, in the colours of their levels.
    Borders,
    /// The edges of the triangles, in the colours of their levels.
    Wireframe,
    /// The normals: red to the east (+x), green up, blue to the south (+z).
    Normals,
    /// How far chunks have morphed into the next coarser level: blue not at all, orange completely.
    /// Then that level replaces them.
    Morph,
    /// The error of each chunk, as seen from the camera: yellow is the allowed pixel error, blue is
    /// less, red is more.
    Error,
}

impl DebugView {
    /// The name, for the panel and for the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What it shows.
    pub fn help(self) -> String {
        crate::recipe::plain(self.get_documentation().unwrap_or_default())
    }

    /// The next view; after the last one, the ground.
    pub fn next(self) -> Self {
        Self::iter().find(|&view| view as u32 == self as u32 + 1).unwrap_or_default()
    }
}

/// Draws every terrain in the view that the resource [`DebugView`] names, whatever its material.
/// [`TerrainPanelPlugin`](crate::TerrainPanelPlugin) adds it; it also works without the panel.
#[derive(Default)]
pub struct DebugViewPlugin {
    /// The view to start with.
    pub view: DebugView,
}

impl Plugin for DebugViewPlugin {
    fn build(&self, app: &mut App) {
        embedded_asset!(app, "debug.wgsl");
        app.add_plugins((
            MaterialPlugin::<DebugMaterial>::default(),
            TerrainMaterialPlugin::<DebugMaterial>::geomorphing(),
        ))
        .insert_resource(self.view)
        .add_systems(Update, (materials::change, materials::color, materials::set_reaches).chain());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_cycle_and_have_names() {
        let mut view = DebugView::default();
        for name in DebugView::VARIANTS {
            assert_eq!(view.name(), *name);
            assert_eq!(name.parse(), Ok(view));
            assert!(view.help().len() > 10, "{name}");
            view = view.next();
        }
        assert_eq!(view, DebugView::Ground);
    }

    /// The shader identifies views by number.
    #[test]
    fn the_shader_has_the_same_numbers() {
        let shader = include_str!("debug.wgsl");
        for (name, view) in [
            ("BORDERS", DebugView::Borders),
            ("NORMALS", DebugView::Normals),
            ("MORPH", DebugView::Morph),
            ("ERROR", DebugView::Error),
        ] {
            assert!(shader.contains(&format!("const {name}: u32 = {}u;", view as u32)), "{name}");
        }
    }
}
