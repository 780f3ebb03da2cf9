//! Brushes: strokes of dabs that edit the ground under the pointer, independent of the frame rate.

use bevy::prelude::*;
use bevy_orogeny::{GroundEditor, TerrainEditor};
use orogeny::edits::{Area, Clear, Disc, Flatten, Paint, Roughen};

use super::cursor::Cursor;
use super::{Tool, Tools};
use crate::editing::Editing;
use crate::window::PanelMessage;

/// The falloff of cleared ground in metres. Plants stand or do not, so its edge is sharp.
const SHARP_EDGE: f64 = 0.01;

/// The distance between dabs, in radii of the brush.
const SPACING: f64 = 1.0 / 3.0;
/// The maximum number of dabs of one movement. A pointer that jumps farther draws no line.
const MAX: f64 = 256.0;

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
        message.failed("The ground was not changed", &error);
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

/// A stroke of a brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// The height of the ground where it began, in metres.
    pub height: f64,
    /// The last dab (x, z), in metres.
    last: [f64; 2],
}

impl Stroke {
    /// A stroke whose first dab is at (x, height, z).
    pub fn from([x, height, z]: [f64; 3]) -> Self {
        Self { height, last: [x, z] }
    }

    /// The dabs on the way to a place: on a straight line from the last dab, evenly spaced. What is
    /// left of the way belongs to the next movement.
    pub fn dabs(&mut self, to: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
        let [x, z] = [0, 1].map(|k| to[k] - self.last[k]);
        let (length, spacing) = (x.hypot(z), SPACING * radius);
        let count = (length / spacing).floor();
        if count > MAX {
            self.last = to;
            return vec![to];
        }
        let from = self.last;
        let dab = |i: u32| {
            let part = f64::from(i) * spacing / length;
            [from[0] + part * x, from[1] + part * z]
        };
        let dabs: Vec<_> = (1..=count as u32).map(dab).collect();
        self.last = dabs.last().copied().unwrap_or(self.last);
        dabs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dabs_do_not_depend_on_the_frame_rate() {
        // Along a line, in few and in many movements.
        let draw = |frames: u32| {
            let mut stroke = Stroke::from([2.0, 0.0, 3.0]);
            let at = |t: f64| [2.0 + 60.0 * t, 3.0 + 45.0 * t];
            let dabs =
                (1..=frames).flat_map(|i| stroke.dabs(at(f64::from(i) / f64::from(frames)), 6.0));
            dabs.collect::<Vec<_>>()
        };
        let few = draw(2);
        assert_eq!(few.len(), 37);
        for frames in [1, 7, 60, 997] {
            let many = draw(frames);
            assert_eq!(many.len(), few.len(), "{frames}");
            for (a, b) in few.iter().zip(&many) {
                assert!((0..2).all(|k| (a[k] - b[k]).abs() < 1e-9), "{frames}: {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn a_jump_is_one_dab() {
        let mut stroke = Stroke::from([0.0; 3]);
        assert!(stroke.dabs([0.0; 2], 1.0).is_empty());
        assert_eq!(stroke.dabs([1e6, 1e6], 1.0), [[1e6, 1e6]]);
        assert_eq!(stroke.dabs([1e6 + 1.0, 1e6], 1.0).len(), 3);
    }
}
