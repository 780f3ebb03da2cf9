//! Lays out a path: a click for each point, then it is built as one edit.

use bevy::prelude::*;
use bevy_orogeny::{TerrainEditor, TerrainOrigin};
use orogeny::edits::Path;
use strum::{EnumMessage, IntoStaticStr, VariantArray};

use super::cursor::Cursor;
use super::{COLOR, EDGE_COLOR, Tool, ToolLines, Tools};
use crate::editing::Editing;
use crate::window::PanelMessage;

/// The pieces of a drawn curve between two points, and how far it is above the path in metres.
const PIECES: u32 = 12;
const ABOVE: f64 = 0.3;

/// A cross-section to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumMessage, IntoStaticStr, VariantArray)]
pub enum Section {
    /// A road 7 m wide, with banks.
    Road,
    /// A dam with a narrow crest and wide banks. Lift its points above the ground.
    Dam,
    /// A canal with a wide bed, 3 m deep.
    Canal,
    /// A ditch with a narrow bed, 1 m deep.
    Ditch,
}

impl Section {
    /// A path with this cross-section.
    pub fn path(self) -> Path {
        let (width, falloff, depth) = match self {
            Self::Road => (7.0, 10.0, 0.0),
            Self::Dam => (4.0, 15.0, 0.0),
            Self::Canal => (14.0, 6.0, 3.0),
            Self::Ditch => (2.0, 1.5, 1.0),
        };
        Path { width, falloff, depth, ..Path::default() }
    }
}

/// Adds a point for each click, and builds the path when the user asks for it.
pub fn lay(
    buttons: Res<ButtonInput<MouseButton>>,
    cursor: Res<Cursor>,
    editing: Res<Editing>,
    mut tools: ResMut<Tools>,
    mut editor: TerrainEditor,
    mut message: ResMut<PanelMessage>,
) {
    let is_click = tools.tool == Some(Tool::Path) && buttons.just_pressed(MouseButton::Left);
    if is_click && let Some([x, height, z]) = cursor.0 {
        let height = height + tools.lift;
        tools.path.points.push([x, z, height]);
    }
    if !tools.build {
        return;
    }
    tools.build = false;
    let Some(terrain) = editing.terrain() else { return };
    let mut build = || -> Result {
        let mut ground = editor.get(terrain)?;
        let below = ground.offset()[1];
        let mut path = tools.path.clone();
        for [x, z, height] in &mut path.points {
            [*x, *z] = ground.local([*x, *z]);
            *height -= below;
        }
        ground.add(path)?;
        Ok(())
    };
    match build() {
        Ok(()) => tools.path.points.clear(),
        Err(error) => message.failed("The path was not built", &error),
    }
}

/// Draws the path: its curve and its edges, or straight lines where it cannot be built.
pub fn draw(tools: Res<Tools>, origin: Res<TerrainOrigin>, mut gizmos: Gizmos<ToolLines>) {
    let path = &tools.path;
    if tools.tool != Some(Tool::Path) || path.points.is_empty() {
        return;
    }
    let point = |&[x, z, height]: &[f64; 3]| origin.translation([x, height + ABOVE, z]);
    for place in &path.points {
        gizmos.sphere(point(place), 0.15 * path.width as f32, COLOR);
    }
    let half = 0.5 * path.width;
    for (offset, color) in [(0.0, COLOR), (half, EDGE_COLOR), (-half, EDGE_COLOR)] {
        match path.line(offset, PIECES) {
            Ok(line) => gizmos.linestrip(line.iter().map(point), color),
            Err(_) => gizmos.linestrip(path.points.iter().map(point), Color::srgb(1.0, 0.2, 0.2)),
        }
    }
}
