//! Undo and redo of edits of the ground, in one order with the steps of the document.

use orogeny::edits::{Applied, EditId};

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
