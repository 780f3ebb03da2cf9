//! Stamps the user's own image onto the ground.

use std::path::Path;

use bevy::prelude::*;
use bevy_orogeny::{TerrainEditor, TerrainOrigin, TerrainQuery};
use image::imageops::FilterType;
use orogeny::edits::{Blend, Raster};

use super::cursor::Cursor;
use super::{Tool, Tools};
use crate::editing::Editing;
use crate::recipe::labels::told_by;
use crate::tools::lines::ToolLines;
use crate::window::message::PanelMessage;

/// The maximum side of a raster, in samples. Larger images are made smaller.
const SIDE: u32 = 4097;
/// How far the outline is above the ground, in metres.
const ABOVE: f64 = 0.5;

/// The raster of an image file, black 0 and white 1, and what there is to say about it.
///
/// # Errors
/// A message with the file's name: it cannot be read, or is no image, or too small.
pub fn read(file: &Path) -> Result<(Raster, String), String> {
    let wrong = |problem: String| format!("{}: {problem}", file.display());
    let image = image::open(file).map_err(|error| wrong(error.to_string()))?;
    let size = [image.width(), image.height()];
    let is_large = size.iter().any(|side| *side > SIDE);
    let image =
        if is_large { image.resize(SIDE, SIDE, FilterType::Triangle) } else { image }.to_luma16();
    let raster = Raster::from_gray(image.width(), &image).map_err(|e| wrong(e.to_string()))?;
    let [width, height] = size;
    let now = format!("resized to {} x {}", image.width(), image.height());
    let scaled = if is_large { now } else { "one sample per pixel".into() };
    Ok((raster, format!("{}: {width} x {height} pixels, {scaled}", file.display())))
}

/// Stamps the ground at each click.
pub fn place(
    buttons: Res<ButtonInput<MouseButton>>,
    cursor: Res<Cursor>,
    editing: Res<Editing>,
    tools: Res<Tools>,
    mut editor: TerrainEditor,
    mut message: ResMut<PanelMessage>,
) {
    if tools.tool != Some(Tool::Stamp) || !buttons.just_pressed(MouseButton::Left) {
        return;
    }
    let (Some([x, height, z]), Some(terrain)) = (cursor.0, editing.terrain()) else { return };
    let mut place = || -> Result {
        let mut ground = editor.get(terrain)?;
        let mut stamp = tools.stamp.clone();
        stamp.center = ground.local([x, z]);
        if stamp.blend != Blend::Add {
            // These count heights from the ground under the pointer.
            stamp.level += (height - ground.offset()[1]) as f32;
        }
        ground.add(stamp)?;
        Ok(())
    };
    if let Err(error) = place() {
        message.say(format!("The ground was not changed. {}", told_by(&error)));
    }
}

/// Draws the outline of the stamp under the pointer.
pub fn draw(
    tools: Res<Tools>,
    cursor: Res<Cursor>,
    editing: Res<Editing>,
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    mut gizmos: Gizmos<ToolLines>,
) {
    let (Some(Tool::Stamp), Some([x, height, z])) = (tools.tool, cursor.0) else { return };
    let Some(Ok(ground)) = editing.terrain().map(|terrain| terrains.get(terrain)) else { return };
    let stamp = &tools.stamp;
    let [length, width] = stamp.raster.size().map(|count| 0.5 * (count as f64 - 1.0) * stamp.cell);
    let (sin, cos) = stamp.angle.to_radians().sin_cos();
    let corner = |[u, v]: [f64; 2]| {
        let at = [x + cos * u * length - sin * v * width, z + sin * u * length + cos * v * width];
        let height = ground.field(at).map_or(height, |sample| sample.value.into());
        origin.translation([at[0], height + ABOVE, at[1]])
    };
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]];
    gizmos.linestrip(corners.map(corner), Color::srgb(1.0, 0.85, 0.2));
}
