//! The edit that is selected in the list: its outline, and the handles that move it, its centre or
//! the points of its path.

use bevy::prelude::*;
use bevy_orogeny::{TerrainEditor, TerrainEdits, TerrainQuery};
use orogeny::Region;
use orogeny::edits::{Edit, EditId, EditLog, State};

use super::cursor::Cursor;
use super::{Tool, ToolLines, Tools, on_ground};
use crate::editing::Editing;
use crate::window::PanelMessage;

/// The number of points along each side of a region that is drawn.
const POINTS: u32 = 32;
/// How far the outline is above the ground, in metres.
const ABOVE: f64 = 0.5;
/// The size of handles, in radii of the tool.
const SIZE: f64 = 0.1;
const COLOR: Color = Color::srgb(0.3, 0.8, 1.0);

/// The edit that is selected in the list.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selected(pub Option<EditId>);

/// The region of an edit, shown or hidden.
pub fn region(log: &EditLog, id: EditId) -> Option<Region> {
    log.region(id).or_else(|| log.get(id)?.edit()?.region().ok())
}

/// Draws the region of the selected edit on the ground, and its handles while it can be moved.
pub fn draw(
    selected: Res<Selected>,
    tools: Res<Tools>,
    editing: Res<Editing>,
    edits: Query<&TerrainEdits>,
    terrains: TerrainQuery,
    mut gizmos: Gizmos<ToolLines>,
) {
    let found = || {
        let log = &edits.get(editing.terrain()?).ok()?.log;
        Some((selected.0?, log, editing.ground_of(&terrains)?))
    };
    let Some((id, log, ground)) = found() else { return };
    // Edits are relative to the terrain's origin.
    let [ox, oy, oz] = ground.offset();
    let place = |[x, z]: [f64; 2], above| on_ground(&ground, [x + ox, z + oz], oy, above);
    if let Some(region) = region(log, id) {
        gizmos.linestrip(border(&region).map(|at| place(at, ABOVE)), COLOR);
    }
    let edit = log.get(id).and_then(State::edit).filter(|_| tools.tool == Some(Tool::Move));
    for at in edit.map(Edit::positions).unwrap_or_default() {
        gizmos.sphere(place(at, 0.0), (SIZE * tools.radius) as f32, COLOR);
    }
}

/// Points around a region. The last one is the first one again.
fn border(region: &Region) -> impl Iterator<Item = [f64; 2]> {
    let Region { min: [x0, z0], max: [x1, z1] } = *region;
    let corners = [[x0, z0], [x1, z0], [x1, z1], [x0, z1], [x0, z0]];
    (0..=4 * POINTS).map(move |i| {
        let (side, part) = ((i / POINTS).min(3), f64::from(i) / f64::from(POINTS));
        let part = part - f64::from(side);
        let (a, b) = (corners[side as usize], corners[side as usize + 1]);
        [0, 1].map(|k| a[k] + part * (b[k] - a[k]))
    })
}

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
        message.failed("The edit was not moved", &error);
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
