//! Undo and redo of edits of the ground, in one order with the steps of the document.

use bevy::prelude::*;
use bevy_orogeny::advanced::EditAuthor;
use bevy_orogeny::{EditApplied, GroundEditor, TerrainEditor};
use orogeny::edits::{Applied, EditId};

use super::Editing;
use crate::tools::Tools;
use crate::window::PanelMessage;

/// The maximum number of steps that undo remembers.
const STEPS: usize = 200;

/// Undo or redo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Takes the last step back.
    Undo,
    /// Does again what was undone last.
    Redo,
}

/// Where the document is: how many of its steps are done, and how many edits it ever had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    pub steps: u64,
    pub edits: u64,
}

/// Changes that are undone together, such as a stroke of a brush.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundStep {
    /// The number of the document's steps that were done before.
    pub after: u64,
    pub changes: Vec<Applied>,
}

/// The steps that changed the ground of a terrain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroundSteps {
    undo: Vec<GroundStep>,
    redo: Vec<GroundStep>,
    /// The document's edits when `redo` got its last step. An edit since then ends it.
    redo_edits: u64,
    /// The stroke that the newest step belongs to.
    stroke: Option<u64>,
    /// What the user has asked for.
    pub asked: Option<Way>,
    /// The time of the last change that undo and redo made.
    own: Option<EditId>,
}

impl GroundSteps {
    /// Notes a change: a step of its own, or one with all others of a stroke. What undo and redo
    /// did themselves is no step. Returns whether it is one.
    pub fn record(&mut self, applied: &Applied, stroke: Option<u64>, now: Moment) -> bool {
        if self.own.is_some_and(|own| applied.change.time <= own) {
            return false;
        }
        match self.undo.last_mut() {
            Some(step) if stroke.is_some() && stroke == self.stroke && step.after == now.steps => {
                step.changes.push(applied.clone());
            }
            _ => {
                let changes = vec![applied.clone()];
                self.undo.push(GroundStep { after: now.steps, changes });
                let old = self.undo.len().saturating_sub(STEPS);
                self.undo.drain(..old);
            }
        }
        self.stroke = stroke;
        self.redo.clear();
        true
    }

    /// Whether the next step in this direction changed the ground, rather than the document.
    pub fn is_next(&self, way: Way, now: Moment) -> bool {
        match way {
            Way::Undo => self.undo.last().is_some_and(|step| step.after >= now.steps),
            Way::Redo => {
                self.can_redo(now) && self.redo.last().is_some_and(|step| step.after <= now.steps)
            }
        }
    }

    /// Whether there is anything to undo, and to redo.
    pub fn can_go(&self, now: Moment) -> [bool; 2] {
        [!self.undo.is_empty(), self.can_redo(now)]
    }

    fn can_redo(&self, now: Moment) -> bool {
        !self.redo.is_empty() && self.redo_edits == now.edits
    }

    /// Takes the next step in this direction, to be undone: redo undoes an undo.
    pub fn take(&mut self, way: Way) -> Option<GroundStep> {
        self.stroke = None;
        match way {
            Way::Undo => self.undo.pop(),
            Way::Redo => self.redo.pop(),
        }
    }

    /// Notes what undoing a step has changed, which may be nothing.
    pub fn went(&mut self, way: Way, step: GroundStep, edits: u64) {
        let Some(last) = step.changes.last() else { return };
        self.own = self.own.max(Some(last.change.time));
        match way {
            Way::Undo => {
                // An edit of the document has ended what is older.
                if self.redo_edits != edits {
                    self.redo.clear();
                }
                self.redo_edits = edits;
                self.redo.push(step);
            }
            Way::Redo => self.undo.push(step),
        }
    }
}

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
        Err(error) => message.failed("The ground was not changed", &error),
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
