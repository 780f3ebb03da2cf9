//! The history of edits of the ground: collects what this machine changes, and undoes it.

use bevy::prelude::*;
use bevy_orogeny::{EditApplied, EditAuthor, GroundEditor, TerrainEditor};

use super::Editing;
use super::ground_steps::{GroundStep, Way};
use crate::recipe::labels::told_by;
use crate::tools::Tools;
use crate::window::message::PanelMessage;

/// A step of the panel's history that the game asks for. It may be a change of the recipe or of the
/// ground.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelStep {
    /// Undoes the last step.
    Undo,
    /// Redoes what was undone last.
    Redo,
}

/// Notes every change that this machine makes to the edited terrain, with whatever tool.
pub fn collect(
    mut edits: MessageReader<EditApplied>,
    mut editing: ResMut<Editing>,
    author: Res<EditAuthor>,
    tools: Res<Tools>,
) {
    let editing = &mut *editing;
    for EditApplied { terrain, applied } in edits.read() {
        let is_own = applied.change.time.author == author.0;
        if !is_own || editing.terrain != Some(*terrain) {
            continue;
        }
        let now = editing.moment();
        if editing.ground.record(applied, tools.stroke(), now)
            && let Some(document) = &mut editing.document
        {
            document.forget_redo();
        }
    }
}

/// Undoes and redoes edits of the ground.
pub fn go(
    mut wanted: MessageReader<PanelStep>,
    mut editing: ResMut<Editing>,
    mut editor: TerrainEditor,
    mut message: ResMut<PanelMessage>,
) {
    for step in wanted.read() {
        match step {
            PanelStep::Undo => editing.step(Way::Undo),
            PanelStep::Redo => editing.step(Way::Redo),
        }
    }
    let Some(way) = editing.ground.asked.take() else { return };
    let Some(terrain) = editing.terrain else { return };
    // The step is taken only if the terrain can be edited: else it stays for later.
    let undone = editor.get(terrain).map_err(BevyError::from).and_then(|mut ground| {
        editing.ground.take(way).map(|step| undo(&mut ground, step)).transpose()
    });
    match undone {
        Ok(Some(step)) => {
            if step.changes.is_empty() {
                message.say("Nothing was undone: another author has changed these edits since");
            }
            let edits = editing.moment().edits;
            editing.ground.went(way, step, edits);
        }
        Ok(None) => {}
        Err(error) => message.say(format!("The ground was not changed. {}", told_by(&error))),
    }
}

/// Undoes the changes of a step, the last one first, except those of edits that another author has
/// changed since. The times may differ: undoing a later step of the same edit gave it a new one.
fn undo(ground: &mut GroundEditor, step: GroundStep) -> Result<GroundStep> {
    let mut changes = Vec::with_capacity(step.changes.len());
    for applied in step.changes.iter().rev() {
        let last = ground.log().last_change(applied.change.id);
        let own = &applied.change;
        if last.is_some_and(|l| l.time.author == own.time.author && l.state == own.state) {
            changes.push(ground.undo(applied)?);
        }
    }
    Ok(GroundStep { after: step.after, changes })
}
