//! Edits the ground under the pointer.

use bevy::prelude::*;
use bevy_orogeny::{GroundEditor, TerrainEditor};
use orogeny::edits::{Area, Clear, Disc, Flatten, Paint, Roughen};

use super::cursor::Cursor;
use super::stroke::Stroke;
use super::{Tool, Tools};
use crate::editing::Editing;
use crate::recipe::labels::told_by;
use crate::window::message::PanelMessage;

/// The falloff of cleared ground in metres. Plants stand or do not, so its edge is sharp.
const SHARP_EDGE: f64 = 0.01;

/// Draws strokes while the left button is held.
pub fn draw(
    buttons: Res<ButtonInput<MouseButton>>,
    cursor: Res<Cursor>,
    editing: Res<Editing>,
    mut tools: ResMut<Tools>,
    mut editor: TerrainEditor,
    mut message: ResMut<PanelMessage>,
) {
    let tools = &mut *tools;
    let tool = tools.tool.filter(|tool| !tool.has_own_clicks());
    let (Some(tool), Some(terrain)) = (tool, editing.terrain()) else {
        tools.drawing = None;
        return;
    };
    // A click may begin and end within a frame.
    let is_new = buttons.just_pressed(MouseButton::Left);
    if !is_new && !buttons.pressed(MouseButton::Left) {
        tools.drawing = None;
        return;
    }
    let Some([x, height, z]) = cursor.0 else { return };
    let dabs = if is_new {
        tools.drawing = Some((tools.next_stroke(), Stroke::from([x, height, z])));
        vec![[x, z]]
    } else {
        match &mut tools.drawing {
            Some((_, stroke)) if tool.is_brush() => stroke.dabs([x, z], tools.radius),
            // The button was pressed elsewhere, or clicks count.
            _ => return,
        }
    };
    let Some((_, stroke)) = tools.drawing else { return };
    let mut draw = || -> Result {
        let mut ground = editor.get(terrain)?;
        dabs.iter().try_for_each(|&dab| put(&mut ground, tools, tool, stroke.height, dab))
    };
    if let Err(error) = draw() {
        message.say(format!("The ground was not changed. {}", told_by(&error)));
    }
}

/// Puts one dab at (x, z) in the world. `height` is that of the ground where the stroke began, in
/// the world.
fn put(ground: &mut GroundEditor, tools: &Tools, tool: Tool, height: f64, at: [f64; 2]) -> Result {
    let Tools { radius, falloff, strength, .. } = *tools;
    let center = ground.local(at);
    let area = Area::Disc(Disc { center, radius, falloff });
    match tool {
        Tool::Raise => ground.raise(at, radius, falloff, strength as f32)?,
        Tool::Lower => ground.raise(at, radius, falloff, -strength as f32)?,
        Tool::Flatten => {
            let height = (height - ground.offset()[1]) as f32;
            ground.add(Flatten { area, height, ..Flatten::default() })?
        }
        Tool::Smooth => ground.smooth(at, radius, falloff, 2.0 * radius)?,
        Tool::Roughen => {
            let (amplitude, wavelength) = (strength as f32, radius);
            ground.add(Roughen { area, amplitude, wavelength, ..Roughen::default() })?
        }
        Tool::Paint => {
            let strength = tools.opacity as f32;
            ground.add(Paint { area, layer: tools.layer, strength })?
        }
        Tool::Crater => ground.crater(at, radius)?,
        Tool::Hole => ground.hole(at, radius)?,
        Tool::Flood => ground.flood(at, radius, height + strength)?,
        Tool::Clear => {
            let disc = Disc { center, radius, falloff: SHARP_EDGE };
            ground.add(Clear { area: Area::Disc(disc), kind: tools.kind })?
        }
        // They have systems of their own.
        Tool::Fell | Tool::Plant | Tool::Stamp | Tool::Path | Tool::Move => return Ok(()),
    };
    Ok(())
}
