//! Other ways to look at the terrain.

mod dress;
mod freeze;
mod material;

use bevy::asset::embedded_asset;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy_orogeny::TerrainMaterialPlugin;
use strum::{EnumIter, EnumMessage, EnumString, IntoEnumIterator, IntoStaticStr, VariantNames};

pub use dress::level_color;
pub use freeze::{Freeze, Frozen};
use material::DebugMaterial;

/// What the ground is drawn as. The names are those of [`FromStr`](core::str::FromStr) and of
/// [`VARIANTS`](VariantNames::VARIANTS).
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
    /// The ground in its own material.
    #[default]
    Ground,
    /// Each level of detail in a colour of its own.
    Levels,
    /// The borders of chunks, in the colours of their levels.
    Borders,
    /// The edges of the triangles, in the colours of their levels.
    Wireframe,
    /// The normals: red to the east (+x), green up, blue to the south (+z).
    Normals,
    /// How far chunks have turned into the next coarser level: blue not at all, orange wholly,
    /// after which that level replaces them.
    Morph,
    /// The measured error of the level as it is seen from the camera: yellow is the pixel error
    /// that is allowed, blue less, red more.
    Error,
}

impl DebugView {
    /// The name, for people and for the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What it shows.
    pub fn help(self) -> String {
        crate::recipe::plain(self.get_documentation().unwrap_or_default())
    }

    /// The one after it; after the last one the ground.
    pub fn next(self) -> Self {
        Self::iter().find(|&view| view as u32 == self as u32 + 1).unwrap_or_default()
    }
}

/// Draws the terrain as the resource [`DebugView`] says.
/// [`TerrainPanelPlugin`](crate::TerrainPanelPlugin) adds it; alone it works without a panel, too.
#[derive(Default)]
pub struct DebugViewPlugin {
    /// What is drawn at first.
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
        .init_resource::<dress::Wardrobe>()
        .add_systems(Update, (dress::change, dress::color, dress::measure).chain());
    }
}

/// Adds what freezes the viewer.
pub fn build_freeze(app: &mut App) {
    app.init_resource::<Freeze>().add_systems(Update, freeze::follow);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_come_round_and_have_names() {
        let mut view = DebugView::default();
        for name in DebugView::VARIANTS {
            assert_eq!(view.name(), *name);
            assert_eq!(name.parse(), Ok(view));
            assert!(view.help().len() > 10, "{name}");
            view = view.next();
        }
        assert_eq!(view, DebugView::Ground);
    }

    /// The shader knows views by their numbers.
    #[test]
    fn the_shader_counts_as_the_list_does() {
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
