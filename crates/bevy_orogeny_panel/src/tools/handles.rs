//! Moves the selected edit by its handles: its centre, or the points of its path.

use bevy::prelude::*;
use bevy_orogeny::{TerrainEditor, TerrainEdits, TerrainOrigin, TerrainQuery};
use orogeny::edits::{Edit, State};

use super::cursor::Cursor;
use super::selected::Selected;
use super::{Tool, Tools};
use crate::editing::Editing;
use crate::recipe::labels::told_by;
use crate::tools::lines::ToolLines;
use crate::window::message::PanelMessage;

/// The size of handles, in radii of the tool.
const SIZE: f64 = 0.1;

/// A handle in the user's hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// The number of the stroke.
    pub stroke: u64,
    /// The index of the handle.
    handle: usize,
    /// The handle's position minus the pointer's, in metres.
    offset: [f64; 2],
}

/// Drags a handle while the left button is held. The edit stays where it was last possible.
pub fn drag(
    buttons: Res<ButtonInput<MouseButton>>,
    cursor: Res<Cursor>,
    editing: Res<Editing>,
    selected: Res<Selected>,
    mut tools: ResMut<Tools>,
    mut editor: TerrainEditor,
    mut message: ResMut<PanelMessage>,
) {
    let is_new = buttons.just_pressed(MouseButton::Left);
    let is_held = is_new || buttons.pressed(MouseButton::Left);
    if tools.tool != Some(Tool::Move) || !is_held {
        tools.moving = None;
        return;
    }
    let (Some([x, _, z]), Some(id), Some(terrain)) = (cursor.0, selected.0, editing.terrain())
    else {
        return;
    };
    let mut drag = || -> Result {
        let mut ground = editor.get(terrain)?;
        let place = ground.local([x, z]);
        let Some(state) = ground.log().get(id).cloned() else { return Ok(()) };
        let Some(mut edit) = state.edit().cloned() else { return Ok(()) };
        if is_new {
            let stroke = tools.next_stroke();
            let grip = nearest(&edit, place, tools.radius);
            tools.moving = grip.map(|(handle, offset)| Grip { stroke, handle, offset });
        }
        let Some(Grip { handle, offset, .. }) = tools.moving else { return Ok(()) };
        if let Some([x, z]) = edit.positions_mut().into_iter().nth(handle) {
            [*x, *z] = [place[0] + offset[0], place[1] + offset[1]];
        }
        if Some(&edit) != state.edit() {
            ground.set(id, with_edit(&state, edit))?;
        }
        Ok(())
    };
    if let Err(error) = drag() {
        message.say(format!("The edit was not moved. {}", told_by(&error)));
    }
}

/// A state with another edit: shown if it was shown, and hidden if it was hidden.
pub fn with_edit(state: &State, edit: Edit) -> State {
    match state {
        State::Hidden(_) => State::Hidden(edit),
        State::Shown(_) | State::Removed => State::Shown(edit),
    }
}

/// The handle nearest to a place, and its offset from there, if it is within a distance.
fn nearest(edit: &Edit, place: [f64; 2], distance: f64) -> Option<(usize, [f64; 2])> {
    let length = |[x, z]: [f64; 2]| x.hypot(z);
    let handles = edit.positions().into_iter().enumerate();
    let offsets = handles.map(|(i, [x, z])| (i, [x - place[0], z - place[1]]));
    let near = offsets.filter(|(_, offset)| length(*offset) <= distance);
    near.min_by(|(_, a), (_, b)| length(*a).total_cmp(&length(*b)))
}

/// Draws the handles of the selected edit.
pub fn draw(
    tools: Res<Tools>,
    selected: Res<Selected>,
    editing: Res<Editing>,
    edits: Query<&TerrainEdits>,
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    mut gizmos: Gizmos<ToolLines>,
) {
    if tools.tool != Some(Tool::Move) {
        return;
    }
    let places = || {
        let terrain = editing.terrain()?;
        let edit = edits.get(terrain).ok()?.log.get(selected.0?)?.edit()?;
        let ground = terrains.get(terrain).ok()?;
        let [ox, oy, oz] = ground.offset();
        let place = |[x, z]: [f64; 2]| {
            let at = [x + ox, z + oz];
            let height = ground.field(at).map_or(oy, |sample| sample.value.into());
            origin.translation([at[0], height, at[1]])
        };
        Some(edit.positions().into_iter().map(place).collect::<Vec<_>>())
    };
    for place in places().unwrap_or_default() {
        let size = (SIZE * tools.radius) as f32;
        gizmos.sphere(place, size, Color::srgb(0.3, 0.8, 1.0));
    }
}
